// The survey of a tree: its files, their sizes, and the imports between them.
//
// survey/V1. Imports name files of the survey only, and never the file itself.
// survey/V2. The same tree gives the same survey.
import { join } from 'node:path';
import type { SourceFile } from '../../core/split/source-file.ts';
import { NO_WORDS, type Scanned } from './language.ts';
import { languageOf } from './languages.ts';
import type { SurveyRefusal } from '../../core/protocol/survey-refusal.ts';
import { listFiles } from './list-files.ts';
import { indexTree, type TreeIndex } from './tree-index.ts';
import { closeSync, fstatSync, openSync, readSync, constants } from 'node:fs';

export interface LeftOut {
  readonly path: string;
  readonly why: 'link' | 'binary' | 'unreadable' | Unwritten;
}

export type Surveyed =
  | {
      readonly type: 'surveyed';
      readonly root: string;
      readonly files: readonly SourceFile[];
      readonly leftOut: readonly LeftOut[];
    }
  | { readonly type: 'refused'; readonly refusal: SurveyRefusal };

interface ReadFile extends Scanned {
  readonly path: string;
  readonly tokens: number;
}

const NOTHING: Scanned = { imports: [], declares: [], words: NO_WORDS };

export interface SurveyOptions {
  /** Files that are surveyed although no person writes them, because the caller named them. */
  readonly keeps: (path: string) => boolean;
}

export function survey(
  places: readonly string[],
  cwd: string,
  { keeps }: SurveyOptions = { keeps: () => false },
): Surveyed {
  const listed = listFiles(places, cwd);
  if (listed.type === 'refused') return listed;
  const read: ReadFile[] = [];
  const leftOut: LeftOut[] = [];
  const isGenerated = generatedBy(attributesIn(listed.root));
  for (const path of listed.paths) {
    const source = readSource(join(listed.root, path));
    if (source.type === 'left out') {
      leftOut.push({ path, why: source.why });
      continue;
    }
    const isNamed = listed.named.has(path) || keeps(path);
    const why = isNamed ? undefined : isGenerated(path) ? 'generated' : unwritten({ path, text: source.text });
    if (why !== undefined) leftOut.push({ path, why });
    else read.push({ path, tokens: source.tokens, ...(languageOf(path)?.scan(source.text, path) ?? NOTHING) });
  }
  const index = indexTree(read);
  const files = read.map((file) => ({ path: file.path, tokens: file.tokens, imports: importsOf(file, index) }));
  return { type: 'surveyed', root: listed.root, files, leftOut };
}

function attributesIn(root: string): string {
  const source = readSource(join(root, '.gitattributes'));
  return source.type === 'text' ? source.text : '';
}

function importsOf({ path, imports, words }: ReadFile, index: TreeIndex): readonly string[] {
  const language = languageOf(path);
  if (language === undefined) return [];
  const found = new Set<string>();
  for (const name of imports)
    for (const target of language.resolve({ from: path, name, words, index })) if (index.has(target)) found.add(target);
  found.delete(path);
  return [...found].sort();
}

type ReadSource =
  | { readonly type: 'text'; readonly text: string; readonly tokens: number }
  /** A symbolic link, a binary file, or an unreadable one. */
  | { readonly type: 'left out'; readonly why: 'link' | 'binary' | 'unreadable' };

/** Imports are at the top; the rest of a longer file is only counted. */
const READ_BYTES_MAX = 512 * 1024;
const PROBED_BYTES = 8_000;
/** For source text; a model's own count differs by up to a third in both directions. */
const BYTES_PER_TOKEN = 3.5;

const buffer = Buffer.allocUnsafe(READ_BYTES_MAX);

function readSource(path: string): ReadSource {
  let open: number | undefined;
  try {
    open = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const about = fstatSync(open);
    if (!about.isFile()) return { type: 'left out', why: 'unreadable' };
    const bytes = readUpTo(open, Math.min(about.size, READ_BYTES_MAX));
    if (buffer.subarray(0, Math.min(bytes, PROBED_BYTES)).includes(0)) return { type: 'left out', why: 'binary' };
    const tokens = Math.ceil(about.size / BYTES_PER_TOKEN);
    return { type: 'text', text: buffer.toString('utf8', 0, bytes), tokens };
  } catch (cause) {
    const isLink = cause instanceof Error && 'code' in cause && cause.code === 'ELOOP';
    return { type: 'left out', why: isLink ? 'link' : 'unreadable' };
  } finally {
    if (open !== undefined) closeSync(open);
  }
}

function readUpTo(open: number, most: number): number {
  let bytes = 0;
  for (let read = -1; read !== 0 && bytes < most; bytes += read)
    read = readSync(open, buffer, bytes, most - bytes, bytes);
  return bytes;
}

// Files that no person writes: generated files and data. They belong to no task.

type Unwritten = 'generated' | 'data';

const LOCK_FILES = new Set(
  `package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb deno.lock Cargo.lock go.sum go.work.sum
  poetry.lock uv.lock pdm.lock Pipfile.lock composer.lock Gemfile.lock mix.lock pubspec.lock Package.resolved flake.lock
  packages.lock.json gradle.lockfile`.split(/\s+/),
);
const GENERATED_NAMES =
  /\.(?:min\.(?:js|mjs|css)|map|snap|pb\.go|g\.dart|designer\.cs)$|_pb2(?:_grpc)?\.pyi?$|\.generated\.\w+$/i;
const GENERATED_FOLDERS = /(?:^|\/)(?:generated|__generated__|__snapshots__)\//;
const DATA_NAMES = /\.(?:csv|tsv|psv|jsonl|ndjson|geojson|parquet|svg|pem|crt|log|patch|diff)$/i;
const LICENCES = /(?:^|\/)(?:LICEN[CS]E|COPYING|NOTICE)(?:[.-][\w.-]+)?$/i;
const JSON_BYTES_MAX = 64 * 1024;

/** The convention of Go and of Meta's tools, in the first lines. */
const MARK =
  /@generated\b|\bcode generated\b.*\bdo not edit\b|\bautomatically generated\b.*\bdo not (?:edit|modify)\b/i;
const MARKED_BYTES = 1024;

interface ReadText {
  readonly path: string;
  readonly text: string;
}

/** Undefined for a file that a person writes. */
function unwritten({ path, text }: ReadText): Unwritten | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (LOCK_FILES.has(name) || GENERATED_NAMES.test(name) || GENERATED_FOLDERS.test(path)) return 'generated';
  if (MARK.test(text.slice(0, MARKED_BYTES))) return 'generated';
  if (DATA_NAMES.test(name) || LICENCES.test(path)) return 'data';
  return /\.json$/i.test(name) && text.length > JSON_BYTES_MAX ? 'data' : undefined;
}

/** The patterns that a `.gitattributes` of the root calls generated, as far as they are plain names, endings and folders. */
function generatedBy(attributes: string): (path: string) => boolean {
  const patterns = attributes
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([first = '', ...rest]) => !first.startsWith('#') && rest.some(isGenerated))
    .map(([pattern = '']) => matcherOf(pattern));
  return (path) => patterns.some((pattern) => pattern.test(path));
}

const isGenerated = (word: string): boolean => word === 'linguist-generated' || word === 'linguist-generated=true';

function matcherOf(pattern: string): RegExp {
  const escaped = pattern
    .replace(/^\//, '')
    .replace(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
    .replace(/\*\*\/?|\*|\?/g, (sign) => (sign.startsWith('**') ? '.*' : sign === '*' ? '[^/]*' : '[^/]'));
  return new RegExp(`^${pattern.includes('/') ? '' : '(?:.*/)?'}${escaped}$`);
}

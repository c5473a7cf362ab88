// Files that no person writes: generated files and data. They belong to no task.

export type Unwritten = 'generated' | 'data';

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

export interface ReadText {
  readonly path: string;
  readonly text: string;
}

/** Undefined for a file that a person writes. */
export function unwritten({ path, text }: ReadText): Unwritten | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (LOCK_FILES.has(name) || GENERATED_NAMES.test(name) || GENERATED_FOLDERS.test(path)) return 'generated';
  if (MARK.test(text.slice(0, MARKED_BYTES))) return 'generated';
  if (DATA_NAMES.test(name) || LICENCES.test(path)) return 'data';
  return /\.json$/i.test(name) && text.length > JSON_BYTES_MAX ? 'data' : undefined;
}

/** The patterns that a `.gitattributes` of the root calls generated, as far as they are plain names, endings and folders. */
export function generatedBy(attributes: string): (path: string) => boolean {
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

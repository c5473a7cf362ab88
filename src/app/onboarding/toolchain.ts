// The toolchain of a project, as far as a plan needs it, and the folder in which it is detected.
import { isObject, type Fields } from '../../core/plan/json-fields.ts';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

export interface Toolchain {
  /** As people call it. */
  readonly tool: string;
  /** The files that show it. */
  readonly evidence: readonly string[];
  readonly check: ToolCommand | undefined;
  /** The setup of a fresh sandbox before the check can run. */
  readonly setup: ToolCommand | undefined;
  /** Folders to share with the sandboxes instead. */
  readonly link: readonly string[];
  /** Where the check itself fetches packages from; sandboxes reach nothing that is not named. */
  readonly hosts: readonly string[];
  /** Folders of the packages of a workspace, and the check of the first of them alone. */
  readonly packages: readonly string[];
  readonly packageCheck: string | undefined;
}

export interface ToolCommand {
  readonly run: string;
  /** Why this one, as the end of a sentence. */
  readonly because: string;
}

export const NO_TOOLCHAIN = {
  check: undefined,
  setup: undefined,
  link: [],
  hosts: [],
  packages: [],
  packageCheck: undefined,
} as const;

/** A folder as detectors see it: names and texts; unreadable files are left out. */
export interface FolderView {
  /** The first of the names that exists. */
  readonly first: (...names: readonly string[]) => string | undefined;
  readonly has: (name: string) => boolean;
  /** Empty for a missing file. */
  readonly text: (name: string) => string;
  /** Empty for a file that is not JSON. */
  readonly data: (name: string) => Fields;
  /** Names in a subfolder with this ending. */
  readonly ending: (...ends: readonly string[]) => readonly string[];
  /** The folders of a workspace pattern, as `packages/*` or by path, that have a file of this name. */
  readonly members: (patterns: readonly string[], file: string) => readonly string[];
}

/** A larger file is generated, and no evidence here. */
const BYTES_MAX = 2 * 1024 * 1024;

export function folderView(folder: string): FolderView {
  const has = (name: string): boolean => existsSync(join(folder, name));
  const text = (name: string): string => readAtMost(join(folder, name));
  return {
    has,
    first: (...names) => names.find(has),
    text,
    data: (name) => fieldsIn(text(name)),
    members: (patterns, file) => membersOf(folder, patterns).filter((path) => has(join(path, file))),
    ending: (...ends) => namesInFolder(folder).filter((name) => ends.some((end) => name.endsWith(end))),
  };
}

function readAtMost(file: string): string {
  try {
    return statSync(file).size > BYTES_MAX ? '' : readFileSync(file, 'utf8');
  } catch {
    // An unreadable file counts as missing: nothing is proposed for it.
    return '';
  }
}

function fieldsIn(text: string): Fields {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    // The name of a partial file, or of one with comments, still identifies its tool.
    return {};
  }
}

/** The fields of an object; empty for any other value. */
export const fieldsOf = (value: unknown): Fields => (isObject(value) ? value : {});

export function namesInFolder(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return [];
  }
}

const MEMBERS_MAX = 200;

/** How far below its folder a pattern with two stars is followed. */
const MEMBERS_DEPTH_MAX = 3;

/** One star matches one folder, two match folders below each other; a leading exclamation mark excludes. */
function membersOf(folder: string, patterns: readonly string[]): readonly string[] {
  const plain = patterns.filter((pattern) => !pattern.startsWith('!'));
  const found = plain.flatMap((pattern) => {
    const [, above = '', star] = /^(?:\.\/)?(.*?)(?:\/?(\*\*?))?\/?$/.exec(pattern) ?? [];
    return star === undefined ? [above] : foldersBelow(folder, above, star === '*' ? 1 : MEMBERS_DEPTH_MAX);
  });
  const left = new Set(patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1)));
  return [...new Set(found)].filter((path) => path !== '' && path !== '.' && !left.has(path)).slice(0, MEMBERS_MAX);
}

function foldersBelow(root: string, above: string, depth: number): readonly string[] {
  if (depth === 0) return [];
  const names = namesInFolder(join(root, above)).filter((name) => name !== 'node_modules' && !name.startsWith('.'));
  return names.flatMap((name) => [join(above, name), ...foldersBelow(root, join(above, name), depth - 1)]);
}

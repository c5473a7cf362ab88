// A folder as detectors see it: names and texts, and nothing that cannot be read.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

export interface Look {
  /** Of the names the first that is there. */
  readonly first: (...names: readonly string[]) => string | undefined;
  readonly has: (name: string) => boolean;
  /** Empty when it is not there. */
  readonly text: (name: string) => string;
  /** Empty when it is not JSON. */
  readonly data: (name: string) => Fields;
  /** Names in a folder of it that end so. */
  readonly ending: (...ends: readonly string[]) => readonly string[];
  /** The folders that a workspace names, as `packages/*` or by path, when they have a file of this name. */
  readonly members: (patterns: readonly string[], file: string) => readonly string[];
}

export type Fields = Readonly<Record<string, unknown>>;

/** What is larger was made by a program and tells nothing here. */
const BYTES_MAX = 2 * 1024 * 1024;

export function lookAt(folder: string): Look {
  const has = (name: string): boolean => existsSync(join(folder, name));
  const text = (name: string): string => readAtMost(join(folder, name));
  return {
    has,
    first: (...names) => names.find(has),
    text,
    data: (name) => fieldsIn(text(name)),
    members: (patterns, file) => membersOf(folder, patterns).filter((path) => has(join(path, file))),
    ending: (...ends) => namesIn(folder).filter((name) => ends.some((end) => name.endsWith(end))),
  };
}

function readAtMost(file: string): string {
  try {
    return statSync(file).size > BYTES_MAX ? '' : readFileSync(file, 'utf8');
  } catch {
    // What cannot be read is as if it were not there: nothing is proposed for it.
    return '';
  }
}

function fieldsIn(text: string): Fields {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    // Half a file, or one with comments, still says by its name which tool it belongs to.
    return {};
  }
}

/** The fields of a value that has any. */
export const fieldsOf = (value: unknown): Fields =>
  // An object that is no list has fields by name.
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return [];
  }
}

const MEMBERS_MAX = 200;

/** One star stands for one folder; what begins with an exclamation mark is left out. */
function membersOf(folder: string, patterns: readonly string[]): readonly string[] {
  const plain = patterns.filter((pattern) => !pattern.startsWith('!'));
  const found = plain.flatMap((pattern) => {
    const [, above = '', star] = /^(?:\.\/)?(.*?)(?:\/?(\*\*?))?\/?$/.exec(pattern) ?? [];
    return star === undefined ? [above] : namesIn(join(folder, above)).map((name) => join(above, name));
  });
  const left = new Set(patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1)));
  return [...new Set(found)].filter((path) => path !== '' && path !== '.' && !left.has(path)).slice(0, MEMBERS_MAX);
}

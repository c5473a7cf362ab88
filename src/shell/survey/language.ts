// What a language is to the survey: which words of a file are imports, and which files of the tree they mean.
//
// language/L1. Scanners read lines, not grammars: an import that is commented out may count, one that is computed does
//     not.
// language/L2. A pattern stops where another of its kind begins, or after a bounded way, so that no file takes long to
//     read.

import type { TreeIndex } from './tree-index.ts';

export interface Scanned {
  /** Imports as written, or as far as is needed to look them up. */
  readonly imports: readonly string[];
  /** Names by which other files of the language mean this one. */
  readonly declares: readonly string[];
  /** Words that tell which files of a whole namespace are meant; empty when no namespace is imported. */
  readonly words: ReadonlySet<string>;
}

export interface ImportOf {
  readonly from: string;
  readonly name: string;
  readonly words: ReadonlySet<string>;
  readonly index: TreeIndex;
}

export interface Language {
  readonly extensions: readonly string[];
  readonly scan: (text: string, path: string) => Scanned;
  /** Paths of files; may name files that do not exist. */
  readonly resolve: (order: ImportOf) => readonly string[];
}

export const NO_WORDS: ReadonlySet<string> = new Set();

/** The first groups that hold something, of all matches. */
export function matches(text: string, pattern: RegExp): readonly string[] {
  const found: string[] = [];
  for (const [, ...groups] of text.matchAll(pattern)) {
    const name = groups.find((group) => group !== undefined && group !== '');
    if (name !== undefined) found.push(name);
  }
  return found;
}

export const scanned = (imports: readonly string[], declares: readonly string[] = []): Scanned => ({
  imports: [...new Set(imports)],
  declares,
  words: NO_WORDS,
});

/** The file's name without its extension. */
export const stemOf = (path: string): string => (path.split('/').at(-1) ?? '').replace(/\.[^.]*$/, '');

/** Types have names that begin large. */
export const typesNamedIn = (text: string): ReadonlySet<string> => new Set(text.match(/\b[A-Z]\w*/g) ?? []);

/** Of all files of a namespace, those whose name the importing file says. */
export const namedBy = (paths: readonly string[], words: ReadonlySet<string>): readonly string[] =>
  paths.filter((path) => words.has(stemOf(path)));

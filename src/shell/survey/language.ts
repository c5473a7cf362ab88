// How the survey reads a language: the imports in a file, and the files of the tree that they name.
//
// language/L1. Scanners read lines, not grammars: a commented-out import may count, a computed one does not.
// language/L2. A pattern stops where another match of its kind begins, or after a bounded length, so that every file is
//     scanned quickly.

import type { TreeIndex } from './tree-index.ts';

export interface Scanned {
  /** Imports as written, or as far as the lookup needs them. */
  readonly imports: readonly string[];
  /** Names by which other files of the language import this one. */
  readonly declares: readonly string[];
  /** Words that select files of an imported namespace; empty when no namespace is imported. */
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
  readonly resolve: (imported: ImportOf) => readonly string[];
}

export const NO_WORDS: ReadonlySet<string> = new Set();

/** The first non-empty group of every match. */
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

/** The file name without its extension. */
export const stemOf = (path: string): string => (path.split('/').at(-1) ?? '').replace(/\.[^.]*$/, '');

/** Names of types begin with a capital letter. */
export const typesNamedIn = (text: string): ReadonlySet<string> => new Set(text.match(/\b[A-Z]\w*/g) ?? []);

/** The files of a namespace whose names occur in the importing file. */
export const namedBy = (paths: readonly string[], words: ReadonlySet<string>): readonly string[] =>
  paths.filter((path) => words.has(stemOf(path)));

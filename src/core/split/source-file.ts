// The facts about a file that splitting uses, and the bounds of a part.

import { assert } from '../assert.ts';

export interface SourceFile {
  /** From the root of the project, with slashes. */
  readonly path: string;
  /** About as many as a model would count. */
  readonly tokens: number;
  /** Paths of files that it imports; those that are not being split are passed over. */
  readonly imports: readonly string[];
}

export interface SplitBounds {
  readonly filesMin: number;
  readonly filesMax: number;
  readonly tokensMax: number;
}

export const BOUNDS_DEFAULT: SplitBounds = { filesMin: 4, filesMax: 20, tokensMax: 50_000 };

export interface PartSize {
  readonly files: number;
  readonly tokens: number;
}

export const fits = ({ files, tokens }: PartSize, bounds: SplitBounds): boolean =>
  files <= bounds.filesMax && tokens <= bounds.tokensMax;

export function sum(sizes: Iterable<PartSize>): PartSize {
  let [files, tokens] = [0, 0];
  for (const size of sizes) [files, tokens] = [files + size.files, tokens + size.tokens];
  return { files, tokens };
}

/** Compares by code unit, so that the order is the same everywhere. */
export const byText = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

export function itemAt<Item>(items: readonly Item[], index: number): Item {
  const item = items[index];
  assert(item !== undefined, 'an index of splitting lies within its list');
  return item;
}

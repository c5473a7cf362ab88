// Which pairs of branches might conflict, by their changed paths alone. It may name too many pairs, never too few:
//
// overlaps/F1. A path that both branches change, not identically, is an overlap.
// overlaps/F2. A path of one branch below a file of the other is an overlap.
// overlaps/F3. A path that one branch adds below a folder vacated by the other is an overlap, because git may move it.
import { foldersOf } from './changed-paths.ts';
import type { ChangedPaths } from './changed-paths.ts';
import type { ChangedPath } from '../store/changed-path.ts';

export interface PathOverlap {
  readonly one: number;
  readonly other: number;
  readonly paths: readonly string[];
}

/** In the order of the branches. */
export function overlapsOf(footprints: readonly ChangedPaths[]): readonly PathOverlap[] {
  const met = new Map<string, { readonly one: number; readonly other: number; readonly paths: Set<string> }>();
  const meet = (first: number, second: number, path: string): void => {
    const [one, other] = first < second ? [first, second] : [second, first];
    const meeting = met.get(`${one} ${other}`) ?? { one, other, paths: new Set() };
    met.set(`${one} ${other}`, meeting);
    meeting.paths.add(path);
  };
  const touching = indexOf(footprints, ({ changed }) => changed.keys());
  const vacating = indexOf(footprints, ({ vacated }) => vacated);
  for (const [mine, { changed }] of footprints.entries()) {
    for (const entry of changed.values()) {
      for (const theirs of touching.get(entry.path) ?? []) {
        if (theirs > mine && !isSame(entry, footprints[theirs]?.changed.get(entry.path)))
          meet(mine, theirs, entry.path);
      }
      if (entry.change === 'deleted') continue;
      for (const folder of foldersOf(entry.path)) {
        for (const theirs of touching.get(folder) ?? []) if (theirs !== mine) meet(mine, theirs, folder);
        if (entry.change !== 'added') continue;
        for (const theirs of vacating.get(folder) ?? []) if (theirs !== mine) meet(mine, theirs, entry.path);
      }
    }
  }
  return [...met.values()]
    .sort((first, second) => first.one - second.one || first.other - second.other)
    .map(({ one, other, paths }) => ({ one, other, paths: [...paths].sort() }));
}

function indexOf(
  footprints: readonly ChangedPaths[],
  pathsOf: (footprint: ChangedPaths) => Iterable<string>,
): ReadonlyMap<string, readonly number[]> {
  const index = new Map<string, number[]>();
  for (const [at, footprint] of footprints.entries()) {
    for (const path of pathsOf(footprint)) {
      const list = index.get(path);
      if (list === undefined) index.set(path, [at]);
      else list.push(at);
    }
  }
  return index;
}

/** Two deletions may be the halves of two different renames. */
const isSame = (mine: ChangedPath, theirs: ChangedPath | undefined): boolean =>
  mine.change !== 'deleted' && mine.blobTo === theirs?.blobTo && mine.modeTo === theirs?.modeTo;

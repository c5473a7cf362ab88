// Forecasts which branches would conflict: pairs whose changed paths do not overlap are skipped, the others are merged
// in memory.
//
// overlaps/F1. A path that both branches change, not identically, is an overlap.
// overlaps/F2. A path of one branch below a file of the other is an overlap.
// overlaps/F3. A path that one branch adds below a folder vacated by the other is an overlap, because git may move it.
import { availableParallelism } from 'node:os';
import type { Git } from '../run/git.ts';
import { isAttributes, type MergeAttributes } from './attributes.ts';
import type { Merges } from './tree-merges.ts';
import { changedPathsOf, parentFoldersOf, type Branch, type ChangedPaths } from './changed-paths.ts';
import type { ChangedPath } from '../store/changed-path.ts';

export interface ForecastPair {
  readonly one: string;
  readonly other: string;
  readonly paths: readonly string[];
  /** Git's names, such as `contents` or `file location`. */
  readonly kinds: readonly string[];
}

export interface Overlap {
  readonly one: string;
  readonly other: string;
  readonly paths: readonly string[];
}

export interface MergeForecast {
  /** In the order of the branches. */
  readonly conflicts: readonly ForecastPair[];
  /** Pairs that change the same paths and still merge. */
  readonly overlaps: readonly Overlap[];
  /** Pairs that change the same paths and were not merged, because there are too many of them. */
  readonly untried: readonly Overlap[];
}

/** Most merges for one forecast: some seconds of work. */
const TRIES_MAX = 2_000;

interface World {
  readonly git: Git;
  readonly merges: Merges;
  readonly attributes: MergeAttributes;
}

export async function forecastMerges(world: World, base: string, branches: readonly Branch[]): Promise<MergeForecast> {
  const { git, merges, attributes } = world;
  const [changedPaths] = await Promise.all([changedPathsOf(git, base, branches), attributes.folderFor(base)]);
  for (const { tip, changed } of changedPaths) if (!changed.keys().some(isAttributes)) attributes.inherit(base, tip);
  const pathOverlaps = overlapsOf(changedPaths);
  const tried = await tryAll(merges, changedPaths, pathOverlaps.slice(0, TRIES_MAX));
  const nameOf = (index: number): string => changedPaths[index]?.name ?? '';
  const overlap = ({ one, other, paths }: PathOverlap): Overlap => ({ one: nameOf(one), other: nameOf(other), paths });
  return {
    conflicts: tried.flatMap(({ pair }) => pair ?? []),
    overlaps: tried.filter(({ pair }) => pair === undefined).map(({ pathOverlap }) => overlap(pathOverlap)),
    untried: pathOverlaps.slice(TRIES_MAX).map(overlap),
  };
}

interface Tried {
  readonly pathOverlap: PathOverlap;
  readonly pair: ForecastPair | undefined;
}

async function tryAll(
  merges: Merges,
  changedPaths: readonly ChangedPaths[],
  pathOverlaps: readonly PathOverlap[],
): Promise<readonly Tried[]> {
  const tried: Tried[] = [];
  const waiting = [...pathOverlaps.entries()];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, pathOverlap] = next;
      tried[index] = { pathOverlap, pair: await tryOne(merges, changedPaths, pathOverlap) };
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return tried;
}

async function tryOne(
  merges: Merges,
  changedPaths: readonly ChangedPaths[],
  pathOverlap: PathOverlap,
): Promise<ForecastPair | undefined> {
  const [one, other] = [changedPaths[pathOverlap.one], changedPaths[pathOverlap.other]];
  if (one === undefined || other === undefined) return undefined;
  const outcome = await merges.foresee(one.tip, other.tip);
  if (outcome.type !== 'conflict') return undefined;
  const paths = outcome.paths.map(({ path }) => path);
  const kinds = [...new Set(outcome.paths.map(({ kind }) => kind))];
  return { one: one.name, other: other.name, paths, kinds };
}

// Which pairs of branches might conflict, by their changed paths alone. It may name too many pairs, never too few:

interface PathOverlap {
  readonly one: number;
  readonly other: number;
  readonly paths: readonly string[];
}

/** In the order of the branches. */
function overlapsOf(changedPaths: readonly ChangedPaths[]): readonly PathOverlap[] {
  const met = new Map<string, { readonly one: number; readonly other: number; readonly paths: Set<string> }>();
  const meet = (first: number, second: number, path: string): void => {
    const [one, other] = first < second ? [first, second] : [second, first];
    const pathOverlap = met.get(`${one} ${other}`) ?? { one, other, paths: new Set() };
    met.set(`${one} ${other}`, pathOverlap);
    pathOverlap.paths.add(path);
  };
  const touching = indexOf(changedPaths, ({ changed }) => changed.keys());
  const vacating = indexOf(changedPaths, ({ vacated }) => vacated);
  for (const [mine, { changed }] of changedPaths.entries()) {
    for (const entry of changed.values()) {
      for (const theirs of touching.get(entry.path) ?? []) {
        if (theirs > mine && !isSame(entry, changedPaths[theirs]?.changed.get(entry.path)))
          meet(mine, theirs, entry.path);
      }
      if (entry.change === 'deleted') continue;
      for (const folder of parentFoldersOf(entry.path)) {
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
  changedPaths: readonly ChangedPaths[],
  pathsOf: (changes: ChangedPaths) => Iterable<string>,
): ReadonlyMap<string, readonly number[]> {
  const index = new Map<string, number[]>();
  for (const [at, changes] of changedPaths.entries()) {
    for (const path of pathsOf(changes)) {
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

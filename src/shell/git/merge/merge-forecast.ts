// Forecasts which branches would conflict: pairs whose changed paths do not overlap are skipped, the others are merged
// in memory.
import { availableParallelism } from 'node:os';
import type { Git } from '../run/git.ts';
import { isAttributes } from './attributes.ts';
import type { Attributes } from './attributes.ts';
import type { Merges } from './tree-merges.ts';
import { changedPathsOf } from './changed-paths.ts';
import type { Branch, ChangedPaths } from './changed-paths.ts';
import { overlapsOf } from './overlaps.ts';
import type { PathOverlap } from './overlaps.ts';

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

export interface Forecast {
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
  readonly attributes: Attributes;
}

export async function forecast(world: World, base: string, branches: readonly Branch[]): Promise<Forecast> {
  const { git, merges, attributes } = world;
  const [footprints] = await Promise.all([changedPathsOf(git, base, branches), attributes.folderFor(base)]);
  for (const { tip, changed } of footprints) if (!changed.keys().some(isAttributes)) attributes.inherit(base, tip);
  const meetings = overlapsOf(footprints);
  const tried = await tryAll(merges, footprints, meetings.slice(0, TRIES_MAX));
  const nameOf = (index: number): string => footprints[index]?.name ?? '';
  const overlap = ({ one, other, paths }: PathOverlap): Overlap => ({ one: nameOf(one), other: nameOf(other), paths });
  return {
    conflicts: tried.flatMap(({ pair }) => pair ?? []),
    overlaps: tried.filter(({ pair }) => pair === undefined).map(({ meeting }) => overlap(meeting)),
    untried: meetings.slice(TRIES_MAX).map(overlap),
  };
}

interface Tried {
  readonly meeting: PathOverlap;
  readonly pair: ForecastPair | undefined;
}

async function tryAll(
  merges: Merges,
  footprints: readonly ChangedPaths[],
  meetings: readonly PathOverlap[],
): Promise<readonly Tried[]> {
  const tried: Tried[] = [];
  const waiting = [...meetings.entries()];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, meeting] = next;
      tried[index] = { meeting, pair: await tryOne(merges, footprints, meeting) };
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return tried;
}

async function tryOne(
  merges: Merges,
  footprints: readonly ChangedPaths[],
  meeting: PathOverlap,
): Promise<ForecastPair | undefined> {
  const [one, other] = [footprints[meeting.one], footprints[meeting.other]];
  if (one === undefined || other === undefined) return undefined;
  const outcome = await merges.foresee(one.tip, other.tip);
  if (outcome.type !== 'conflict') return undefined;
  const paths = outcome.paths.map(({ path }) => path);
  const kinds = [...new Set(outcome.paths.map(({ kind }) => kind))];
  return { one: one.name, other: other.name, paths, kinds };
}

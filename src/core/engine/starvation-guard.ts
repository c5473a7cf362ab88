// The starvation guard: the tokens for a step that is passed over too often are kept free.
//
// starvation-guard/H1. A ready step is *passed over* when a step of lower priority is claimed and takes tokens that the
//     ready step then lacks.
// starvation-guard/H2. Steps that hold the same tokens fit or fail together, so only the first in line of each such
//     *kind* is watched.
// starvation-guard/H3. After a step was passed over STARVATION_LIMIT times, no step of lower priority may take its
//     tokens until it is claimed. Tokens are kept free for only one step at a time, the first by priority, so there is
//     no deadlock: holders give tokens back, and no step waits for a token while it holds another.
// starvation-guard/H4. The counts are a fold of the log, so a restart keeps tokens free for the same step.
// starvation-guard/H5. A claim costs as much as the steps that it passes over, and each step is counted at most
//     STARVATION_LIMIT times, however many kinds there are.
//
// Limit: when the kept step is claimed and tokens are kept for another, every enabled claim is decided again. When plans
// have thousands of enabled steps behind starving ones, keep the enabled claims by what they take.
//
// A slot of the run's own cap is not watched: a holder of a pool token or a subplan's slot holds one too and gives both
// back at once. Nor can a step starve that takes one token of one resource: the first in line gets it.

import { countAt, tokensAt } from '../net/play.ts';
import { forEachArc } from '../net/walk-arcs.ts';
import { emptyHeap, pop, push, topItem } from '../graph/heap.ts';
import { indexesBelow, minTree, setTreeKey } from '../graph/min-tree.ts';
import { isInside } from '../compile/compiled.ts';
import type { Compiled, CompiledStep } from '../compile/compiled.ts';
import type { Play } from '../net/play.ts';
import type { Heaps } from '../graph/heap.ts';
import type { MinTree } from '../graph/min-tree.ts';
import type { TaskIndex } from '../compile/meaning.ts';
import type { TokensTaken } from './deferred.ts';
import type { Order } from './order.ts';
import type { Token } from './token.ts';

/** Claims of lower priority that a ready step lets pass before its tokens are kept free. */
export const STARVATION_LIMIT = 50;

interface Kind {
  /** By place: the tokens that a step of this kind holds while running. */
  readonly held: ReadonlyMap<number, number>;
  /** Claims whose steps became ready, by rank; claims that are no longer ready are removed when encountered. */
  readonly line: Heaps;
  readonly isInLine: Set<number>;
  /** Its indexes among the kinds that want tokens of a place. */
  readonly seats: { readonly among: Wanting; readonly index: number }[];
}

/** The kinds that hold tokens of one place, most tokens first. */
interface Wanting {
  readonly kinds: readonly Kind[];
  /** By kind: the rank of the first in line; Infinity where the line is empty or its first step starves already. */
  readonly firsts: MinTree;
}

export interface StarvationGuard {
  /** By claim of a step that could starve. */
  readonly kindOf: ReadonlyMap<number, Kind>;
  readonly stepOf: ReadonlyMap<number, CompiledStep>;
  /** By place: the kinds that hold tokens of it. */
  readonly wanting: ReadonlyMap<number, Wanting>;
  /** By transition: its rank by priority, 0 first. */
  readonly rank: Float64Array;
  /** By claim: how often it was passed over since its step became ready. */
  readonly passes: Map<number, number>;
  /** Claims that were passed over STARVATION_LIMIT times, by rank. */
  readonly starving: number[];
  /** Whether a person has paused the task of a step. */
  readonly isPaused: (task: TaskIndex) => boolean;
}

/** Undefined when no step of the plan could ever starve. */
export function starvationGuard(
  compiled: Compiled,
  order: Order,
  { play, paused }: { readonly play: Play<Token>; readonly paused: ReadonlySet<TaskIndex> },
): StarvationGuard | undefined {
  if (order.policy === 'serial') return undefined;
  const kinds = new Map<string, Kind>();
  const kindOf = new Map<number, Kind>();
  const stepOf = new Map<number, CompiledStep>();
  for (const { steps } of compiled.tasks) {
    for (const step of steps) {
      const { claim } = step.transitions;
      const held = claim === undefined ? undefined : heldIfItCouldStarve(compiled, claim);
      if (claim === undefined || held === undefined) continue;
      const key = [...held].join(' ');
      const kind = kinds.get(key) ?? { held, line: emptyHeap(), isInLine: new Set(), seats: [] };
      kinds.set(key, kind);
      kindOf.set(claim, kind);
      stepOf.set(claim, step);
    }
  }
  if (kinds.size === 0) return undefined;
  const rank = Float64Array.from(play.waits.rank);
  const isPaused = (task: TaskIndex): boolean => isInside(compiled, paused, task);
  const wanting = byPlace([...kinds.values()]);
  return { kindOf, stepOf, wanting, rank, passes: new Map(), starving: [], isPaused };
}

function byPlace(kinds: readonly Kind[]): StarvationGuard['wanting'] {
  const places = new Set(kinds.flatMap(({ held }) => [...held.keys()]));
  const wanting = new Map<number, Kind[]>([...places].map((place) => [place, []]));
  for (const kind of kinds) for (const place of kind.held.keys()) wanting.get(place)?.push(kind);
  return new Map([...wanting].map(([place, of]) => [place, seated(place, of)]));
}

function seated(place: number, of: readonly Kind[]): Wanting {
  const kinds = of.toSorted((one, other) => (other.held.get(place) ?? 0) - (one.held.get(place) ?? 0));
  const among = { kinds, firsts: minTree(kinds.length) };
  kinds.forEach(({ seats }, index) => seats.push({ among, index }));
  return among;
}

/** Call when the first in line of the kind may have changed. */
function noteFirst({ rank, passes }: StarvationGuard, { line, seats }: Kind): void {
  const first = topItem(line, 0);
  const isCounted = first >= 0 && (passes.get(first) ?? 0) < STARVATION_LIMIT;
  for (const { among, index } of seats) setTreeKey(among.firsts, index, isCounted ? (rank[first] ?? 0) : Infinity);
}

function heldIfItCouldStarve({ net, run }: Compiled, claim: number): ReadonlyMap<number, number> | undefined {
  const held = new Map<number, number>();
  let tokens = 0;
  forEachArc(net.takes, claim, (place, weight) => {
    if (net.counted[place] !== 1 || place === run.cap) return;
    held.set(place, weight);
    tokens += weight;
  });
  return tokens > 1 ? held : undefined;
}

/** Call for every step that becomes ready. */
export function standInLine(guard: StarvationGuard, { transitions: { claim } }: CompiledStep): void {
  const kind = claim === undefined ? undefined : guard.kindOf.get(claim);
  if (claim === undefined || kind === undefined || kind.isInLine.has(claim)) return;
  kind.isInLine.add(claim);
  push(kind.line, 0, claim, guard.rank[claim] ?? 0);
  noteFirst(guard, kind);
}

/** Call for every claim of a step, after its tokens are taken. Returns whether another step starves from here on. */
export function notePassedOver(
  guard: StarvationGuard,
  play: Play<Token>,
  { claim, at }: { claim: number; at: number },
): boolean {
  const passed = new Map<number, Kind>();
  forEachArc(play.net.takes, claim, (place) => {
    const wanting = guard.wanting.get(place);
    if (wanting === undefined) return;
    const lacking = lackingAt(wanting, place, countAt(play, place));
    for (const index of indexesBelow(wanting.firsts, guard.rank[claim] ?? 0, lacking)) {
      const kind = wanting.kinds[index];
      const first = kind === undefined ? undefined : firstInLine(guard, play, kind);
      if (kind === undefined || first === undefined || !isBefore(guard, first, claim)) continue;
      if (isWilling(guard, play, { claim: first, at })) passed.set(first, kind);
    }
  });
  let hasStarved = false;
  for (const [first, kind] of passed) {
    const passes = (guard.passes.get(first) ?? 0) + 1;
    guard.passes.set(first, passes);
    if (passes !== STARVATION_LIMIT) continue;
    guard.starving.splice(placeByRank(guard, first), 0, first);
    noteFirst(guard, kind);
    hasStarved = true;
  }
  return hasStarved;
}

/** How many kinds want more tokens of the place than there are. */
function lackingAt({ kinds }: Wanting, place: number, count: number): number {
  return firstIndex(kinds.length, (index) => (kinds[index]?.held.get(place) ?? 0) <= count);
}

const placeByRank = (guard: StarvationGuard, claim: number): number =>
  firstIndex(guard.starving.length, (index) => !isBefore(guard, guard.starving[index] ?? 0, claim));

/** The first index for which the test holds, where it holds for all after it too; the length where it holds for none. */
function firstIndex(length: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Call for every step that stops waiting. Returns whether it had been passed over. */
export function loseCount(guard: StarvationGuard, claim: number): boolean {
  const { starving, passes, kindOf } = guard;
  const place = placeByRank(guard, claim);
  if (starving[place] === claim) starving.splice(place, 1);
  const kind = kindOf.get(claim);
  if (!passes.delete(claim)) return false;
  if (kind !== undefined) noteFirst(guard, kind);
  return true;
}

/** The claim for which tokens are kept free, if any. */
export function keptFor(guard: StarvationGuard, play: Play<Token>, at: number): number | undefined {
  return guard.starving.find((claim) => isReady(guard, play, claim) && isWilling(guard, play, { claim, at }));
}

/** The tokens that a claim would take although they are kept free for another of higher priority, if any. */
export function takenInTheWay(
  guard: StarvationGuard,
  play: Play<Token>,
  { claim, kept }: { claim: number; kept: number },
): TokensTaken | undefined {
  if (!isBefore(guard, kept, claim)) return undefined;
  let taken: TokensTaken | undefined;
  // The place that lacks most for `kept`: the claim stays in the way there for longest.
  let surplus = 0;
  forEachArc(play.net.takes, claim, (place, weight) => {
    const left = surplusOf(guard, play, { place, kept });
    if (left >= weight || (taken !== undefined && left >= surplus)) return;
    taken = { place, weight };
    surplus = left;
  });
  return taken;
}

/** The same for a claim that took these tokens at the latest decision. */
export function takenStill(
  guard: StarvationGuard,
  play: Play<Token>,
  { place, weight, claim, kept }: TokensTaken & { readonly claim: number; readonly kept: number },
): TokensTaken | undefined {
  const isStill = surplusOf(guard, play, { place, kept }) < weight;
  return isStill ? { place, weight } : takenInTheWay(guard, play, { claim, kept });
}

/** The tokens of a place beyond those that are kept free for a claim; negative where it lacks some. */
const surplusOf = (
  { kindOf }: StarvationGuard,
  play: Play<Token>,
  { place, kept }: { readonly place: number; readonly kept: number },
): number => countAt(play, place) - (kindOf.get(kept)?.held.get(place) ?? 0);

function firstInLine(guard: StarvationGuard, play: Play<Token>, kind: Kind): number | undefined {
  const { line, isInLine } = kind;
  for (let first = topItem(line, 0); first >= 0; first = topItem(line, 0)) {
    if (isReady(guard, play, first)) return first;
    pop(line, 0);
    isInLine.delete(first);
    noteFirst(guard, kind);
  }
  return undefined;
}

const isBefore = ({ rank }: StarvationGuard, one: number, other: number): boolean =>
  (rank[one] ?? 0) < (rank[other] ?? 0);

const isReady = ({ stepOf }: StarvationGuard, play: Play<Token>, claim: number): boolean =>
  stepOf.get(claim)?.ready.every((place) => countAt(play, place) > 0) ?? false;

/** Only missing tokens keep the step from starting: the run is active, its pools are open, no pause, no backoff. */
function isWilling(guard: StarvationGuard, play: Play<Token>, { claim, at }: { claim: number; at: number }): boolean {
  let isOpen = true;
  forEachArc(play.net.reads, claim, (place, weight) => {
    if (countAt(play, place) < weight) isOpen = false;
  });
  const step = guard.stepOf.get(claim);
  if (step === undefined || guard.isPaused(step.task)) return false;
  const [own] = step.ready;
  const token = own === undefined ? undefined : tokensAt(play, own)[0];
  return isOpen && (token?.until ?? 0) <= at;
}

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
//
// A slot of the run's own cap is not watched: a holder of a pool token or a subplan's slot holds one too and gives both
// back at once. Nor can a step starve that takes one token of one resource: the first in line gets it.

import { countAt, tokensAt } from '../net/play.ts';
import { forEachArc } from '../net/walk-arcs.ts';
import { emptyHeap, pop, push, topItem } from '../graph/heap.ts';
import { isInside } from '../compile/compiled.ts';
import type { Compiled, CompiledStep } from '../compile/compiled.ts';
import type { Play } from '../net/play.ts';
import type { Heaps } from '../graph/heap.ts';
import type { TaskIndex } from '../compile/meaning.ts';
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
}

export interface StarvationGuard {
  /** By claim of a step that could starve. */
  readonly kindOf: ReadonlyMap<number, Kind>;
  readonly stepOf: ReadonlyMap<number, CompiledStep>;
  /** By place: the kinds that hold tokens of it. */
  readonly wanting: ReadonlyMap<number, readonly Kind[]>;
  /** By transition: its rank by priority, 0 first. */
  readonly rank: Float64Array;
  /** By claim: how often it was passed over since its step became ready. */
  readonly passes: Map<number, number>;
  /** Claims that were passed over STARVATION_LIMIT times. */
  readonly starving: Set<number>;
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
      const kind = kinds.get(key) ?? { held, line: emptyHeap(), isInLine: new Set() };
      kinds.set(key, kind);
      kindOf.set(claim, kind);
      stepOf.set(claim, step);
    }
  }
  if (kinds.size === 0) return undefined;
  const rank = Float64Array.from(play.waits.rank);
  const isPaused = (task: TaskIndex): boolean => isInside(compiled, paused, task);
  const wanting = byPlace([...kinds.values()]);
  return { kindOf, stepOf, wanting, rank, passes: new Map(), starving: new Set(), isPaused };
}

function byPlace(kinds: readonly Kind[]): StarvationGuard['wanting'] {
  const wanting = new Map<number, Kind[]>();
  for (const kind of kinds) {
    for (const place of kind.held.keys()) {
      const others = wanting.get(place);
      if (others === undefined) wanting.set(place, [kind]);
      else others.push(kind);
    }
  }
  return wanting;
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
}

/** Call for every claim of a step, after its tokens are taken. */
export function notePassedOver(
  guard: StarvationGuard,
  play: Play<Token>,
  { claim, at }: { claim: number; at: number },
): void {
  const passed = new Set<number>();
  forEachArc(play.net.takes, claim, (place) => {
    for (const kind of guard.wanting.get(place) ?? []) {
      const first = firstInLine(guard, play, kind);
      const isPassed =
        first !== undefined &&
        isBefore(guard, first, claim) &&
        countAt(play, place) < (kind.held.get(place) ?? 0) &&
        isWilling(guard, play, { claim: first, at });
      if (isPassed) passed.add(first);
    }
  });
  for (const first of passed) {
    const passes = (guard.passes.get(first) ?? 0) + 1;
    guard.passes.set(first, passes);
    if (passes >= STARVATION_LIMIT) guard.starving.add(first);
  }
}

/** Call for every step that stops waiting. Returns whether it had been passed over. */
export function loseCount({ passes, starving }: StarvationGuard, claim: number): boolean {
  starving.delete(claim);
  return passes.delete(claim);
}

/** The claim for which tokens are kept free, if any. */
export function keptFor(guard: StarvationGuard, play: Play<Token>, at: number): number | undefined {
  let kept: number | undefined;
  for (const claim of guard.starving) {
    if (kept !== undefined && isBefore(guard, kept, claim)) continue;
    if (isReady(guard, play, claim) && isWilling(guard, play, { claim, at })) kept = claim;
  }
  return kept;
}

/** Whether a claim would take tokens that are kept free for another of higher priority. */
export function isInTheWay(
  guard: StarvationGuard,
  play: Play<Token>,
  { claim, kept }: { claim: number; kept: number },
): boolean {
  if (!isBefore(guard, kept, claim)) return false;
  const wanted = guard.kindOf.get(kept)?.held;
  let isTaking = false;
  forEachArc(play.net.takes, claim, (place, weight) => {
    if (countAt(play, place) - weight < (wanted?.get(place) ?? 0)) isTaking = true;
  });
  return isTaking;
}

function firstInLine(guard: StarvationGuard, play: Play<Token>, { line, isInLine }: Kind): number | undefined {
  for (let first = topItem(line, 0); first >= 0; first = topItem(line, 0)) {
    if (isReady(guard, play, first)) return first;
    pop(line, 0);
    isInLine.delete(first);
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

// The one map of enabled transitions that must not fire yet, with why and until when.
//
// deferred/D1. An entry of a transition is a memo of a decision, so that the cost of an event depends on its changes
//     and not on the size of the plan: deciding again would give the same entry. Applying an event removes the entries
//     that it may make untrue. A fold of the log has no such entries and decides the same as a state with them.
// deferred/D2. Paused tasks are facts of the log. One entry covers all transitions of the task or subplan.
import type { TaskIndex } from '../compile/meaning.ts';
import { defer, restoreTransition } from '../net/enabled-set.ts';
import type { Play } from '../net/play.ts';
import type { StepRef } from './order.ts';
import type { Token } from './token.ts';

/** A transition that would take tokens kept free for another claim. */
export interface KeptBack extends TokensTaken {
  readonly by: 'starvation';
  readonly claim: number;
}

/** The tokens that a transition takes of a place. */
export interface TokensTaken {
  readonly place: number;
  readonly weight: number;
}

export type Deferral =
  /** A person has paused this task or subplan; undefined: until the plan is amended. */
  | { readonly by: 'pause'; readonly task: TaskIndex | undefined }
  /** Backoff after a failed attempt, or after the provider rejected the agent. */
  | { readonly by: 'backoff'; readonly until: number }
  /** Reservations of other claims use up the budget. */
  | { readonly by: 'budget' }
  /** The starvation guard keeps tokens free for this claim, and too few are left at a place. */
  | KeptBack
  /** The provider of a pool is overloaded, so the pool has a lower effective limit. */
  | { readonly by: 'throttle'; readonly pool: string }
  /** Another task holds the pool, or a running step uses it; `task` is the first such task. */
  | { readonly by: 'hold'; readonly pool: string; readonly task: TaskIndex | undefined }
  /** These steps begin first in the planned order. */
  | { readonly by: 'order'; readonly steps: readonly StepRef[] }
  /** The plan merges this task first. */
  | { readonly by: 'merge order'; readonly task: TaskIndex }
  /** Another agent runs the step; time alone may change that. */
  | { readonly by: 'agent'; readonly until: number | undefined }
  /** Another transition from the same place was chosen. */
  | { readonly by: 'choice' };

type DeferredBy = Deferral['by'];

/** Deferred in favour of other claims: may be claimed as soon as anything changes among the competing claims. */
const PRECEDENCE: readonly DeferredBy[] = ['starvation', 'throttle', 'order', 'agent'];

export interface Deferred {
  /** By transition. */
  readonly deferrals: Map<number, Deferral>;
  /** The same transitions by reason, so that releasing some costs nothing for the others. */
  readonly transitions: Readonly<Record<DeferredBy, Set<number>>>;
  /** The transitions deferred by the starvation guard, by the place whose tokens are kept free. */
  readonly starved: Map<number, Set<number>>;
  /** Tasks and subplans that a person has paused; nothing inside them is claimed. */
  readonly paused: Set<TaskIndex>;
}

interface Deferring {
  readonly play: Play<Token>;
  readonly deferred: Deferred;
}

export const nothingDeferred = (): Deferred => ({
  deferrals: new Map(),
  transitions: {
    pause: new Set(),
    backoff: new Set(),
    budget: new Set(),
    starvation: new Set(),
    throttle: new Set(),
    hold: new Set(),
    order: new Set(),
    'merge order': new Set(),
    agent: new Set(),
    choice: new Set(),
  },
  starved: new Map(),
  paused: new Set(),
});

export function deferTransition({ play, deferred }: Deferring, transition: number, deferral: Deferral): undefined {
  deferred.deferrals.set(transition, deferral);
  deferred.transitions[deferral.by].add(transition);
  if (deferral.by === 'starvation') addStarved(deferred, transition, deferral.place);
  defer(play, transition);
}

/** The transition is decided again. */
export function releaseTransition({ play, deferred }: Deferring, transition: number): void {
  const deferral = deferred.deferrals.get(transition);
  if (deferral !== undefined) deferred.transitions[deferral.by].delete(transition);
  if (deferral?.by === 'starvation') deferred.starved.get(deferral.place)?.delete(transition);
  deferred.deferrals.delete(transition);
  restoreTransition(play, transition);
}

/** All transitions deferred for this reason are decided again. */
export function releaseDeferred({ play, deferred }: Deferring, by: DeferredBy): void {
  for (const transition of deferred.transitions[by]) {
    deferred.deferrals.delete(transition);
    restoreTransition(play, transition);
  }
  deferred.transitions[by].clear();
  if (by === 'starvation') deferred.starved.clear();
}

export const isPrecedenceDeferred = ({ deferred }: Pick<Deferring, 'deferred'>): boolean =>
  PRECEDENCE.some((by) => deferred.transitions[by].size > 0);

/**
 * Tokens came back to a place. A claim that the starvation guard defers for tokens of this place is decided again unless
 * it still takes tokens that are kept free; all others in favour of other claims are decided again anyway.
 */
export function releaseAfterReturn(
  state: Deferring,
  place: number,
  takenFrom: (keptBack: KeptBack, transition: number) => TokensTaken | undefined,
): void {
  for (const by of PRECEDENCE) if (by !== 'starvation') releaseDeferred(state, by);
  for (const transition of state.deferred.starved.get(place) ?? []) {
    const deferral = state.deferred.deferrals.get(transition);
    const taken = deferral?.by === 'starvation' ? takenFrom(deferral, transition) : undefined;
    if (deferral?.by !== 'starvation' || taken === undefined) releaseTransition(state, transition);
    else if (taken.place !== place) moveStarved(state, transition, { ...deferral, ...taken });
  }
}

function moveStarved({ deferred }: Deferring, transition: number, keptBack: KeptBack): void {
  const before = deferred.deferrals.get(transition);
  if (before?.by === 'starvation') deferred.starved.get(before.place)?.delete(transition);
  deferred.deferrals.set(transition, keptBack);
  addStarved(deferred, transition, keptBack.place);
}

function addStarved({ starved }: Deferred, transition: number, place: number): void {
  const others = starved.get(place);
  if (others === undefined) starved.set(place, new Set([transition]));
  else others.add(transition);
}

/** All transitions deferred in favour of others are decided again. */
export function releasePrecedence(state: Deferring): void {
  for (const by of PRECEDENCE) releaseDeferred(state, by);
}

export function releaseDue(state: Deferring, now: number): void {
  for (const [transition, until] of timesIn(state)) if (until <= now) releaseTransition(state, transition);
}

/** By transition: when it is decided again. */
export function* timesIn({ deferred }: Pick<Deferring, 'deferred'>): Generator<readonly [number, number], void> {
  for (const by of ['backoff', 'agent'] as const)
    for (const transition of deferred.transitions[by]) {
      const deferral = deferred.deferrals.get(transition);
      const until = deferral !== undefined && 'until' in deferral ? deferral.until : undefined;
      if (until !== undefined) yield [transition, until];
    }
}

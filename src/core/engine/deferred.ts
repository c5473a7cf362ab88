// Transitions whose tokens are there and that are not to fire yet, with why and until when.
//
// deferred/D1. It is a memo of looks at the state, kept so that an event costs what it changes and not what the plan is
//     large: an entry says what another look would say. Applying an event takes away the entries that it may make untrue.
//     A fold of the log has no entries and decides the same as the state that has them.
import { defer, restore } from '../net/enabled-set.ts';
import type { Play } from '../net/play.ts';
import type { Token } from './token.ts';

export type DeferredBy =
  /** A failed attempt, or an agent whose provider rejected it, backs off. */
  | 'backoff'
  /** Reservations of others use up the budget. */
  | 'budget'
  /** Its task is paused, by a person or until the plan is amended. */
  | 'pause'
  /** Others go first: tokens are kept free, a pool is throttled, the order says so, or another agent takes the step. */
  | 'precedence'
  /** It was decided to leave it to another transition from the same place. */
  | 'choice';

export interface Deferral {
  readonly by: DeferredBy;
  /** When to look again, if nothing else happens; undefined: when something else does. */
  readonly until: number | undefined;
}

export interface Deferred {
  /** By transition. */
  readonly deferrals: Map<number, Deferral>;
  /** The same transitions by why, so that releasing some costs nothing for the others. */
  readonly transitions: Readonly<Record<DeferredBy, Set<number>>>;
}

interface Deferring {
  readonly play: Play<Token>;
  readonly deferred: Deferred;
}

export const nothingDeferred = (): Deferred => ({
  deferrals: new Map(),
  transitions: {
    backoff: new Set(),
    budget: new Set(),
    pause: new Set(),
    precedence: new Set(),
    choice: new Set(),
  },
});

export function deferTransition({ play, deferred }: Deferring, transition: number, deferral: Deferral): undefined {
  deferred.deferrals.set(transition, deferral);
  deferred.transitions[deferral.by].add(transition);
  defer(play, transition);
}

/** The transition is looked at afresh. */
export function releaseTransition({ play, deferred }: Deferring, transition: number): void {
  const deferral = deferred.deferrals.get(transition);
  if (deferral !== undefined) deferred.transitions[deferral.by].delete(transition);
  deferred.deferrals.delete(transition);
  restore(play, transition);
}

/** All that were deferred for this reason are looked at afresh. */
export function releaseDeferred({ play, deferred }: Deferring, by: DeferredBy): void {
  for (const transition of deferred.transitions[by]) {
    deferred.deferrals.delete(transition);
    restore(play, transition);
  }
  deferred.transitions[by].clear();
}

/** The reasons that end by themselves. */
const TIMED: readonly DeferredBy[] = ['backoff', 'precedence'];

export function releaseDue(state: Deferring, now: number): void {
  for (const [transition, until] of timesIn(state)) if (until <= now) releaseTransition(state, transition);
}

/** By transition, when it is to be looked at again. */
export function* timesIn({ deferred }: Pick<Deferring, 'deferred'>): Generator<readonly [number, number], void> {
  for (const by of TIMED)
    for (const transition of deferred.transitions[by]) {
      const until = deferred.deferrals.get(transition)?.until;
      if (until !== undefined) yield [transition, until];
    }
}

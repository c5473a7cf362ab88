// A Petri net as plain data: places, transitions, weighted arcs, a first marking. It knows nothing of tasks.
//
// net/N1. A transition *takes* tokens, *gives* tokens and *reads* tokens (needs them, leaves them).
// net/N2. Arcs are kept in flat arrays, so memory is linear in places + transitions + arcs.
// net/N3. At most one arc of a kind joins a place and a transition; a heavier need is a weight.

/** The name of a place or transition; callers add fields with its meaning. */
export interface Named {
  readonly id: string;
}

/** Arcs of one kind, by transition: those of `t` lie at `start[t]` up to `start[t + 1]`. */
export interface Arcs {
  readonly start: Int32Array;
  readonly place: Int32Array;
  readonly weight: Int32Array;
}

/** All of a net but its names; enough to play it and to prove things of it. */
export interface NetParts {
  readonly takes: Arcs;
  readonly gives: Arcs;
  readonly reads: Arcs;
  /** Tokens at the start, by place. */
  readonly initial: Int32Array;
  /** 1 where tokens are all alike and only counted, as in a pool; 0 where each carries a colour. */
  readonly counted: Uint8Array;
}

/**
 * A net with its names. A large one makes them when they are first asked for, so code that has no need of names asks
 * for `placeCount` and `transitionCount` and not for the length of these.
 */
export interface Net<P extends Named = Named, T extends Named = Named> extends NetParts {
  readonly places: readonly P[];
  readonly transitions: readonly T[];
}

export const placeCount = (net: NetParts): number => net.initial.length;
export const transitionCount = (net: NetParts): number => net.takes.start.length - 1;

export interface PlaceOptions {
  readonly tokens?: number;
  readonly counted?: boolean;
}

/** A place, or a place and how many tokens of it. */
export type ArcTo = number | readonly [place: number, weight: number];

export interface ArcsOfTransition {
  readonly takes: readonly ArcTo[];
  readonly gives: readonly ArcTo[];
  readonly reads?: readonly ArcTo[];
}

export interface NetBuilder<P extends Named, T extends Named> {
  /** Adds a place and returns its index. */
  place(place: P, options?: PlaceOptions): number;
  /** Adds a transition and returns its index. */
  transition(transition: T, arcs: ArcsOfTransition): number;
  build(): Net<P, T>;
}

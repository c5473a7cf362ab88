// A scheduling problem with a name and the bounds of its best makespan, from any format.

import type { Problem, ProblemGiven } from '../../src/core/schedule/problem.ts';

export interface Instance {
  readonly set: string;
  readonly name: string;
  readonly problem: Problem;
  readonly known: Known | undefined;
}

/** Proved or published bounds of the best makespan. */
export interface Known {
  readonly lower: number;
  readonly upper: number;
}

/** The result of reading a file: a problem to build, or an error message about the file. */
export type Read =
  | { readonly type: 'given'; readonly given: ProblemGiven }
  | { readonly type: 'unreadable'; readonly reason: string };

export const unreadable = (reason: string): Read => ({ type: 'unreadable', reason });

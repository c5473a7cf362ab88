// A scheduling problem with a name and what is known of its best makespan, whatever format it came from.

import type { Problem, ProblemGiven } from '../../src/core/schedule/problem.ts';

export interface Instance {
  readonly set: string;
  readonly name: string;
  readonly problem: Problem;
  /** Proved or published bounds of the best makespan; undefined when nothing is known. */
  readonly known: { readonly lower: number; readonly upper: number } | undefined;
}

/** What a reader makes of a file: a problem to build, or one sentence about what is wrong with the file. */
export type Read =
  | { readonly type: 'given'; readonly given: ProblemGiven; readonly unitMs: number }
  | { readonly type: 'unreadable'; readonly reason: string };

export const unreadable = (reason: string): Read => ({ type: 'unreadable', reason });

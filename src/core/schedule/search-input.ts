// The input of a schedule search: the problem, when to stop, and the bound and schedule known beforehand.

import type { Chance } from './chance.ts';
import type { Online } from './online-priorities.ts';
import type { Problem } from './problem.ts';

export interface SearchOptions {
  /** The budget: schedules built in all. */
  readonly schedulesMax: number;
  readonly seed: number;
  /**
   * Whether the answer may hold activities back that would fit. Only then is every schedule within reach; without
   * holds the best that the online rule can do by priorities alone is sought.
   */
  readonly mayHold?: boolean;
  /** Asked between schedules, so that a caller with a clock can end the search. */
  readonly shouldStop?: () => boolean;
}

export interface SearchInput {
  readonly problem: Problem;
  readonly boundMs: number;
  /** The result of the online rule alone. */
  readonly first: Online;
  readonly random: Chance;
  readonly options: SearchOptions;
}

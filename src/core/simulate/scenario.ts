import type { Learnt } from './estimate.ts';

/** The random model of a simulation: spread of durations and share of failures. */
export interface Scenario {
  readonly seed: number;
  readonly learnt: Learnt;
  /** Standard deviation of the logarithm of duration / estimate; 0 makes every duration equal its estimate. */
  readonly spread: number;
  /** Share of attempts, checks and rounds that fail. */
  readonly failureShare: number;
  /** Whether every last attempt succeeds, so that failures cost time and money but fail no task. */
  readonly endsWell: boolean;
}

import type { Learnt } from './estimate.ts';

/** What a simulated world is like: how far durations stray, how often things fail. */
export interface Scenario {
  readonly seed: number;
  readonly learnt: Learnt;
  /** 0: everything takes exactly its estimate. Else the deviation of the logarithm of the factor on it. */
  readonly spread: number;
  /** Share of attempts, checks and rounds that fail. */
  readonly failureShare: number;
  /** Whether the last attempt of everything succeeds, so that failures cost time and money but end nothing. */
  readonly endsWell: boolean;
}

// The random models of simulations: one scenario per run, drawn from the history of earlier runs.
import { chance } from '../schedule/chance.ts';
import type { History } from './estimate.ts';
import { drawWorld, type DrawnWorld, type Unfinished } from './variability.ts';

/** How the world of a simulation behaves; equal scenarios give equal runs. */
export interface Scenario extends Pick<DrawnWorld, 'spread' | 'failureShare'> {
  readonly seed: number;
  readonly history: History;
  /** Common to all durations; 1 when not given. */
  readonly factor?: number;
  /** Of durations whose estimate is not made of earlier runs, besides; 1 when not given. */
  readonly bias?: number;
  /** How costs vary; as durations do, and without a common factor, when not given. */
  readonly spending?: Pick<DrawnWorld, 'spread' | 'factor'>;
  /** Whether durations vary with the doubt of their estimates; no when absent. */
  readonly hasDoubts?: boolean;
  /** Whether every last attempt succeeds, so that failures cost time and money but fail no task. */
  readonly endsWell: boolean;
}

/** A run in which every duration equals its estimate and nothing fails. */
export const asEstimated = ({ history, seed }: Pick<Scenario, 'history' | 'seed'>): Scenario => ({
  seed,
  history,
  spread: 0,
  failureShare: 0,
  endsWell: true,
});

const SCENARIOS_MAX = 100;

interface Drawing extends Pick<Scenario, 'history' | 'seed'> {
  /** Of a run under way. */
  readonly unfinished?: readonly Unfinished[];
}

/**
 * Scenarios of runs that succeed; as many as keep their steps within `stepsMax`, and at least `least`. The same seed
 * gives the same scenarios to a forecast and to the ETA of its run, so that the two agree.
 */
export function drawScenarios(
  { history, seed, unfinished = [] }: Drawing,
  { steps, stepsMax, least }: { readonly steps: number; readonly stepsMax: number; readonly least: number },
): readonly Scenario[] {
  const count = Math.max(least, Math.min(SCENARIOS_MAX, Math.floor(stepsMax / Math.max(1, steps))));
  const seeds = chance(seed);
  return Array.from({ length: count }, () => {
    const world = drawWorld(history.variability, seeds, unfinished);
    const { spread, factor, bias } = drawWorld(history.spending, seeds);
    const spending = { spread, factor: factor * bias };
    return { ...world, spending, history, seed: seeds.below(2 ** 31), hasDoubts: true, endsWell: true };
  });
}

// What turns cost beside the share of their reservation that is expected: fitted to earlier runs, like durations.
//
// cost-history/S1. Only costs that an agent reported count.
import { reserveFor } from '../engine/decide/choose-agent.ts';
import type { Step } from '../plan/plan.ts';
import { SPENT_SHARE, stepKey } from './estimate.ts';
import { fitVariability, type Observation } from './fit-variability.ts';
import type { PastWork, TurnCost } from './past-work.ts';
import type { Variability } from './variability.ts';

/** Less than this share of a reservation is as good as nothing. */
const LEAST_SHARE = 0.001;

/** `known` has the steps by `path/step`. */
export function costHistoryOf(runs: readonly PastWork[], known: ReadonlyMap<string, Step>): Variability {
  const observations = runs.flatMap(({ costs }, run) =>
    costs.flatMap((cost): Observation[] => {
      const work = stepKey(cost.task, cost.step);
      const share = shareOf(cost, known.get(work));
      if (share === undefined) return [];
      return [{ run, work, agent: undefined, value: Math.max(share, LEAST_SHARE), stated: SPENT_SHARE }];
    }),
  );
  return fitVariability(observations, { failed: 0, succeeded: 0 });
}

/** The share of its reservation that a turn spent; undefined where either is not known. */
function shareOf({ agent, spend }: TurnCost, step: Step | undefined): number | undefined {
  if (step === undefined) return undefined;
  const { usd = 0, tokens = 0 } = reserveFor(step, agent);
  if (spend.usd !== undefined && usd > 0) return spend.usd / usd;
  if (spend.tokens !== undefined && tokens > 0) return spend.tokens / tokens;
  return undefined;
}

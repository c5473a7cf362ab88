// The evaluator of expressions in a simulation: conditions hold, lists are full, and chance decides when loops end.
import type { Evaluator } from '../engine/evaluator.ts';
import type { Result } from '../protocol/result.ts';
import type { Chance } from '../schedule/chance.ts';
import { tokenAt } from '../engine/facts.ts';
import type { Scenario } from './draw-scenarios.ts';

export const ASSUMED: Result = { ok: true, response: '', output: undefined, exitCode: 0, commit: undefined };

/** A loop goes into another round with probability `failureShare`; with `endsWell` its last round always succeeds. */
export function assume(
  chance: Chance,
  { failureShare, endsWell }: Pick<Scenario, 'failureShare' | 'endsWell'>,
): Evaluator {
  return {
    opens: () => ({ type: 'yes' }),
    starts: () => ({ type: 'yes' }),
    isRepeated: (state, { task, places }) => {
      const roundsMax = task.type === 'work' ? (task.repeat?.roundsMax ?? 1) : 1;
      const isLast = tokenAt(state, places.worked).round + 1 >= roundsMax;
      return { type: chance.happens(failureShare) && !(isLast && endsWell) ? 'no' : 'yes' };
    },
    ruleFor: () => ({ type: 'rule', rule: undefined }),
    joinTask: () => ASSUMED,
    joinSteps: () => ASSUMED,
  };
}

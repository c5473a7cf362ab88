// Answers to the engine's questions when nothing has really happened: conditions hold, lists are full, loops end
// when chance says so.
import type { Evaluator } from '../engine/expressions/evaluator.ts';
import type { Result } from '../protocol/result.ts';
import type { Chance } from '../schedule/chance.ts';
import { tokenAt } from '../engine/facts.ts';
import type { Scenario } from './scenario.ts';

export const ASSUMED: Result = { ok: true, response: '', output: undefined, exitCode: 0, commit: undefined };

/** `failureShare` of the rounds of a loop do not reach their end, save the last where all is to end well. */
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

// Answers to the engine's questions when nothing has really happened: conditions hold, lists are full, loops end
// when chance says so.
import type { Judge } from '../engine/judge/judge.ts';
import type { Result } from '../engine/event.ts';
import type { Chance } from '../schedule/chance.ts';

export const ASSUMED: Result = { ok: true, response: '', output: undefined, exitCode: 0, commit: undefined };

/** `failureShare` of the rounds of a loop do not reach their end. */
export function assume(chance: Chance, failureShare: number): Judge {
  return {
    opens: () => ({ type: 'yes' }),
    starts: () => ({ type: 'yes' }),
    isRepeated: () => ({ type: chance.happens(failureShare) ? 'no' : 'yes' }),
    ruleFor: () => ({ type: 'rule', rule: undefined }),
    joinTask: () => ASSUMED,
    joinSteps: () => ASSUMED,
  };
}

// The circuit breaker: turns of one agent that fail in the same way, task after task, indicate a broken set-up. The run
// is then paused before it spends more.
//
// breaker/V3. A successful turn of that agent, or a person who resumes the run, resets the count.
import type { State } from '../state.ts';
import { taskAt } from '../facts.ts';

/** Number of tasks that fail in the same way, without a success between them, before the breaker opens. */
export const SAME_FAILURES_MAX = 3;

/** Why no more turns of the agent start; undefined when they may. */
export function brokenSetUp(state: State, agent: string | undefined): string | undefined {
  for (const trouble of state.troubles.values()) {
    if (trouble.agent !== agent || trouble.tasks.length < SAME_FAILURES_MAX) continue;
    const tasks = trouble.tasks.map((index) => taskAt(state, index).task.path).join(', ');
    const said = trouble.says?.trimEnd().split('\n').at(-1);
    return `turns of ${agent} fail in the same way, in ${tasks} (${trouble.reason})${said === undefined ? '' : `: ${said}`}`;
  }
  return undefined;
}

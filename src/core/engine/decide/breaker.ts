// The circuit breaker: turns of one agent that fail in the same way, task after task, say that the set-up is broken. Then
// the run is paused before it spends more on it.
//
// breaker/V3. A turn of that agent that goes well, and a person who lets the run go on, begin the count anew.
import type { State } from '../state.ts';
import { taskAt } from '../facts.ts';

/** So many tasks failed in the same way, with none that went well between them. */
export const SAME_FAILURES_MAX = 3;

/** Why no more turns of the agent are begun; undefined when they are. */
export function brokenSetUp(state: State, agent: string | undefined): string | undefined {
  for (const trouble of state.troubles.values()) {
    if (trouble.agent !== agent || trouble.tasks.length < SAME_FAILURES_MAX) continue;
    const tasks = trouble.tasks.map((index) => taskAt(state, index).task.path).join(', ');
    const said = trouble.says?.trimEnd().split('\n').at(-1);
    return `turns of ${agent} fail in the same way, in ${tasks} (${trouble.reason})${said === undefined ? '' : `: ${said}`}`;
  }
  return undefined;
}

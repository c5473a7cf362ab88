// The state of a run whose plan has grown: an amendment that adds tasks and keeps all others (carry-over/N6).
import { growPlan } from '../../plan/grown-plan.ts';
import type { PlanGrown } from '../event.ts';
import { factsOf, taskNamed } from '../facts.ts';
import { prioritiesIn, type Priorities } from '../order.ts';
import type { State } from '../state.ts';
import { carryOver } from './carry-over.ts';

/** Turns the given state into the state under the grown plan. */
export function applyGrown(state: State, { draft, fragment, priorities }: PlanGrown): State {
  carryOver(state, {
    plan: growPlan(state.compiled.plan, draft, fragment.tasks),
    priorities: together(prioritiesIn(state.compiled, state.order), priorities),
    restarted: [],
    changed: [],
    reopened: [],
    added: fragment.tasks.map(({ path }) => path),
    cancelled: [],
    again: [],
  });
  factsOf(state, taskNamed(state.compiled, draft).index).hasGrown = true;
  return state;
}

const together = (before: Priorities, added: Priorities): Priorities => ({
  tasks: [...before.tasks, ...added.tasks],
  holds: [...before.holds, ...added.holds],
});

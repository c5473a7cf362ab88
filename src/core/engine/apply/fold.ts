// A log → the state of its run. The log is the only input: no plan file, no other run, no clock (P1).
import { assert } from '../../assert.ts';
import { compile } from '../../compile/compile.ts';
import type { Compiled } from '../../compile/compiled.ts';
import { expand } from '../../plan/expand.ts';
import { growPlan } from '../../plan/grown-plan.ts';
import type { Plan } from '../../plan/plan.ts';
import { apply } from './apply.ts';
import type { RunEvent, RunStarted } from '../event.ts';
import { orderIn, prioritiesIn, type Order } from '../order.ts';
import { startState, type State } from '../state.ts';

/** `compiled` is the compiled plan of `run.started`, if available: compiling a large plan takes time. */
export function fold(events: readonly RunEvent[], compiled?: Compiled): State {
  const state = stateAfterStart(startOf(events), compiled);
  for (let index = 1; index < events.length; index += 1) {
    const event = events[index];
    if (event !== undefined) apply(state, event);
  }
  return state;
}

/** The first event of a log. */
export function startOf([started]: readonly RunEvent[]): RunStarted {
  assert(started?.type === 'run.started', 'A log begins with the start of its run.');
  return started;
}

/** The current plan of the run after these events. */
export function planIn(events: readonly RunEvent[]): Plan {
  let { plan } = startOf(events);
  for (const event of events) {
    if (event.type === 'plan.amended') ({ plan } = event);
    if (event.type === 'plan.grown') plan = growPlan(expand(plan), event.draft, event.fragment.tasks);
  }
  return plan;
}

/** The latest merge that the run branch has to contain after these events. */
export function mergedIn(events: readonly RunEvent[]): string | undefined {
  for (const event of events.toReversed()) {
    if (event.type === 'task.lost') return event.merged;
    const isMerge = event.type === 'claim.ended' && event.work === 'merge' && event.ending === 'done';
    if (isMerge && event.result?.commit !== undefined) return event.result.commit;
  }
  return undefined;
}

/** The state after the first event. */
export function stateAfterStart(started: RunStarted, compiled: Compiled = compile(started.plan)): State {
  return apply(startState(compiled, orderIn(compiled, started.policy, started.priorities)), started);
}

type Start = Pick<RunStarted, 'at' | 'seed'> & Partial<Pick<RunStarted, 'inputs' | 'base'>>;

/** The first event of a run of a compiled plan. */
export function runStarted(compiled: Compiled, order: Order, { at, seed, inputs = {}, base }: Start): RunStarted {
  const { plan } = compiled;
  const priorities = prioritiesIn(compiled, order);
  return { type: 'run.started', at, plan, priorities, policy: order.policy, inputs, seed, base };
}

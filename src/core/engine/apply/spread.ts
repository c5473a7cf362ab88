// Who else is to be ended because of what has just happened: a failure under `fail_fast`, a race that is won.
//
// D1. It only notes them, as a fold of the event that caused it; the events that end them are decided one by one.
import type { CompiledStep, CompiledTask } from '../../compile/compiled.ts';
import type { Ended } from '../event.ts';
import { factsOf, taskAt } from '../facts.ts';
import type { State, Why } from '../state.ts';
import { satisfies } from '../token.ts';

export type Spreading =
  | { readonly type: 'opened'; readonly task: CompiledTask }
  | { readonly type: 'ended'; readonly task: CompiledTask; readonly ended: Ended }
  | { readonly type: 'step ended'; readonly step: CompiledStep; readonly ended: Ended };

/** Notes who else is to be ended because of what has just happened. */
export function spread(state: State, happened: Spreading): State {
  switch (happened.type) {
    case 'opened':
      return spreadFromWinner(state, happened.task);
    case 'ended':
      return satisfies(happened.ended.ending) ? state : spreadFromTask(state, happened.task, happened.ended);
    case 'step ended':
      return satisfies(happened.ended.ending) ? state : spreadFromStep(state, happened.step, happened.ended);
  }
}

/** A race that is won ends the others. */
function spreadFromWinner(state: State, { task, needs }: CompiledTask): State {
  if (task.needs.type !== 'race') return state;
  return condemnAll(state, needs, { reason: 'race', cause: task.path });
}

function spreadFromTask(state: State, { task, index, parent, dependents }: CompiledTask, { ending }: Ended): State {
  for (const dependent of dependents) {
    const { task: joining, needs } = taskAt(state, dependent);
    if (joining.type === 'join' && joining.onError === 'fail_fast') {
      condemnAll(state, others(needs, index), { reason: 'fail_fast', cause: task.path });
    }
  }
  if (ending !== 'failed') return state;
  const { compiled } = state;
  const around = parent === undefined ? undefined : taskAt(state, parent);
  const { failureMode } = around?.task.settings ?? compiled.plan.settings;
  if (failureMode !== 'fail_fast') return state;
  const siblings =
    around?.children ?? compiled.tasks.flatMap((each) => (each.parent === undefined ? [each.index] : []));
  return condemnAll(state, others(siblings, index), { reason: 'fail_fast', cause: task.path });
}

function spreadFromStep(state: State, step: CompiledStep, { ending, reason, cause }: Ended): State {
  const task = taskAt(state, step.task);
  const facts = factsOf(state, step.task);
  const joins = step.collectors.flatMap((collector) => {
    const found = task.steps[collector];
    return found?.step.type === 'join' ? [found] : [];
  });
  const why: Why = { reason: 'need', cause: `${task.task.path}/${step.step.id}` };
  for (const { step: join, needs } of joins) {
    if (join.onError === 'fail_fast')
      for (const need of others(needs, step.index))
        state.toEnd.push({ type: 'step', task: step.task, step: need, why });
  }
  // A failure that only joins collect is theirs to judge; one that may be passed over is passed over.
  const isCollected = step.collectors.length > 0 && joins.length === step.collectors.length;
  if (ending !== 'failed' || isCollected || step.step.onError === 'continue') return state;
  facts.failing ??= { reason: reason ?? 'failed', cause };
  for (const { index } of task.steps)
    if (index !== step.index) state.toEnd.push({ type: 'step', task: step.task, step: index, why });
  return state;
}

const others = (all: readonly number[], one: number): readonly number[] => all.filter((each) => each !== one);

/** Notes that these tasks, and all inside them, are to end as cancelled. */
export function condemnAll(state: State, tasks: readonly number[], why: Why): State {
  for (const task of tasks) {
    if (factsOf(state, task).ended !== undefined) continue;
    state.toEnd.push({ type: 'task', task, why });
    condemnAll(state, taskAt(state, task).children, why);
  }
  return state;
}

// Whether a task can be rolled back to before one of its steps, and which tasks go back with it.
//
// rollback/V4. Only work that no other task continued from is rolled back: a task that has not ended, or one that can
//     be reset. A done task is on the run branch, and stays there.
import type { CompiledTask } from '../../compile/compiled.ts';
import type { TaskIndex } from '../../compile/meaning.ts';
import type { RollbackCommand } from '../command.ts';
import type { RunEvent } from '../event.ts';
import { cancelAgain } from '../decide/cancel.ts';
import { factsOf, isForgiven, taskAt } from '../facts.ts';
import type { State, Why } from '../state.ts';
import { satisfies } from '../token.ts';
import { holdOf } from '../decide/task-holds.ts';
import { retriable, type Obstacle } from '../reset-set.ts';

export type Rollback =
  | {
      readonly type: 'rollback';
      readonly task: CompiledTask;
      /** The task and all tasks that go back with it. */
      readonly tasks: readonly TaskIndex[];
      readonly again: readonly { readonly task: TaskIndex; readonly why: Why }[];
    }
  | { readonly type: 'refused'; readonly why: Refusal };

export type Refusal =
  | { readonly type: 'in place' | 'no such step' | 'not open' | 'done' | 'at work' | 'not begun' }
  /** A step before it has not ended well. */
  | { readonly type: 'unfinished'; readonly step: string }
  /** An earlier step may have run at the same time, so no checkpoint has the work of one without the other's. */
  | { readonly type: 'beside'; readonly step: string }
  | { readonly type: 'obstacle'; readonly obstacle: Obstacle };

export function* rollBack(state: State, command: RollbackCommand, at: number): Generator<RunEvent, void> {
  const rollback = rollbackOf(state, command);
  if (rollback.type === 'refused') return;
  const tasks = rollback.tasks.map((index) => taskAt(state, index).task.path);
  yield { type: 'task.rolledBack', at, task: command.task, to: command.step, tasks };
  yield* cancelAgain(state, rollback.again.toReversed(), at);
}

export function rollbackOf(state: State, { task: path, step: id }: Omit<RollbackCommand, 'type'>): Rollback {
  const index = state.compiled.indexOf.get(path);
  const task = index === undefined ? undefined : taskAt(state, index);
  const step = task?.steps.find((each) => each.step.id === id);
  if (task === undefined || step === undefined) return refused({ type: 'no such step' });
  const why = whyNot(state, task, step.index);
  if (why !== undefined) return refused(why);
  if (factsOf(state, task.index).ended === undefined) return { type: 'rollback', task, tasks: [task.index], again: [] };
  const { tasks, again, refused: obstacles } = retriable(state, [task.index]);
  const obstacle = obstacles.get(task.index);
  return obstacle === undefined ? { type: 'rollback', task, tasks, again } : refused({ type: 'obstacle', obstacle });
}

const refused = (why: Refusal): Rollback => ({ type: 'refused', why });

function whyNot(state: State, task: CompiledTask, index: number): Refusal | undefined {
  const { ended, openedAt, steps } = factsOf(state, task.index);
  if (state.compiled.plan.sandbox.tree === 'none') return { type: 'in place' };
  if (openedAt === undefined || state.run.stage === 'new') return { type: 'not open' };
  if (ended !== undefined && satisfies(ended.ending)) return { type: 'done' };
  // Another task may hold the task's pools by now; a retry waits for them at its opening.
  if (ended !== undefined && holdOf(task).length > 0) return { type: 'not open' };
  if ([...state.claims.values()].some((claim) => claim.task === task.index)) return { type: 'at work' };
  if (steps[index]?.startedFrom === undefined) return { type: 'not begun' };
  const unfinished = task.steps.slice(0, index).find((step) => {
    const before = steps[step.index]?.ended?.ending;
    return before === undefined || !(satisfies(before) || isForgiven(step, before));
  });
  if (unfinished !== undefined) return { type: 'unfinished', step: unfinished.step.id };
  const beside = task.steps
    .slice(0, index)
    .find(({ step, collectors }) => step.async && !collectors.some(isUpTo(index)));
  return beside === undefined ? undefined : { type: 'beside', step: beside.step.id };
}

const isUpTo =
  (index: number) =>
  (other: number): boolean =>
    other <= index;

// Whether a task can be rolled back to before one of its steps, and which tasks go back with it.
//
// rollback/V4. Only work that no other task continued from is rolled back: a task that has not ended, or one that can
//     be reset. A done task is on the run branch, and stays there.
import { stepOfId, taskOfPath, type CompiledStep, type CompiledTask } from '../../compile/compiled.ts';
import type { TaskIndex } from '../../compile/meaning.ts';
import type { RollbackCommand } from '../command.ts';
import type { RunEvent } from '../event.ts';
import { cancelAgain } from '../decide/cancel.ts';
import { factsOf, isForgiven } from '../facts.ts';
import type { State } from '../state.ts';
import type { Why } from '../task-facts.ts';
import { satisfies } from '../token.ts';
import { holdOf } from '../decide/task-holds.ts';
import { retriable } from '../reset-set.ts';

import { obstacleNote } from './handle-retry.ts';
import { accepted, pathOf, refused, type Handled } from './handled.ts';
import type { ObstacleNote, RollbackNote } from './reply.ts';

interface Rollback {
  readonly task: CompiledTask;
  /** The task and all tasks that go back with it. */
  readonly tasks: readonly TaskIndex[];
  readonly again: readonly { readonly task: TaskIndex; readonly why: Why }[];
}

export function* decideRollback(state: State, command: RollbackCommand, at: number): Generator<RunEvent, void> {
  const rollback = rollbackOf(state, command);
  if ('code' in rollback) return;
  const tasks = rollback.tasks.map((index) => pathOf(state, index));
  yield { type: 'task.rolledBack', at, task: command.task, to: command.step, tasks };
  yield* cancelAgain(state, rollback.again.toReversed(), at);
}

export function rollBackByHand(state: State, command: RollbackCommand): Handled {
  const { task, step } = command;
  const rollback = rollbackOf(state, command);
  if ('code' in rollback) return refused(rollback);
  const others = rollback.tasks.filter((index) => index !== rollback.task.index);
  const tasks = others.map((index) => pathOf(state, index));
  return accepted(command, { code: 'task.rolled-back', task, step, tasks });
}

/** The rollback, or why it is refused. */
function rollbackOf(state: State, { task: path, step: id }: RollbackCommand): Rollback | RollbackNote | ObstacleNote {
  const task = taskOfPath(state.compiled, path);
  const step = stepOfId(task, id);
  if (task === undefined || step === undefined) return { code: 'rollback.no-such-step', task: path, step: id };
  const why = whyNot(state, task, step);
  if (why !== undefined) return why;
  if (factsOf(state, task.index).ended === undefined) return { task, tasks: [task.index], again: [] };
  const { tasks, again, refused: obstacles } = retriable(state, [task.index]);
  const obstacle = obstacles.get(task.index);
  return obstacle === undefined ? { task, tasks, again } : obstacleNote(state, task.index, obstacle);
}

function whyNot(state: State, task: CompiledTask, { index, step: { id } }: CompiledStep): RollbackNote | undefined {
  const { ended, openedAt, steps } = factsOf(state, task.index);
  const about = { task: task.task.path, step: id };
  if (state.compiled.plan.sandbox.tree === 'none') return { code: 'rollback.in-place', ...about };
  if (openedAt === undefined || state.run.stage === 'new') return { code: 'rollback.not-open', ...about };
  if (ended !== undefined && satisfies(ended.ending)) return { code: 'rollback.done', ...about };
  // Another task may hold the task's pools by now; a retry waits for them at its opening.
  if (ended !== undefined && holdOf(task).length > 0) return { code: 'rollback.not-open', ...about };
  if ([...state.claims.values()].some((claim) => claim.task === task.index))
    return { code: 'rollback.running', ...about };
  if (steps[index]?.startedFrom === undefined) return { code: 'rollback.not-begun', ...about };
  const before = task.steps.slice(0, index);
  const unfinished = before.find((earlier) => {
    const ending = steps[earlier.index]?.ended?.ending;
    return ending === undefined || !(satisfies(ending) || isForgiven(earlier, ending));
  });
  if (unfinished !== undefined) return { code: 'rollback.unfinished', ...about, earlier: unfinished.step.id };
  // The step may have run at the same time, so no checkpoint has the work of one without the other's.
  const beside = before.find(({ step, collectors }) => step.async && !collectors.some((other) => other <= index));
  return beside === undefined ? undefined : { code: 'rollback.beside', ...about, earlier: beside.step.id };
}

// Handles a control command: to named tasks, task by task, or to the run as a whole.
import { isInside } from '../../compile/compiled.ts';
import { factsOf, taskAt } from '../facts.ts';
import { doing, idle, isBeingEnded, pathOf, stoppable, type Part } from './handled.ts';
import { retryRun, retryTasks, skipTasks } from './handle-retry.ts';
import type { TaskIndex } from '../../compile/meaning.ts';
import type { ControlCommand } from '../command.ts';
import type { State } from '../state.ts';

export function handleForTasks(
  state: State,
  type: ControlCommand['type'],
  named: readonly TaskIndex[],
): readonly Part[] {
  switch (type) {
    case 'retry':
      return retryTasks(state, named);
    case 'skip':
      return skipTasks(state, named);
    case 'resume':
      return named.map((index) => resume(state, index));
    case 'cancel':
      return named.map((index) => ended(state, index) ?? cancel(state, index));
    case 'pause':
    case 'stop':
      return named.map((index) => ended(state, index) ?? pause(state, index, type));
  }
}

function ended(state: State, index: TaskIndex): Part | undefined {
  const facts = factsOf(state, index);
  if (facts.ended === undefined) return undefined;
  return idle({ code: 'task.ended', task: pathOf(state, index), ending: facts.ended.ending });
}

function cancel(state: State, index: TaskIndex): Part {
  const task = pathOf(state, index);
  return isBeingEnded(state, index)
    ? idle({ code: 'task.ending.already', task })
    : doing({ code: 'task.cancelled', task });
}

function pause(state: State, index: TaskIndex, type: 'pause' | 'stop'): Part {
  const task = pathOf(state, index);
  const claims = type === 'stop' ? stoppable(state, index).length : 0;
  if (claims > 0) return doing({ code: 'task.stopped', task, claims });
  const isPaused = isInside(state.compiled, state.deferred.paused, index);
  return isPaused ? idle({ code: 'task.paused.already', task }) : doing({ code: 'task.paused', task });
}

function resume(state: State, index: TaskIndex): Part {
  const task = pathOf(state, index);
  const { compiled, run } = state;
  const { paused } = state.deferred;
  const only = new Set([index]);
  const isRunPaused = run.stage === 'paused';
  if ([...paused].some((each) => isInside(compiled, only, each)))
    return doing({ code: 'task.resumed', task, isRunPaused });
  for (let at = taskAt(state, index).parent; at !== undefined; at = taskAt(state, at).parent)
    if (paused.has(at)) return idle({ code: 'task.paused.by-subplan', task, subplan: pathOf(state, at) });
  return idle({ code: 'task.not-paused', task, isRunPaused });
}

const OVER = idle({ code: 'run.ended' });

export function handleForRun(state: State, type: ControlCommand['type']): Part {
  const isOver = state.run.stage === 'ended';
  switch (type) {
    case 'retry':
      return retryRun(state);
    case 'skip':
      return idle({ code: 'skip.names-no-task' });
    case 'resume':
      return isOver ? idle({ code: 'run.ended.retry' }) : resumeRun(state);
    case 'pause':
      if (isOver) return OVER;
      return state.run.stage === 'paused' ? idle({ code: 'run.paused.already' }) : doing({ code: 'run.paused' });
    case 'stop':
      return isOver ? OVER : stopRun(state);
    case 'cancel':
      if (isOver) return OVER;
      return isBeingEnded(state, undefined) ? idle({ code: 'run.ending.already' }) : doing({ code: 'run.cancelled' });
  }
}

function resumeRun(state: State): Part {
  const tasks = [...state.deferred.paused].map((index) => pathOf(state, index));
  if (state.run.stage === 'paused') return doing({ code: 'run.resumed', tasks });
  return tasks.length === 0 ? idle({ code: 'run.active' }) : doing({ code: 'tasks.resumed', tasks });
}

function stopRun(state: State): Part {
  const claims = stoppable(state, undefined).length;
  if (claims > 0) return doing({ code: 'run.stopped', claims });
  return state.run.stage === 'paused' ? idle({ code: 'run.stopped.already' }) : doing({ code: 'run.paused.idle' });
}

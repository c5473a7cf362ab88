// Handles a command to named tasks, task by task.

import { isInside } from '../../compile/compiled.ts';
import { factsOf, taskAt } from '../facts.ts';
import { doing, idle, isBeingEnded, pathOf, stoppable } from './handled.ts';
import { retryTasks, skipTasks } from './handle-retry.ts';
import type { TaskIndex } from '../../compile/meaning.ts';
import type { ControlCommand } from '../command.ts';
import type { State } from '../state.ts';
import type { Part } from './handled.ts';

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

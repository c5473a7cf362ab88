// Handles a command to the run as a whole.
import type { ControlCommand } from '../command.ts';
import type { State } from '../state.ts';
import { doing, idle, isBeingEnded, pathOf, stoppable, type Part } from './handled.ts';
import { retryRun } from './handle-retry.ts';

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

// What a command to the run as a whole does, in words.
import type { ControlCommand } from '../command.ts';
import { taskAt } from '../facts.ts';
import type { State } from '../state.ts';
import { doing, idle, isBeingEnded, stoppable, type Clause } from './clause.ts';
import { areOf, listed, stepsOf } from './listed.ts';
import { retryOfRun } from './retry-words.ts';

const OVER = idle('The run has ended');

export function commandToRun(state: State, type: ControlCommand['type']): Clause {
  const isOver = state.run.stage === 'ended';
  switch (type) {
    case 'retry':
      return retryOfRun(state);
    case 'skip':
      return idle('Name the tasks to skip; cancel ends the whole run');
    case 'resume':
      return isOver ? idle('The run has ended; retry runs again what failed in it') : resumeRun(state);
    case 'pause':
      if (isOver) return OVER;
      if (state.run.stage === 'paused') return idle('The run is paused already');
      return doing('The run is paused: what is at work comes to its end, and nothing else begins');
    case 'stop':
      return isOver ? OVER : stopRun(state);
    case 'cancel':
      if (isOver) return OVER;
      if (isBeingEnded(state, undefined)) return idle('All of the run is being ended already');
      return doing('The run is cancelled: what is at work is ended, and nothing else begins');
  }
}

function resumeRun(state: State): Clause {
  const held = listed([...state.held].map((index) => taskAt(state, index).task.path));
  if (state.run.stage === 'paused') return doing(`The run goes on${held === '' ? '' : `, and ${held} with it`}`);
  return held === '' ? idle('The run is going, and nothing in it is held') : doing(`The run goes on with ${held}`);
}

function stopRun(state: State): Clause {
  const count = stoppable(state, undefined).length;
  if (count > 0)
    return doing(`The run is paused, and ${stepsOf(count)} at work ${areOf(count)} stopped until it is resumed`);
  return state.run.stage === 'paused'
    ? idle('The run is paused already, and nothing is at work that is not being stopped')
    : doing('The run is paused; nothing was at work that could be stopped');
}

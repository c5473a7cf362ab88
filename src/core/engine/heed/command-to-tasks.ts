// What a command to named tasks does, in words.
import { isInside } from '../../compile/inside.ts';
import type { TaskIndex } from '../../compile/meaning.ts';
import type { ControlCommand } from '../command.ts';
import { factsOf, taskAt } from '../facts.ts';
import type { State } from '../state.ts';
import { doing, idle, isBeingEnded, stoppable, type Clause } from './clause.ts';
import { areOf, stepsOf } from './listed.ts';
import { retryOf, skipOf } from './retry-words.ts';

export function commandToTasks(
  state: State,
  type: ControlCommand['type'],
  named: readonly TaskIndex[],
): readonly Clause[] {
  switch (type) {
    case 'retry':
      return retryOf(state, named);
    case 'skip':
      return skipOf(state, named);
    case 'resume':
      return named.map((index) => resume(state, index));
    case 'cancel':
      return named.map((index) => ended(state, index) ?? cancel(state, index));
    case 'pause':
    case 'stop':
      return named.map((index) => ended(state, index) ?? hold(state, index, type));
  }
}

const pathOf = (state: State, index: TaskIndex): string => taskAt(state, index).task.path;

function ended(state: State, index: TaskIndex): Clause | undefined {
  const facts = factsOf(state, index);
  return facts.ended === undefined ? undefined : idle(`${pathOf(state, index)} has ended (${facts.ended.ending})`);
}

function cancel(state: State, index: TaskIndex): Clause {
  const path = pathOf(state, index);
  return isBeingEnded(state, index) ? idle(`${path} is being ended already`) : doing(`${path} is cancelled`);
}

function hold(state: State, index: TaskIndex, type: 'pause' | 'stop'): Clause {
  const path = pathOf(state, index);
  const count = type === 'stop' ? stoppable(state, index).length : 0;
  if (count > 0) return doing(`${path} is held, and ${stepsOf(count)} of it at work ${areOf(count)} stopped`);
  if (isInside(state.compiled, state.held, index)) return idle(`${path} is held already`);
  return doing(`${path} is held: what is at work comes to its end, and nothing else of it begins`);
}

function resume(state: State, index: TaskIndex): Clause {
  const path = pathOf(state, index);
  const { compiled, held, run } = state;
  const only = new Set([index]);
  const isPaused = run.stage === 'paused';
  if ([...held].some((each) => isInside(compiled, only, each)))
    return doing(`${path} is not held any longer${isPaused ? ', but the run is paused' : ''}`);
  for (let at = taskAt(state, index).parent; at !== undefined; at = taskAt(state, at).parent)
    if (held.has(at)) return idle(`${path} is held by its subplan; resume ${pathOf(state, at)}`);
  return idle(isPaused ? `${path} is not held, but the run is paused; resume the run` : `${path} is not held`);
}

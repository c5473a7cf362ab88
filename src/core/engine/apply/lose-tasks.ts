// Applies the loss of merged work: tasks that were done have failed.
//
// lose-tasks/O1. No token moves: tokens of ended tasks change their colour, at the end of the task and in front of the
//     tasks that wait for it. So the marking, without colours, is the one from before.
import { countAt } from '../../net/play.ts';
import { releaseTransition } from '../deferred.ts';
import type { RunEvent } from '../event.ts';
import { factsOf, taskAt, taskNamed } from '../facts.ts';
import { usersOf } from '../lost-tasks.ts';
import type { State } from '../state.ts';
import { goOn, putArrivals, putEnd } from './reset-tasks.ts';
import { cancelAll, spread } from './spread.ts';

export function loseTasks(state: State, event: Extract<RunEvent, { type: 'task.lost' }>): State {
  const lost = event.tasks.map(({ task, cause }) => ({ task: taskNamed(state.compiled, task), cause }));
  state.run.merged = event.merged;
  // Tasks that still run on top of lost work are to be ended, which is seen before that work has failed.
  for (const { task } of lost) cancelAll(state, usersOf(state, task.index), { reason: 'lost', cause: task.task.path });
  for (const { task, cause } of lost) {
    const facts = factsOf(state, task.index);
    facts.merged = undefined;
    facts.ended = { ending: 'failed', reason: 'lost', cause };
    facts.endingEvent = state.run.events;
    if (countAt(state.play, task.places.ended) > 0) putEnd(state, task.index);
  }
  for (const { task } of lost)
    spread(state, { type: 'ended', task, ended: { ending: 'failed', reason: 'lost', cause: undefined } });
  for (const dependent of new Set(lost.flatMap(({ task }) => task.dependents))) {
    putArrivals(state, taskAt(state, dependent));
    releaseTransition(state, taskAt(state, dependent).transitions.open);
  }
  if (state.run.stage === 'ended') goOn(state);
  return state;
}

// P9, of the run: every end has a reason, every task ends, and every wait has a cause.
import type { RunEvent } from '../../src/core/engine/event.ts';
import { countAt } from '../../src/core/net/play.ts';
import type { Invariant, Sight } from './invariant.ts';

export const reasonsGiven: Invariant = {
  name: 'P9 every end has a reason and every task ends',
  watch: (sight, broken) => ({
    before: (event) => {
      if ('ending' in event && !isExplained(event))
        broken(`${event.type} of ${event.task} says ${event.ending} and not why.`);
      if (event.type === 'run.ended') checkAllEnded(sight, broken);
    },
    left: (over) => {
      if (typeof over === 'string' || over.type !== 'waiting') return;
      const { claims, questions, run, deferred } = sight.state();
      if (claims.size > 0) broken('The coordinator leaves while something is at work.');
      const isJust = over.for === 'answer' ? questions.size > 0 : run.stage === 'paused' || deferred.paused.size > 0;
      if (!isJust) broken(`The run waits for ${over.for}, and there is nothing that a person could do.`);
    },
    over: () => {
      const { run, claims, questions, queue } = sight.state();
      if (run.stage !== 'ended') broken(`The run is ${run.stage} at its end.`);
      if (claims.size + questions.size + queue.size > 0)
        broken('Something is still at work, asked or queued at the end.');
      checkAllEnded(sight, broken);
      checkNothingHeld(sight, broken);
    },
  }),
};

/** Only what ended well, or has not ended, needs no reason. */
const isExplained = ({ ending, reason }: Extract<RunEvent, { ending: unknown }>): boolean =>
  ending === undefined || ending === 'done' || reason !== undefined;

function checkAllEnded({ compiled, state }: Sight, broken: (message: string) => never): void {
  for (const { task, index } of compiled.tasks) {
    if (state().tasks[index]?.ended === undefined) broken(`The run has ended, and ${task.path} has not.`);
  }
}

/** Every pool, cap and place of merge slots has at the end what it had at the start. */
function checkNothingHeld({ compiled: { net }, state }: Sight, broken: (message: string) => never): void {
  net.places.forEach(({ id, type }, place) => {
    const isResource = type === 'pool' || type === 'cap' || type === 'merge-slots';
    const count = countAt(state().play, place);
    if (isResource && count !== net.initial[place])
      broken(`${id} ends with ${count} of its ${net.initial[place]} tokens.`);
  });
}

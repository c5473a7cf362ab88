// One turn of the run loop: outcomes come in, events go out.
//
// U1. The state is ahead of the log by the events returned until they are appended. Nothing may be begun before that
//     (P2); should the append fail, the state is thrown away and folded anew from the log.
import { apply } from '../apply/apply.ts';
import type { RunEvent } from '../event.ts';
import { next, type Moment } from './next.ts';
import type { Outcome } from '../outcome.ts';
import { isCommand } from './control.ts';
import { settleOutcome } from './settle.ts';
import type { State } from '../state.ts';

/**
 * Decides on outcomes that came together and on all that follows from them, applying each event before deciding the
 * next. What workers report is settled first, so that nothing is claimed from half of what has come free.
 */
export function turn(state: State, outcomes: readonly Outcome[], moment: Moment): readonly RunEvent[] {
  const events: RunEvent[] = [];
  let isStopped = false;
  const say = (event: RunEvent | undefined): boolean => {
    if (event === undefined || isStopped) return false;
    apply(state, event);
    events.push(event);
    isStopped = event.type === 'plan.amended' && moment.stopsWhenAmended === true;
    return !isStopped;
  };
  for (const outcome of outcomes) {
    // What a person asks for is about the run as it stands, so what came before is thought through first.
    if (isByPerson(outcome)) while (say(next(state, moment)));
    for (const event of settleOutcome(state, outcome, moment)) say(event);
  }
  while (say(next(state, moment)));
  return events;
}

const isByPerson = (outcome: Outcome): boolean =>
  isCommand(outcome) || outcome.type === 'rollback' || outcome.type === 'amend';

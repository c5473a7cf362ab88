// One turn of the run loop: an outcome comes in, events go out.
//
// U1. The state is ahead of the log by the events returned until they are appended. Nothing may be begun before that
//     (P2); should the append fail, the state is thrown away and folded anew from the log.
import { apply } from '../apply/apply.ts';
import type { RunEvent } from '../event.ts';
import { next, type Moment } from './next.ts';
import type { Outcome } from '../outcome.ts';
import { settleOutcome } from './settle.ts';
import type { State } from '../state.ts';

/** Decides on one outcome and on all that follows from it, applying each event before deciding the next. */
export function turn(state: State, outcome: Outcome, moment: Moment): readonly RunEvent[] {
  const events: RunEvent[] = [];
  for (
    let event = settleOutcome(state, outcome, moment) ?? next(state, moment);
    event !== undefined;
    event = next(state, moment)
  ) {
    apply(state, event);
    events.push(event);
  }
  return events;
}

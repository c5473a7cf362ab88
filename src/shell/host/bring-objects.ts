// Brings the commits that a claim starts from to this host, before a worker has the claim.
//
// host/O1. A claim whose commits are on their way is held, and can be stopped. A failure that may pass is tried again for as
//     long as it is held; any other one ends the claim, which was not begun.
import type { Assignment } from '../../core/protocol/assignment.ts';
import { isPassing, transferFailureText } from '../../core/protocol/transfer-failure.ts';
import { isHeld, settleHeld, type HeldClaim, type HostState } from './host-state.ts';
import { NO_SPEND, outcomeOf } from './missing-outcome.ts';
import { untilNextTry } from './until-next-try.ts';

export async function bringObjects(state: HostState, held: HeldClaim, assignment: Assignment): Promise<void> {
  const { transfer, run } = state;
  if (transfer === undefined) return;
  for (let tries = 0; isHeld(state, held); tries += 1) {
    const failure = await transfer.bring(run, assignment);
    if (!isHeld(state, held)) return;
    if (failure === undefined) {
      held.by = { type: 'waiting', assignment };
      state.timers.within('dispatch', 0);
      return;
    }
    if (!isPassing(failure)) {
      const message = transferFailureText(failure);
      settleHeld(state, held, outcomeOf(held.claim, NO_SPEND, { type: 'refused', message, isFinal: false }));
      return;
    }
    await untilNextTry(tries);
  }
}

// Handles the messages and the exit of a host's workers.
import { isOfClaim, parseOutcome, parseSpend } from '../../core/protocol/parse-outcome.ts';
import { conclude, declareLost } from './conclude-claim.ts';
import { dispatch } from './dispatch.ts';
import { LIVE_EVERY_MS, type HeldClaim, type HostState } from './host-state.ts';
import { readAttempt } from './read-attempt.ts';
import { isObject, type Fields } from '../../core/plan/json-fields.ts';
import { reattach } from './reattach.ts';
import { IDLE_MS, type PoolWorker } from './worker-pool.ts';

export function receiveFromWorker(state: HostState, worker: PoolWorker<HeldClaim>, message: unknown): void {
  const held = claimOf(worker);
  // A message about a claim that this worker no longer has repeats the attempt file.
  if (held === undefined || !isObject(message)) return;
  switch (message['type']) {
    case 'live':
      if (isOfClaim(message['claim'], held.claim)) receiveLive(state, held, message);
      return;
    case 'refused':
      if (!isOfClaim(message['claim'], held.claim)) return;
      release(state, worker);
      reattachOther(state, held);
      return;
    case 'done':
      if (!isOfClaim(message['outcome'], held.claim)) return;
      release(state, worker);
      receiveDone(state, held, message);
  }
}

/** The claim of a worker, unless it was taken away. */
function claimOf(worker: PoolWorker<HeldClaim>): HeldClaim | undefined {
  const { job } = worker;
  return job?.by.type === 'worker' && job.by.worker === worker ? job : undefined;
}

function release(state: HostState, worker: PoolWorker<HeldClaim>): void {
  state.pool.release(worker);
  state.timers.within('trim', IDLE_MS);
  dispatch(state);
}

function receiveDone(state: HostState, held: HeldClaim, { outcome: value }: Fields): void {
  const outcome = parseOutcome(value, held.claim);
  if (outcome !== undefined) conclude(state, held, outcome);
  else declareLost(state, held, { type: 'crashed', message: 'Its worker reported an outcome that cannot be read.' });
}

function receiveLive(state: HostState, held: HeldClaim, message: Fields): void {
  held.spend = parseSpend(message['spend']) ?? held.spend;
  state.hasLiveChange = true;
  state.timers.within('live', LIVE_EVERY_MS);
}

/** Another worker has the claim: a dead coordinator assigned it, and it may have ended already. */
function reattachOther(state: HostState, held: HeldClaim): void {
  if (readAttempt(held.folder, held.claim).type !== 'none') reattach(state, held);
  else
    declareLost(state, held, { type: 'crashed', message: 'Its worker refused it, yet no other worker has the claim.' });
}

export function onWorkerExit(state: HostState, worker: PoolWorker<HeldClaim>, how: string): void {
  // Claims that were left running when this host closed belong to the next host.
  if (state.isClosed) return;
  const held = claimOf(worker);
  if (held !== undefined)
    declareLost(state, held, { type: 'crashed', message: `Its worker ${how} without an outcome.` });
  dispatch(state);
}

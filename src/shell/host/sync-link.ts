// The host's side of `sync`: when it sends a message, and how it handles a reply.
//
// host/L1. With news a message is sent at once; without, often enough to keep the leases of its claims (sync/H4).
// host/L2. A message that carried outcomes is certain to be answered, so the next one waits for that answer, within
//     bounds. Otherwise news that come faster than answers would make every answer a late one (sync/H3), and nothing
//     would start.
// host/L3. The coordinator leaves a message without outcomes unanswered until it has something to send, so after each
//     reply the host sends a next message.
import { WORK_TYPES, WORKER_TYPES } from '../../core/protocol/assignment.ts';
import type { Reply, Sync } from '../../core/protocol/sync.ts';
import { acceptClaim, dispatch } from './dispatch.ts';
import type { HostState } from './host-state.ts';
import { NO_SPEND } from './missing-outcome.ts';
import { readSpends } from './reattach.ts';
import { stopClaim } from './stop.ts';

const RENEW_MS = 10_000;
const ANSWER_WAIT_MS = 2_000;
/** Time for the first news of the claims that a reply started, so that short steps need one message and not two. */
const REOPEN_MS = 5;
/** After an empty reply: avoids a busy loop with a coordinator that repeats itself. */
const REOPEN_QUIETLY_MS = 250;

export interface SyncLink {
  readonly name: string;
  readonly send: (sync: Sync) => void;
}

/** Sends a message unless an answer is certain to come. */
export function sendSyncIfFree(state: HostState, link: SyncLink): void {
  if (state.outbox.isAwaited()) state.timers.within('resend', ANSWER_WAIT_MS);
  else sendSync(state, link);
}

export function sendSync(state: HostState, { name, send }: SyncLink): void {
  if (state.isClosed) return;
  const { number, done } = state.outbox.next();
  const ofWorkers = [...state.held.values()].map(({ claim, spend }) => ({ claim, spend }));
  const held = [...ofWorkers, ...state.merges.claims().map((claim) => ({ claim, spend: NO_SPEND }))];
  const want = state.isStopping ? 0 : Math.max(0, state.claimsMax - ofWorkers.length);
  for (const timer of ['renew', 'resend', 'reopen'] as const) state.timers.cancel(timer);
  state.timers.within('renew', RENEW_MS);
  if (done.length > 0) state.timers.within('resend', ANSWER_WAIT_MS);
  send({ host: name, number, done, held, want, does: state.merges.canMerge ? WORK_TYPES : WORKER_TYPES });
}

export function receiveReply(state: HostState, reply: Reply): void {
  if (state.isClosed) return;
  const { isLatest, received } = state.outbox.acknowledge(reply.number);
  if (received.length > 0) state.onReported(received);
  if (!isLatest) return;
  state.timers.cancel('resend');
  let isNews = received.length > 0;
  // A merge may come together with its cancellation (dispatcher/K1).
  for (const assignment of reply.start) isNews = acceptClaim(state, assignment) || isNews;
  for (const claim of reply.cancel) isNews = stopClaim(state, claim, state.graceMs) || isNews;
  dispatch(state);
  if (state.outbox.hasUnsent()) state.sendSoon();
  else state.timers.within('reopen', isNews ? REOPEN_MS : REOPEN_QUIETLY_MS);
}

export function sendLive(state: HostState, link: SyncLink): void {
  const hasChanged = readSpends(state) || state.hasLiveChange;
  state.hasLiveChange = false;
  if (hasChanged) sendSyncIfFree(state, link);
}

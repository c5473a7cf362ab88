// The host's side of `sync`: when it speaks, and what it does with a reply.
//
// L1. There is news: it speaks at once. There is none: it speaks often enough to keep its claims (sync/H4).
// L2. A message that carried outcomes is sure to be answered, so the next one waits for that answer, within bounds.
//     Else news that come faster than answers would make every answer a late one (sync/H3), and nothing would ever start.
// L3. A message without outcomes stays open until there is something to say, so after each reply there is a next one.
import type { Reply, Sync } from '../../core/protocol/sync.ts';
import { readSpends } from './reattach.ts';
import { begin, dispatch } from './dispatch.ts';
import type { Floor } from './host-state.ts';
import { stop } from './stop.ts';

const RENEW_MS = 10_000;
const ANSWER_WAIT_MS = 2_000;
/** Time for the first news of what a reply started, so that short steps need one message and not two. */
const REOPEN_MS = 5;
/** After a reply that brought nothing: a coordinator that repeats itself is not asked to do so without end. */
const REOPEN_QUIETLY_MS = 250;

export interface Speaking {
  readonly name: string;
  readonly send: (sync: Sync) => void;
}

/** Speaks unless an answer is about to come. */
export function speakIfFree(floor: Floor, speaking: Speaking): void {
  if (floor.outbox.isAwaited()) floor.timers.within('resend', ANSWER_WAIT_MS);
  else speak(floor, speaking);
}

export function speak(floor: Floor, { name, send }: Speaking): void {
  if (floor.isClosed) return;
  const { number, done } = floor.outbox.write();
  const held = [...floor.held.values()].map(({ claim, spend }) => ({ claim, spend }));
  const want = floor.isStopping ? 0 : Math.max(0, floor.width - held.length);
  for (const deed of ['renew', 'resend', 'reopen'] as const) floor.timers.forget(deed);
  floor.timers.within('renew', RENEW_MS);
  if (done.length > 0) floor.timers.within('resend', ANSWER_WAIT_MS);
  send({ host: name, number, done, held, want });
}

export function hear(floor: Floor, reply: Reply): void {
  if (floor.isClosed) return;
  const { isLatest, hasHeardNews } = floor.outbox.hear(reply.number);
  if (!isLatest) return;
  floor.timers.forget('resend');
  let isNews = hasHeardNews;
  for (const claim of reply.cancel) isNews = stop(floor, claim, floor.graceMs) || isNews;
  for (const assignment of reply.start) isNews = begin(floor, assignment) || isNews;
  dispatch(floor);
  if (floor.outbox.hasUnsent()) floor.speakSoon();
  else floor.timers.within('reopen', isNews ? REOPEN_MS : REOPEN_QUIETLY_MS);
}

export function tellLive(floor: Floor, speaking: Speaking): void {
  const hasChanged = readSpends(floor) || floor.hasLiveNews;
  floor.hasLiveNews = false;
  if (hasChanged) speakIfFree(floor, speaking);
}

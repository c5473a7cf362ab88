// What workers say, and what it means when one is gone.
import { adopt } from './reattach.ts';
import { isFields, type Fields } from './read-json.ts';
import { isOf, parseSpend, readAttempt } from './read-attempt.ts';
import { parseOutcome } from './read-outcome.ts';
import { dispatch } from './dispatch.ts';
import { bury, LIVE_EVERY_MS, settle, type Floor } from './host-state.ts';
import type { HeldClaim } from './held-claim.ts';
import { IDLE_MS, type Member } from './worker-pool.ts';

export function hearWorker(floor: Floor, member: Member<HeldClaim>, message: unknown): void {
  const held = jobOf(member);
  // What is said of a claim that this worker has not got any more is known already from the attempt file.
  if (held === undefined || !isFields(message)) return;
  switch (message['type']) {
    case 'live':
      if (isOf(message['claim'], held.claim)) hearLive(floor, held, message);
      return;
    case 'refused':
      if (!isOf(message['claim'], held.claim)) return;
      free(floor, member);
      adoptOther(floor, held);
      return;
    case 'done':
      if (!isOf(message['outcome'], held.claim)) return;
      free(floor, member);
      hearDone(floor, held, message);
  }
}

/** The claim that a worker has, unless it was taken from it. */
function jobOf(member: Member<HeldClaim>): HeldClaim | undefined {
  const { job } = member;
  return job?.by.type === 'worker' && job.by.member === member ? job : undefined;
}

function free(floor: Floor, member: Member<HeldClaim>): void {
  floor.crew.release(member);
  floor.timers.within('trim', IDLE_MS);
  dispatch(floor);
}

function hearDone(floor: Floor, held: HeldClaim, { outcome: value }: Fields): void {
  const outcome = parseOutcome(value, held.claim);
  if (outcome !== undefined) settle(floor, held, outcome);
  else bury(floor, held, { type: 'crashed', message: 'Its worker reported an outcome that cannot be understood.' });
}

function hearLive(floor: Floor, held: HeldClaim, message: Fields): void {
  held.spend = parseSpend(message['spend']) ?? held.spend;
  floor.hasLiveNews = true;
  floor.timers.within('live', LIVE_EVERY_MS);
}

/** Another worker came first. It is one that a dead coordinator had told of the claim, and it may be over already. */
function adoptOther(floor: Floor, held: HeldClaim): void {
  const isThere = readAttempt(held.folder, held.claim).type !== 'none';
  if (isThere) adopt(floor, held);
  else bury(floor, held, { type: 'crashed', message: 'Its worker refused it, yet no other worker has it.' });
}

export function missWorker(floor: Floor, member: Member<HeldClaim>, how: string): void {
  // What was left at work when this host closed is the next host's business.
  if (floor.isClosed) return;
  const held = jobOf(member);
  if (held !== undefined) bury(floor, held, { type: 'crashed', message: `Its worker ${how} without an outcome.` });
  dispatch(floor);
}

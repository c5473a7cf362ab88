// What workers say, and what it means when one is gone.
import { adopt } from './adopt.ts';
import { isFields, type Fields } from './attempt/read-json.ts';
import { isOf, parseSpend, readWorkerNote } from './attempt/read-notes.ts';
import { parseOutcome } from './attempt/read-outcome.ts';
import { dispatch, takeBack } from './begin.ts';
import { bury, LIVE_EVERY_MS, settle, type Floor } from './floor.ts';
import type { HeldClaim } from './held-claim.ts';
import { IDLE_MS, type Member } from './processes/crew.ts';

export function hearWorker(floor: Floor, member: Member<HeldClaim>, message: unknown): void {
  if (isFields(message) && message['type'] === 'ready') {
    dispatch(floor);
    return;
  }
  const held = jobOf(member);
  // What is said of a claim that this worker has not got any more is known already from the attempt's note.
  if (held === undefined || !isFields(message)) return;
  switch (message['type']) {
    case 'live':
      if (isOf(message['claim'], held.claim)) hearLive(floor, held, message);
      return;
    case 'refused':
      if (!isOf(message['claim'], held.claim)) return;
      free(floor, member, held);
      adoptOther(floor, held);
      return;
    case 'done':
      if (!isOf(message['outcome'], held.claim)) return;
      free(floor, member, held);
      hearDone(floor, held, message);
  }
}

/** The claim that a worker has, unless it was taken from it. */
function jobOf(member: Member<HeldClaim>): HeldClaim | undefined {
  const { job } = member;
  return job?.by.type === 'worker' && job.by.member === member ? job : undefined;
}

function free(floor: Floor, member: Member<HeldClaim>, { since }: HeldClaim): void {
  const now = floor.clock.monotonic();
  floor.crew.release(member, now - since);
  const { job: next } = member;
  if (next?.by.type === 'ahead') {
    next.by = { ...next.by, type: 'worker' };
    next.since = now;
  }
  floor.agenda.within('trim', IDLE_MS);
  // The next one comes first: reporting what is done can wait until the worker is busy again.
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
  floor.agenda.within('live', LIVE_EVERY_MS);
}

/** Another worker came first. It is one that a dead coordinator had told of the claim, and it may be over already. */
function adoptOther(floor: Floor, held: HeldClaim): void {
  const isThere = readWorkerNote(held.folder, held.claim).type !== 'none';
  if (isThere) adopt(floor, held);
  else bury(floor, held, { type: 'crashed', message: 'Its worker refused it, yet no other worker has it.' });
}

export function missWorker(floor: Floor, member: Member<HeldClaim>, how: string): void {
  // What was left at work when this host closed is the next host's business.
  if (floor.isClosed) return;
  const held = jobOf(member);
  // It may have begun one of these too; whoever is given it finds out, because only one can (F1).
  for (const next of member.ahead) takeBack(next);
  if (held !== undefined) bury(floor, held, { type: 'crashed', message: `Its worker ${how} without an outcome.` });
  dispatch(floor);
}

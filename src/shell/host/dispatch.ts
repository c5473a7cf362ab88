// From an assignment to a worker that carries it out.
//
// B1. What is held or being reported is not begun again, however often it is offered (sync/H1, sync/H2).
import { claimKey, type Assignment } from '../../core/protocol/assignment.ts';
import { NOTHING, outcomeOf } from './missing-outcome.ts';
import { codeOf, messageOf } from './read-json.ts';
import { settle, take, type Floor } from './host-state.ts';
import { holdClaim, type By, type HeldClaim } from './held-claim.ts';
import { tagsOf } from './claim-tags.ts';
import type { Assign } from './worker-messages.ts';
import type { Member } from './worker-pool.ts';

/** What may be otherwise in a while. */
const PASSING = new Set(['EAGAIN', 'ENOMEM', 'EMFILE', 'ENFILE', 'ENOSPC', 'EDQUOT']);
const LOOK_EVERY_MS = 5_000;

/** Whether it was begun. */
export function begin(floor: Floor, assignment: Assignment): boolean {
  const { claim } = assignment;
  const key = claimKey(claim);
  if (floor.isStopping || floor.held.size >= floor.width) return false;
  if (floor.held.has(key) || floor.outbox.has(key)) return false;
  const by: By = { type: 'waiting', assignment };
  const since = floor.clock.monotonic();
  const held = holdClaim(claim, { ...floor, by, since, timeoutMs: assignment.limits.timeoutMs });
  take(floor, held);
  return true;
}

/** Gives each waiting claim an idle worker, or starts one more. */
export function dispatch(floor: Floor): void {
  if (floor.isClosed) return;
  for (const held of floor.held.values()) {
    if (held.by.type !== 'waiting') continue;
    const found = floor.crew.find();
    if (found.type === 'wait') {
      if (found.ms !== undefined) floor.timers.within('dispatch', found.ms);
      return;
    }
    give(floor, held, { assignment: held.by.assignment, member: found.member });
  }
}

interface Giving {
  readonly assignment: Assignment;
  readonly member: Member<HeldClaim>;
}

function give(floor: Floor, held: HeldClaim, { assignment, member }: Giving): void {
  held.by = { type: 'worker', member, assignment };
  held.since = floor.clock.monotonic();
  member.job = held;
  const { cwd, run, home, graceMs } = floor;
  const environment = tagsOf(floor, held.claim);
  const assign: Assign = { type: 'assign', assignment, folder: held.folder, cwd, run, home, environment, graceMs };
  member.send(assign);
  floor.timers.within('look', LOOK_EVERY_MS);
}

/** No worker could be started for it. While others are there it waits for one of them. */
export function giveBack(floor: Floor, held: HeldClaim, error: unknown): void {
  if (held.by.type !== 'worker') return;
  if (isPassing(error) && floor.crew.size > 0) {
    held.by = { type: 'waiting', assignment: held.by.assignment };
    dispatch(floor);
    return;
  }
  refuse(floor, held, { error, what: 'No worker could be started' });
}

interface Refusal {
  readonly error: unknown;
  readonly what: string;
}

function refuse(floor: Floor, held: HeldClaim, { error, what }: Refusal): void {
  const message = `${what}: ${messageOf(error)}. ${adviceFor(error)}`;
  const isFinal = !isPassing(error);
  settle(floor, held, outcomeOf(held.claim, NOTHING, { type: 'refused', message, isFinal }));
}

const isPassing = (error: unknown): boolean => PASSING.has(codeOf(error) ?? '');

function adviceFor(error: unknown): string {
  switch (codeOf(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return 'Free some space on the disk.';
    case 'EAGAIN':
    case 'ENOMEM':
      return 'The machine has no room for one more process: lower max_parallel, or end other programs.';
    case 'EMFILE':
    case 'ENFILE':
      return 'Too many files are open: lower max_parallel, or raise the limit with ulimit -n.';
    default:
      return 'Look whether that path is there and may be used.';
  }
}

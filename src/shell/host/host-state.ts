// What a host has in its hands, and how a claim leaves them.
//
// Q1. A claim that was ever held leaves by `settle` alone, with one outcome.
// Q2. A worker that is gone may have written its outcome before it went, so that is looked for first.
// Q3. What is left of a claim whose worker is gone is ended before the claim is reported; a next attempt never meets it.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkOutcome } from '../../core/protocol/work-outcome.ts';
import { ATTEMPT_FILES, inFolder } from '../attempt-folder.ts';
import type { Clock } from '../ports.ts';
import type { Timers } from './timers.ts';
import { outcomeOf, UNKNOWN, type End } from './missing-outcome.ts';
import { readOutcome } from './read-outcome.ts';
import type { HeldClaim } from './held-claim.ts';
import type { Outbox } from './outbox.ts';
import type { Crew } from './worker-pool.ts';
import type { Tagged } from './claim-tags.ts';
import type { Reaper } from './reap-orphans.ts';

/** What the one timer of a host reminds it of. */
export type Deed = 'renew' | 'resend' | 'reopen' | 'live' | 'dispatch' | 'watch' | 'look' | 'force' | 'reap' | 'trim';

const REAP_WITHIN_MS = 1_000;
/** Live cost is told at most this often. */
export const LIVE_EVERY_MS = 1_000;

export interface Floor extends Tagged {
  readonly cwd: string;
  readonly width: number;
  readonly graceMs: number;
  readonly clock: Clock;
  readonly held: Map<string, HeldClaim>;
  /** Keys of every claim that was ever held here, so that what is left of them is known. */
  readonly known: Set<string>;
  readonly outbox: Outbox;
  readonly crew: Crew<HeldClaim>;
  readonly reaper: Reaper;
  readonly timers: Timers<Deed>;
  /** Says what there is to say, soon. */
  readonly speakSoon: () => void;
  /** Called whenever something was settled. */
  onSettled: () => void;
  /** Whether some worker has told of cost that the coordinator has not heard of. */
  hasLiveNews: boolean;
  isStopping: boolean;
  isClosed: boolean;
}

export function take(floor: Floor, held: HeldClaim): void {
  floor.held.set(held.key, held);
  floor.known.add(held.key);
}

export function settle(floor: Floor, held: HeldClaim, outcome: WorkOutcome): void {
  floor.held.delete(held.key);
  floor.known.add(held.key);
  floor.outbox.add(outcome);
  floor.timers.within('reap', REAP_WITHIN_MS);
  floor.speakSoon();
  floor.onSettled();
}

/** Settles it when its worker has left an outcome. */
export function settleByNote(floor: Floor, held: HeldClaim): boolean {
  const read = readOutcome(held.folder, held.claim);
  if (read.type === 'outcome') settle(floor, held, read.outcome);
  return read.type === 'outcome';
}

/** Its worker is gone. */
export function bury(floor: Floor, held: HeldClaim, end: Extract<End, { type: 'crashed' | 'lost' }>): void {
  const read = readOutcome(held.folder, held.claim);
  if (read.type === 'outcome') {
    settle(floor, held, read.outcome);
    return;
  }
  // Nobody completes it any more.
  if (read.type === 'damaged') sayInOutput(held, `The outcome is taken to be missing: ${read.message}`);
  held.by = { type: 'leftovers' };
  const report = (): void => {
    const ending = held.ending?.end ?? end;
    if (ending.type !== 'stopped') sayInOutput(held, ending.message);
    // What it had spent when it was last heard of is not what it spent.
    settle(floor, held, outcomeOf(held.claim, UNKNOWN, ending));
  };
  void floor.reaper.reap().then(report);
}

/** People look for what happened to a step in its output. */
function sayInOutput({ folder }: HeldClaim, sentence: string): void {
  try {
    inFolder(join(folder, ATTEMPT_FILES.output), (file) => appendFileSync(file, `heddle: ${sentence}\n`));
  } catch {
    // The disk may be full, and the outcome says the same in fewer words.
    return;
  }
}

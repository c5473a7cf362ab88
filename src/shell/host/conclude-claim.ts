// How a claim that a worker has begun leaves the host: with the outcome in its attempt file, or with the one of a dead worker.
//
// host/Q2. A worker that has exited may have written its outcome before, so the attempt file is read first.
// host/Q3. Leftover processes of a dead worker are ended before its claim is reported; the next attempt never meets
//     them.
// host/Q4. Where commits have to be delivered, an outcome is reported once its commit is on the other side. Until then the
//     claim is held, over restarts too: the outcome is in the attempt file.
// host/Q5. A failure on a machine that is full says nothing of the work: it is reported as one of the machine.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { isPassing, transferFailureText, type TransferFailure } from '../../core/protocol/transfer-failure.ts';
import type { Result } from '../../core/protocol/result.ts';
import type { WorkOutcome } from '../../core/protocol/work-outcome.ts';
import { ATTEMPT_FILES, inFolder } from './attempt-folder.ts';
import { isHeld, keepClaim, settleHeld, type HeldClaim, type HostState } from './host-state.ts';
import { outcomeOf, UNKNOWN_SPEND, type MissingOutcome } from './missing-outcome.ts';
import { readOutcome } from './read-outcome.ts';
import { untilNextTry } from './until-next-try.ts';

/** After this an outcome is reported without the files of its attempt. */
const UPLOAD_MS = 60_000;

/** Reports the outcome of a claim, after what belongs to it. */
export function conclude(state: HostState, held: HeldClaim, own: WorkOutcome): void {
  const outcome = ofMachine(own, state.lacks());
  if (state.transfer === undefined && state.artifacts === undefined) {
    settleHeld(state, held, outcome);
    return;
  }
  held.by = { type: 'delivering', outcome };
  held.spend = outcome.spend;
  keepClaim(state, held);
  void settleDelivered(state, held, outcome);
}

function ofMachine(outcome: WorkOutcome, lack: string | undefined): WorkOutcome {
  const hasFailed = outcome.type === 'failed' || (outcome.type === 'finished' && !outcome.result.ok);
  if (!hasFailed || lack === undefined) return outcome;
  const { work, task, step, attempt, spend, isPartial } = outcome;
  const result: Result = { ok: false, response: lack, output: undefined, exitCode: undefined, commit: undefined };
  const ofClaim = { work, task, step, attempt, spend, isPartial };
  return { type: 'failed', ...ofClaim, reason: 'refused', isFinal: false, isUnbegun: true, result };
}

async function settleDelivered(state: HostState, held: HeldClaim, outcome: WorkOutcome): Promise<void> {
  const [delivered] = await Promise.all([deliver(state, held, outcome), uploadWithin(state, held)]);
  if (delivered !== undefined && isHeld(state, held)) settleHeld(state, held, delivered);
}

async function uploadWithin({ artifacts, run }: HostState, { claim }: HeldClaim): Promise<void> {
  if (artifacts === undefined) return;
  const signal = AbortSignal.timeout(UPLOAD_MS);
  const late = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  await Promise.race([artifacts.upload(run, claim, signal), late]);
}

/** The outcome to report; undefined when the claim is not held here any more. */
async function deliver(state: HostState, held: HeldClaim, outcome: WorkOutcome): Promise<WorkOutcome | undefined> {
  const commit = resultOf(outcome)?.commit;
  if (state.transfer === undefined || commit === undefined) return outcome;
  for (let tries = 0; isHeld(state, held); tries += 1) {
    const failure = await state.transfer.deliver(state.run, held.claim, commit);
    if (failure === undefined) return outcome;
    if (!isPassing(failure)) return unsaved(held, outcome, failure);
    await untilNextTry(tries);
  }
  return undefined;
}

const resultOf = (outcome: WorkOutcome): Result | undefined => ('result' in outcome ? outcome.result : undefined);

/** The work stays on this host; what nobody else can have is not work that a task could continue from. */
function unsaved(held: HeldClaim, outcome: WorkOutcome, failure: TransferFailure): WorkOutcome {
  const { work, task, step, attempt, spend, isPartial, conversation } = outcome;
  const response = transferFailureText(failure);
  appendToOutput(held, response);
  const result: Result = { ok: false, response, output: undefined, exitCode: undefined, commit: undefined };
  const ofClaim = { work, task, step, attempt, spend, isPartial, conversation };
  return { type: 'failed', ...ofClaim, reason: 'unsaved', isFinal: false, result };
}

/** Settles a claim when its worker has written an outcome. */
export function settleByAttemptFile(state: HostState, held: HeldClaim): boolean {
  const read = readOutcome(held.folder, held.claim);
  if (read.type === 'outcome') conclude(state, held, read.outcome);
  return read.type === 'outcome';
}

/** The worker of a claim has died. */
export function declareLost(
  state: HostState,
  held: HeldClaim,
  end: Extract<MissingOutcome, { type: 'crashed' | 'lost' }>,
): void {
  const read = readOutcome(held.folder, held.claim);
  if (read.type === 'outcome') {
    conclude(state, held, read.outcome);
    return;
  }
  if (read.type === 'damaged') appendToOutput(held, `The outcome is taken to be missing: ${read.message}`);
  held.by = { type: 'orphans' };
  const report = (): void => {
    const ending = held.ending?.end ?? end;
    if (ending.type !== 'stopped') appendToOutput(held, ending.message);
    // The last reported spend may be incomplete.
    conclude(state, held, outcomeOf(held.claim, UNKNOWN_SPEND, ending));
  };
  void state.reaper.reap().then(report);
}

/** People look for the reason in the step's output. */
function appendToOutput({ folder }: HeldClaim, sentence: string): void {
  try {
    inFolder(join(folder, ATTEMPT_FILES.output), (file) => appendFileSync(file, `heddle: ${sentence}\n`));
  } catch {
    // The disk may be full; the outcome says the same in short.
    return;
  }
}

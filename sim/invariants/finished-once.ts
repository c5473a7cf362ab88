// P9, of single attempts: what the log says of a worker is true, what a host was told is heard is in the log, and what
// has finished is not done again unless the plan or a person says so.
import { DRAFT_ID } from '../../src/core/plan/grown-plan.ts';
import { claimKey } from '../../src/core/protocol/assignment.ts';
import type { RunEvent } from '../../src/core/engine/event.ts';
import type { WorkOutcome } from '../../src/core/protocol/work-outcome.ts';
import { HERE } from '../world/simulated-host.ts';
import {
  claimAbout,
  claimsOf,
  heardAt,
  isSentBack,
  isSettling,
  refOf,
  setBackBy,
  type Invariant,
  type Sight,
} from './invariant.ts';

/** No lease is shorter. */
const LEASE_MIN_MS = 60_000;

export const finishedOnce: Invariant = {
  name: 'P9 what has finished is known and not done again',
  watch: (sight, broken) => {
    const finished = new Set<string>();
    const fences = new Map<string, number>();
    const declaredLost = new Set<string>();
    const settled = new Map<string, RunEvent | 'ended on purpose'>();
    return {
      before: (event) => {
        const claim = isSettling(event) ? claimAbout(sight, event) : undefined;
        if (claim !== undefined) {
          const key = claimKey(refOf(sight, claim));
          settled.set(key, claim.cancelling === undefined ? event : 'ended on purpose');
          checkTruth(sight, { key, event }, broken);
          if (sight.workers.get(key)?.isAlive === true) declaredLost.add(key);
        }
        if (event.type === 'claim.made' && event.work === 'step' && finished.has(`${event.task}/${event.step}`))
          broken(`${event.task}/${event.step} is claimed again, though it has finished.`);
        note(sight, finished, event);
      },
      after: (event) => {
        const claim = event.type === 'claim.made' ? claimAbout(sight, event) : undefined;
        if (claim === undefined) return;
        const { task, step, attempt } = refOf(sight, claim);
        const name = `${task}/${step ?? '(check)'}`;
        if (attempt <= (fences.get(name) ?? 0)) broken(`${name} is claimed as attempt ${attempt} for the second time.`);
        fences.set(name, attempt);
      },
      over: () => sight.counts.add('worker declared lost', declaredLost.size),
      acknowledged: (outcomes) => {
        const claims = claimsOf(sight);
        for (const outcome of outcomes) {
          const key = claimKey(outcome);
          if (claims.has(key))
            broken(`The host was told that ${outcome.type} of ${key} is heard, and the log does not know it.`);
          checkKept(outcome, settled.get(key), broken);
          if (declaredLost.has(key)) sight.counts.add('report after being declared lost');
        }
      },
    };
  },
};

/** Steps that have finished well, as long as nothing sends them back. */
function note(sight: Sight, finished: Set<string>, event: RunEvent): void {
  const forget = (task: string): void => {
    for (const key of finished) if (key.startsWith(`${task}/`)) finished.delete(key);
  };
  if (event.type === 'claim.ended' && event.work === 'step' && event.ending === 'done')
    finished.add(`${event.task}/${event.step}`);
  if (event.type === 'task.repeated' || isJoinedAgain(sight, event) || isSentBack(event)) forget(event.task);
  setBackBy(event).forEach(forget);
}

type OfTask = Extract<RunEvent, { readonly type: 'step.rejoined' | 'claim.answered' }>;

/** A join whose rule, or whose gate, says that what it joins runs again. */
function isJoinedAgain({ compiled }: Sight, event: RunEvent): event is OfTask {
  if (event.type === 'step.rejoined') return true;
  if (event.type !== 'claim.answered' || event.ending !== undefined) return false;
  const { steps = [] } = compiled.tasks[compiled.indexOf.get(event.task) ?? -1] ?? {};
  return steps.some(({ step }) => step.id === event.step && step.type === 'join');
}

interface Settled {
  readonly key: string;
  readonly event: RunEvent;
}

/** A claim is given up only when its worker has ended, or its host was silent for a whole lease: in a pool it has ended then. */
function checkTruth(sight: Sight, { key, event }: Settled, broken: (message: string) => never): void {
  const worker = sight.workers.get(key);
  const isSilent = worker?.isCutOff === true || sight.now() - heardAt(sight, worker?.host ?? HERE) >= LEASE_MIN_MS;
  if (worker?.isAlive === true && !worker.isStill && (!isSilent || worker.leaseMs !== undefined))
    broken(`The log says ${event.type} of ${key}, whose worker is still at work.`);
  const isDone = 'ending' in event && event.ending === 'done';
  if (isDone && !isFinish(worker?.outcome)) broken(`The log says that ${key} is done, and its worker did not finish.`);
}

const isFinish = (outcome: WorkOutcome | undefined): boolean => outcome?.type === 'finished';

type Settlement = RunEvent | 'ended on purpose' | undefined;

/** It was lost; a check that was lost so often that it is not tried again has ended. */
const isGivenUp = (event: Settlement): boolean =>
  typeof event === 'object' &&
  (event.type === 'claim.returned' || (event.type === 'claim.ended' && event.work === 'check')) &&
  event.reason === 'crashed';

/** What a draft wrote was judged and sent back, or was wrong for the last time. */
const isRefusedDraft = (event: Settlement): boolean =>
  typeof event === 'object' &&
  'step' in event &&
  'reason' in event &&
  event.reason === 'refused' &&
  event.task.endsWith(`.${DRAFT_ID}`);

/** Work that ended well is not recorded as anything else, unless it was to be ended or had been given up for lost. */
function checkKept(outcome: WorkOutcome, event: Settlement, broken: (message: string) => never): void {
  const isGood = outcome.work !== 'merge' && outcome.type === 'finished' && outcome.result.ok;
  if (!isGood || event === 'ended on purpose' || isGivenUp(event) || isRefusedDraft(event)) return;
  const isKept = event !== undefined && 'ending' in event && event.ending === 'done';
  if (!isKept) broken(`${outcome.type} of ${outcome.task} ended well, and the log says ${JSON.stringify(event)}.`);
}

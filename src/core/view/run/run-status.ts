// The status of a run for people and programs: a view of its state at one moment.
//
// O1. Every task and step is visited once, so the status of ten thousand tasks takes milliseconds; with the log, only those that
//     changed since the latest status of the same state.
// O2. Counts exclude subplans: the state of a subplan follows from its tasks.
import { isDraft } from '../../plan/grown-plan.ts';
import { runCapOf } from '../../plan/run-cap.ts';
import type { CompiledTask } from '../../compile/compiled.ts';
import type { Reason, Spend } from '../../protocol/result.ts';
import { factsOf, nameClaim, taskAt } from '../../engine/facts.ts';
import type { RunEvent } from '../../engine/event.ts';
import type { RunInputs } from '../../engine/scope.ts';
import { exact, type Account, type Amount } from '../../engine/ledger.ts';
import type { ClaimRef } from '../../protocol/assignment.ts';
import type { Claim, RunFacts, State } from '../../engine/state.ts';
import { countAt } from '../../net/play.ts';
import { estimateStep, NO_HISTORY } from '../../simulate/estimate.ts';
import { placeOf, type ClaimPlace } from './claim-place.ts';
import { openQuestion, type OpenQuestion } from './open-question.ts';
import { lastLine } from './reason-text.ts';
import type { TaskState } from './stage.ts';
import { taskTree, type TaskStatus } from './task-tree.ts';

/** A run at one moment, for people and programs. */
export interface Status {
  /** The name of the plan. */
  readonly name: string;
  readonly stage: RunFacts['stage'];
  /** Why the run paused itself; undefined when a person paused it. */
  readonly pausedFor: string | undefined;
  /** The trees and the isolation of its sandboxes; undefined when it works in place. */
  readonly sandboxes: RunFacts['sandboxes'];
  readonly startedAt: number;
  readonly endedAt: number | undefined;
  readonly elapsedMs: number;
  readonly counts: Readonly<Record<TaskState, number>>;
  readonly total: number;
  readonly running: readonly RunningClaim[];
  readonly questions: readonly OpenQuestion[];
  /** The cap of the run. */
  readonly cap: { readonly size: number; readonly held: number };
  readonly pools: readonly PoolStatus[];
  /** Agents without a pool whose account has no quota, and until when. */
  readonly backingOff: readonly { readonly agent: string; readonly until: number }[];
  readonly spend: SpendStatus;
  /** Tasks and subplans that a person has paused. */
  readonly paused: readonly string[];
  /** Earliest failures first, at most a few; `counts.failed` is the full number. */
  readonly failures: readonly FailureStatus[];
  readonly tasks: readonly TaskStatus[];
}

export interface SpendStatus extends Readonly<Pick<Account, 'ceiling' | 'spent' | 'reserved' | 'isReached'>> {
  /** The live cost of running turns, out of their reservations; as far as reported. */
  readonly running: Amount;
}

export interface RunningClaim {
  readonly type: Claim['work'];
  readonly task: string;
  readonly step: string | undefined;
  readonly attempt: number;
  readonly since: number;
  readonly elapsedMs: number;
  /** The estimate in the plan. */
  readonly estimateMs: number | undefined;
  /** The live cost of an agent's turn, as far as reported. */
  readonly spent: Spend | undefined;
  /** Whether the claim is being cancelled or preempted. */
  readonly isStopping: boolean;
  /** Its host, or why it waits for one; undefined on the coordinator's machine. */
  readonly place: ClaimPlace | undefined;
}

export interface PoolStatus {
  readonly name: string;
  readonly size: number;
  readonly held: number;
  /** When the quota of its account returns; undefined while the pool is open. */
  readonly closedUntil: number | undefined;
  /** The effective limit while its provider is overloaded; undefined when the pool is not throttled. */
  readonly effectiveLimit: number | undefined;
}

export interface FailureStatus {
  readonly task: string;
  /** The step whose failure failed the task. */
  readonly step: string | undefined;
  readonly attempt: number | undefined;
  readonly reason: Reason | undefined;
  readonly cause: string | undefined;
  readonly at: number;
  /**
   * The last line that the step printed, to stderr where it did, where it may show the reason; of a failed check, alone or
   * after merging, the last line that the check printed.
   */
  readonly said: string | undefined;
  /** The end of a command's stderr. */
  readonly stderr: string | undefined;
  /** The exit code of a command that was not killed. */
  readonly exitCode: number | undefined;
}

const FAILURES_MAX = 100;

export interface StatusInput {
  readonly now: number;
  readonly given: RunInputs;
  /** The live cost of a running claim, where it can be read; the log has it only when the claim is over. */
  readonly spentBy?: (claim: ClaimRef) => Spend | undefined;
  /** The log that the state is made of, so that a status after the latest one of the same state costs what has changed. */
  readonly log?: readonly RunEvent[];
}

/** The status of a run, made from its state. */
export function statusOf(state: State, { now, given, spentBy, log }: StatusInput): Status {
  const { compiled, run, ledger } = state;
  const tree = taskTree(state, now, log);
  const running = [...state.claims.values()].map((claim) => {
    const work = runningClaimOf(state, claim, now);
    return { ...work, spent: claim.agent === undefined ? undefined : spentBy?.(nameClaim(state, claim)) };
  });
  const { plan } = compiled;
  return {
    name: plan.name,
    stage: run.stage,
    pausedFor: run.pausedFor,
    sandboxes: run.sandboxes,
    startedAt: run.startedAt,
    endedAt: run.endedAt,
    elapsedMs: Math.max(0, (run.endedAt ?? now) - run.startedAt),
    counts: tree.counts,
    total: Object.values(tree.counts).reduce((sum, count) => sum + count, 0),
    running,
    questions: [...state.questions.values()].map((question) => openQuestion(state, question, given)),
    cap: { size: runCapOf(plan), held: runCapOf(plan) - countAt(state.play, compiled.run.cap) },
    pools: poolsOf(state),
    backingOff: [...state.exhaustedAgents].flatMap(([agent, until]) => (until > now ? [{ agent, until }] : [])),
    // A copy: the ledger is mutable and changes with the state, the status does not.
    spend: {
      ceiling: ledger.run.ceiling,
      spent: { ...ledger.run.spent },
      reserved: { ...ledger.run.reserved },
      isReached: ledger.run.isReached,
      running: sumOf(running),
    },
    paused: [...state.deferred.paused].map((index) => taskAt(state, index).task.path),
    failures: failuresOf(state, tree.failed),
    tasks: tree.roots,
  };
}

function sumOf(running: readonly RunningClaim[]): Amount {
  const sum = { usd: 0, tokens: 0 };
  for (const { spent } of running) {
    sum.usd = exact(sum.usd + (spent?.usd ?? 0));
    sum.tokens += spent?.tokens ?? 0;
  }
  return sum;
}

export function runningClaimOf(state: State, claim: Claim, now: number): RunningClaim {
  const { task, steps } = taskAt(state, claim.task);
  const step = claim.step === undefined ? undefined : steps[claim.step];
  const estimate = step === undefined ? undefined : estimateStep(state.compiled, step, NO_HISTORY);
  return {
    type: claim.work,
    task: task.path,
    step: step?.step.id,
    attempt: claim.attempt,
    since: claim.at,
    elapsedMs: Math.max(0, now - claim.at),
    estimateMs: estimate?.origin === 'plan' ? estimate.ms : undefined,
    spent: undefined,
    isStopping: claim.preempting || claim.cancelling !== undefined,
    place: placeOf(state, claim),
  };
}

function poolsOf({ compiled, play, exhausted, throttled }: State): readonly PoolStatus[] {
  return [...compiled.pools].map(([name, { place, size, closed }]) => ({
    name,
    size,
    held: size - countAt(play, place),
    closedUntil: countAt(play, closed) > 0 ? exhausted.get(name) : undefined,
    effectiveLimit: throttled.get(name)?.limit,
  }));
}

function failuresOf(state: State, failed: readonly number[]): readonly FailureStatus[] {
  const endOf = (index: number): number => factsOf(state, index).endedAt ?? state.run.startedAt;
  return failed
    .toSorted((one, other) => endOf(one) - endOf(other))
    .slice(0, FAILURES_MAX)
    .map((index) => failureOf(state, taskAt(state, index)));
}

export function failureOf(state: State, { index, task, steps }: CompiledTask): FailureStatus {
  const { ended, endedAt, failing, failedCheck, steps: ofSteps } = factsOf(state, index);
  const failed = failing === undefined ? undefined : ofSteps[failing.step];
  const isCommand = failing !== undefined && steps[failing.step]?.step.type === 'run';
  // Output that ends with a kill by a limit or a signal does not explain the kill.
  const wasCut = ended?.reason === 'timeout' || ended?.reason === 'idle' || ended?.reason === 'crashed';
  const stderr = failed?.result?.stderr;
  const isCheck = ended?.reason === 'check' || ended?.reason === 'baseline';
  // Where a limit was exceeded, or a command's output does not fit, the response says so and stderr may say anything.
  const isJudged = ended?.reason === 'limit' || (isCommand && failed?.result?.exitCode === 0);
  const spoken = isJudged ? undefined : lastLine(stderr);
  // What a refused draft wrote does not say what is wrong with it; the cause does.
  const isRefusedDraft = ended?.reason === 'refused' && isDraft(task);
  const ofStep = (isCommand && wasCut) || isRefusedDraft ? undefined : (spoken ?? lastLine(failed?.result?.response));
  return {
    task: task.path,
    step: failing === undefined ? undefined : steps[failing.step]?.step.id,
    attempt: failed?.attempts,
    reason: ended?.reason,
    cause: ended?.cause,
    at: endedAt ?? state.run.startedAt,
    said: isCheck ? lastLine(failedCheck) : ofStep,
    stderr,
    exitCode: isCommand ? failed?.result?.exitCode : undefined,
  };
}

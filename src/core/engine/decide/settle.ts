// Outcome → event. Says what one outcome means for the run; what follows from that, `next` says.
//
// Z1. An outcome of a claim that is not there (a second report, a report after the claim was given up) means nothing.
// Z2. What was condemned ends as cancelled, however its work came out; only what is merged is merged.
// Z3. What was stopped or lost without having been condemned is not over: a step or a check goes back to be claimed
//     again, a step with what it spent, and a merge is still owed.
// Z4. Each event is to be applied before the next one is asked for.
import { assert } from '../../assert.ts';
import type { CompiledStep, CompiledTask } from '../../compile/compiled.ts';
import type { Reason, Result, RunEvent } from '../event.ts';
import { backoffMs } from './backoff.ts';
import { claimAt, endedBy, factsOf, tokenAt } from '../facts.ts';
import type { ControlCommand } from '../command.ts';
import type { Judge } from '../judge/judge.ts';
import type { Outcome } from '../outcome.ts';
import type { Claim, State } from '../state.ts';
import { isCommand, obey } from './control.ts';
import type { Moment } from './next.ts';
import { settleSpending } from './spending.ts';

/** A provider's clock may say that its quota is back already; asking again at once would be asking for ever. */
const QUOTA_REST_MIN_MS = 10_000;

type StepOutcome = Extract<Reported, { type: `step.${string}` }>;
type TaskOutcome = Extract<Outcome, { type: `check.${string}` | `merge.${string}` }>;

export function* settleOutcome(state: State, outcome: Outcome, moment: Moment): Generator<RunEvent, void> {
  if (isCommand(outcome)) return yield* obey(state, outcome, moment);
  if (outcome.type === 'step.spending') return yield* settleSpending(state, outcome, moment.now);
  const event = settled(state, outcome, moment);
  if (event !== undefined) yield event;
}

type Reported = Exclude<Outcome, ControlCommand | { readonly type: 'step.spending' }>;

function settled(state: State, outcome: Reported, { judge, now }: Moment): RunEvent | undefined {
  switch (outcome.type) {
    case 'time':
      return undefined;
    case 'answered':
      return answer(state, outcome, now);
    case 'step.finished':
    case 'step.failed':
    case 'step.limited':
    case 'step.stopped':
    case 'step.lost':
      return settleStep(state, outcome, { judge, now });
    case 'check.finished':
    case 'check.stopped':
    case 'check.lost':
    case 'merge.finished':
    case 'merge.failed':
    case 'merge.outrun':
    case 'merge.stopped':
      return settleTask(state, outcome, now);
  }
}

function answer(
  state: State,
  { task: path, step: id, attempt, answer: said }: Extract<Outcome, { type: 'answered' }>,
  at: number,
): RunEvent | undefined {
  const task = find(state, path);
  const step = task?.steps.find((each) => each.step.id === id);
  const isAsking = (place: number | undefined): boolean =>
    place !== undefined && state.questions.get(place)?.attempt === attempt;
  const ended = said === 'approve' ? ENDED_WELL : ({ ending: 'failed', reason: 'rejected', cause: undefined } as const);
  if (step !== undefined && isAsking(step.asking)) {
    const about = { at, task: path, step: step.step.id };
    return said === 'retry' ? { type: 'step.retried', ...about } : { type: 'step.answered', ...about, ...ended };
  }
  if (id !== undefined || !isAsking(task?.places.asking) || said === 'retry') return undefined;
  return { type: 'task.ended', at, task: path, ...ended, result: undefined };
}

const ENDED_WELL = { ending: 'done', reason: undefined, cause: undefined } as const;

function settleStep(state: State, outcome: StepOutcome, { judge, now: at }: Moment): RunEvent | undefined {
  const task = find(state, outcome.task);
  const step = task?.steps.find((each) => each.step.id === outcome.step);
  const claim = claimAt(state, step?.working);
  if (step === undefined || claim === undefined || claim.attempt !== outcome.attempt) return undefined;
  const { spend } = outcome;
  const about = { at, task: outcome.task, step: outcome.step, spend };
  const result = 'result' in outcome ? outcome.result : undefined;
  // A step that was ended for its cost has failed, and fails again whenever it is tried.
  if (claim.condemned?.reason === 'cost')
    return failStep(state, step, { outcome: { ...outcome, result }, claim, at, isRetryable: false, reason: 'cost' });
  if (claim.condemned !== undefined) {
    return { type: 'step.ended', ...about, ...endedBy(claim.condemned), result };
  }
  switch (outcome.type) {
    case 'step.finished':
      return judgeResult(state, step, { outcome, claim, judge, at });
    case 'step.failed':
      return failStep(state, step, { outcome, claim, at, isRetryable: !outcome.isFinal, reason: outcome.reason });
    case 'step.limited': {
      const pool = dryPool(state, step, outcome.pool);
      const until = Math.max(outcome.until, at + QUOTA_REST_MIN_MS);
      return { type: 'step.returned', ...about, reason: 'quota', counted: false, until, pool };
    }
    case 'step.stopped':
      return { type: 'step.returned', ...about, reason: 'cancelled', counted: false, until: at, pool: undefined };
    case 'step.lost':
      return { type: 'step.returned', ...about, reason: 'crashed', counted: false, until: at, pool: undefined };
  }
}

/** The pool that rests when an account has no quota left: the one reported, else that of the step's agent. */
function dryPool({ compiled }: State, { step }: CompiledStep, reported: string | undefined): string | undefined {
  const named = step.type === 'prompt' ? step.agent : undefined;
  const pool = reported ?? compiled.plan.agents.find(({ name }) => name === named)?.pool;
  return pool === undefined || !compiled.pools.has(pool) ? undefined : pool;
}

interface Judged {
  readonly outcome: Pick<StepOutcome, 'task' | 'step' | 'spend'> & { readonly result: Result | undefined };
  readonly claim: Claim;
  readonly at: number;
}

function judgeResult(state: State, step: CompiledStep, judged: Judged & { readonly judge: Judge }): RunEvent {
  const { outcome, judge, at } = judged;
  const { result } = outcome;
  assert(result !== undefined, 'A step that finished has a result.');
  const about = { at, task: outcome.task, step: outcome.step, spend: outcome.spend };
  const ruling = judge.ruleFor(state, step, result);
  if (ruling.type === 'failed')
    return { type: 'step.ended', ...about, ending: 'failed', reason: 'expression', cause: ruling.message, result };
  switch (ruling.rule ?? (result.ok ? 'continue' : undefined)) {
    case 'continue':
      return { type: 'step.ended', ...about, ...ENDED_WELL, result };
    case 'abort':
      return { type: 'step.ended', ...about, ending: 'failed', reason: 'failed', cause: undefined, result };
    case 'gate':
      return { type: 'step.asked', ...about, result };
    case 'retry':
      return failStep(state, step, { ...judged, isRetryable: true, reason: 'failed' });
    case undefined:
      return failStep(state, step, { ...judged, isRetryable: !isLooped(state, step), reason: 'failed' });
  }
}

/** Inside a `repeat` the loop is the retry: a command that failed is not tried again by itself, unless it says so. */
function isLooped(state: State, { step, task: index }: CompiledStep): boolean {
  const task = state.compiled.tasks[index]?.task;
  return step.type === 'run' && step.onError !== 'retry' && task?.type === 'work' && task.repeat !== undefined;
}

function failStep(
  state: State,
  step: CompiledStep,
  failed: Judged & { readonly isRetryable: boolean; readonly reason: Reason },
): RunEvent {
  const { outcome, claim, at, isRetryable, reason } = failed;
  const about = { at, task: outcome.task, step: outcome.step, spend: outcome.spend };
  const tried = tokenAt(state, step.working).tried;
  if (isRetryable && tried < step.step.attemptsMax) {
    const until =
      at + backoffMs({ seed: state.run.seed, about: `${outcome.task}/${outcome.step}`, attempt: claim.attempt });
    return { type: 'step.returned', ...about, reason, counted: true, until, pool: undefined };
  }
  if (step.step.onError === 'gate') return { type: 'step.asked', ...about, result: outcome.result };
  return { type: 'step.ended', ...about, ending: 'failed', reason, cause: undefined, result: outcome.result };
}

function settleTask(state: State, outcome: TaskOutcome, at: number): RunEvent | undefined {
  const task = find(state, outcome.task);
  const claim = claimAt(state, isOfCheck(outcome) ? task?.places.checking : task?.places.merging);
  if (task === undefined || claim?.attempt !== outcome.attempt) return undefined;
  const about = { at, task: outcome.task, result: undefined };
  if (claim.condemned !== undefined && outcome.type !== 'merge.finished')
    return { type: 'task.ended', ...about, ...endedBy(claim.condemned) };
  switch (outcome.type) {
    case 'check.finished':
      return outcome.ok ? passCheck(task, at) : failCheck(state, task, { at, tail: outcome.tail });
    case 'check.stopped':
      return { type: 'check.returned', at, task: outcome.task, reason: 'cancelled', counted: false };
    case 'check.lost':
      return loseCheck(state, task, at);
    case 'merge.stopped':
      return undefined;
    case 'merge.finished':
      return { type: 'task.ended', ...about, ...ENDED_WELL, result: withCommit(state, task, outcome.commit) };
    case 'merge.failed':
      return { type: 'task.ended', ...about, ending: 'failed', reason: outcome.reason, cause: undefined };
    case 'merge.outrun':
      return { type: 'task.requeued', at, task: outcome.task };
  }
}

const isOfCheck = ({ type }: TaskOutcome): boolean =>
  type === 'check.finished' || type === 'check.stopped' || type === 'check.lost';

/** A check whose worker is gone is done again, but not for ever: it may be what ends its worker. */
function loseCheck(state: State, { task, index }: CompiledTask, at: number): RunEvent {
  const { path, settings } = task;
  if (factsOf(state, index).checksLost < settings.attemptsMax)
    return { type: 'check.returned', at, task: path, reason: 'crashed', counted: true };
  return { type: 'task.ended', at, task: path, ...CRASHED, result: undefined };
}

const CRASHED = { ending: 'failed', reason: 'crashed', cause: undefined } as const;

function passCheck({ task, deeds }: CompiledTask, at: number): RunEvent {
  if (deeds.pass !== undefined) return { type: 'check.passed', at, task: task.path };
  return { type: 'task.ended', at, task: task.path, ...ENDED_WELL, result: undefined };
}

/** A failed check sends the task back to its agent while attempts are left. */
function failCheck(
  state: State,
  { task, deeds, places }: CompiledTask,
  { at, tail }: { at: number; tail: string },
): RunEvent {
  const redo = tokenAt(state, places.checking).redo + 1;
  if (deeds.redo !== undefined && redo < task.settings.attemptsMax)
    return { type: 'check.failed', at, task: task.path, redo, tail };
  return {
    type: 'task.ended',
    at,
    task: task.path,
    ending: 'failed',
    reason: 'check',
    cause: undefined,
    result: undefined,
  };
}

function withCommit(state: State, task: CompiledTask, commit: string | undefined): Result | undefined {
  const last = factsOf(state, task.index).steps.at(-1)?.result;
  return last === undefined || commit === undefined ? last : { ...last, commit };
}

function find(state: State, path: string): CompiledTask | undefined {
  const index = state.compiled.indexOf.get(path);
  return index === undefined ? undefined : state.compiled.tasks[index];
}

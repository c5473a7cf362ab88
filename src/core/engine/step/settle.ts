// Outcome → event. Decides the effect of one outcome on the run; `next` decides the consequences.
//
// settle/Z1. An outcome of a claim that does not exist (a second report, a report after the claim was released) has no
//     effect.
// settle/Z2. Work being cancelled ends as cancelled, whatever its outcome; only a merge that succeeded counts as
//     merged.
// settle/Z3. Work that was stopped or lost without being cancelled is not over: it is claimed again; a step keeps its
//     cost. A lost merge stays claimed, cancelled or not: it is owed to another host.
// settle/Z4. Each event is applied before the next one is requested.
import { assert } from '../../assert.ts';
import { decideAmend } from '../decide/decide-amend.ts';
import { stepOfId, taskOfPath, type CompiledStep } from '../../compile/compiled.ts';
import type { Reason, Result } from '../../protocol/result.ts';
import type { RunEvent } from '../event.ts';
import { tightestAccount } from '../ledger.ts';
import { backoffMs, limitedBackoff } from './backoff.ts';
import { asHeld, claimNamed, ENDED_WELL, endedBy, factsOf, nameClaim, stepFactsOf, taskAt, tokenAt } from '../facts.ts';
import type { ControlCommand } from '../command.ts';
import type { Evaluator } from '../evaluator.ts';
import type { Outcome } from '../outcome.ts';
import { tasksLost } from '../lost-tasks.ts';
import { isOfMachine, type ClaimOver, type StepOver } from '../../protocol/work-outcome.ts';
import type { Claim, State } from '../state.ts';
import { controlRun, isCommand, TRY_AGAIN } from '../commands/control-run.ts';
import { settleCheck, settleMerge } from './settle-merge.ts';
import { settleResolve } from './settle-resolve.ts';
import { hasStronger } from '../decide/choose-agent.ts';
import { escalates } from '../apply/turn-facts.ts';
import type { DecisionContext } from '../decide/next.ts';
import { decideRollback } from '../commands/rollback.ts';
import { refuseDraft } from './settle-draft.ts';
import { settleSpending } from './spending.ts';
import { aboutTurn, decidedOn, goneOnWith, settleAsked, turnBack, type LeftForNext } from './turn-back.ts';

export function* settleOutcome(state: State, outcome: Outcome, context: DecisionContext): Generator<RunEvent, void> {
  if (isCommand(outcome)) return yield* controlRun(state, outcome, context);
  if (outcome.type === 'rollback') return yield* decideRollback(state, outcome, context.now);
  if (outcome.type === 'amend') return yield* decideAmend(state, outcome, context.now);
  if (outcome.type === 'spending') return yield* settleSpending(state, outcome, context.now);
  const lost = outcome.type === 'rewound' ? tasksLost(state, outcome, context.now) : undefined;
  if (lost !== undefined) yield lost;
  const event = settled(state, outcome, context);
  if (event !== undefined) yield event;
}

type Reported = Exclude<Outcome, ControlCommand | { readonly type: 'spending' | 'rollback' | 'amend' }>;

function settled(state: State, outcome: Reported, context: DecisionContext): RunEvent | undefined {
  const { now } = context;
  switch (outcome.type) {
    case 'time':
      return undefined;
    case 'answered':
      return answer(state, outcome, now);
    case 'replied':
      return reply(state, outcome, now);
    case 'resolved':
      return isAsked(state, taskOfPath(state.compiled, outcome.task)?.places.asking, outcome)
        ? { type: 'task.resolved', at: now, task: outcome.task, commit: outcome.commit }
        : undefined;
    case 'finished':
    case 'failed':
    case 'limited':
    case 'asked':
    case 'stopped':
    case 'lost':
    case 'conflict':
    case 'outrun':
    case 'rewound':
      return settleClaim(state, outcome, context);
  }
}

function settleClaim(state: State, outcome: ClaimOver, { evaluator, now: at }: DecisionContext): RunEvent | undefined {
  const claim = claimNamed(state, outcome);
  if (claim === undefined) return undefined;
  const task = taskAt(state, claim.task);
  const moved = movedOn(state, outcome, { claim, at });
  if (moved !== undefined) return moved;
  switch (claim.work) {
    case 'check':
      return settleCheck(state, task, { outcome, claim, at });
    case 'merge':
      return settleMerge(state, task, { outcome, claim, at });
    case 'step':
    case 'resolve': {
      const step = task.steps[claim.step ?? -1];
      assert(step !== undefined, 'A claim of a step names the step.');
      // The work of a step is not merged: only a merge conflicts or is outrun.
      if (outcome.type === 'conflict' || outcome.type === 'outrun' || outcome.type === 'rewound') return undefined;
      if (claim.work === 'resolve') return settleResolve(state, step, { outcome, claim, at });
      return settleStep(state, asHeld(state, step), { outcome, claim, evaluator, at });
    }
  }
}

/**
 * A claim that a host on another machine could not begin is for other hosts, and no attempt is used up. When that one has it
 * again, because no other is there, the refusal counts.
 */
function movedOn(
  state: State,
  outcome: ClaimOver,
  { claim, at }: { readonly claim: Claim; readonly at: number },
): RunEvent | undefined {
  const { host, cancelling } = claim;
  if (!isOfMachine(outcome) || host === undefined || cancelling !== undefined) return undefined;
  if (factsOf(state, claim.task).refusedOn.includes(host)) return undefined;
  const { spend, reason, result } = outcome;
  const returned = { type: 'claim.returned', at, ...nameClaim(state, claim), spend } as const;
  return { ...returned, reason, counted: false, until: at, message: result?.response, unbegunOn: host };
}

function answer(state: State, outcome: Extract<Outcome, { type: 'answered' }>, at: number): RunEvent | undefined {
  const { task: path, step: id, answer: said } = outcome;
  const task = taskOfPath(state.compiled, path);
  const step = stepOfId(task, id);
  const ended = said === 'approve' ? ENDED_WELL : ({ ending: 'failed', reason: 'rejected', cause: undefined } as const);
  if (step !== undefined && isAsked(state, step.asking, outcome)) {
    const about = { at, work: 'step', task: path, step: step.step.id, attempt: outcome.attempt } as const;
    // A yes does not answer an agent's question.
    const isOfAgent = step.asking !== undefined && state.questions.get(step.asking)?.asks !== undefined;
    if (isOfAgent && said === 'approve') return undefined;
    return { type: 'claim.answered', ...about, ...(said === 'retry' ? TRY_AGAIN : ended) };
  }
  if (id !== undefined || said === 'retry' || !isAsked(state, task?.places.asking, outcome)) return undefined;
  if (task !== undefined && task.task.type !== 'work')
    return { type: 'task.ended', at, task: path, ...ended, result: factsOf(state, task.index).result };
  if (said === 'approve') return { type: 'task.resolved', at, task: path, commit: undefined };
  return { type: 'task.ended', at, task: path, ...ended, reason: 'conflict', result: undefined };
}

/** A person's answer goes only to the agent that asked. */
function reply(state: State, outcome: Extract<Outcome, { type: 'replied' }>, at: number): RunEvent | undefined {
  const { task, step: id, text, decision } = outcome;
  const step = stepOfId(taskOfPath(state.compiled, task), id);
  const question = step?.asking === undefined ? undefined : state.questions.get(step.asking);
  if (step === undefined || question?.asks === undefined || !isAsked(state, step.asking, outcome)) return undefined;
  const { attempt } = outcome;
  const about = { type: 'claim.answered', at, work: 'step', task, step: id, attempt, ...TRY_AGAIN } as const;
  const { permission } = question;
  if (permission === undefined) return decision === undefined ? { ...about, says: text } : undefined;
  return decision === undefined ? undefined : { ...about, ...decidedOn(permission, decision, text) };
}

const isAsked = ({ questions }: State, place: number | undefined, { attempt }: { readonly attempt: number }): boolean =>
  place !== undefined && questions.get(place)?.attempt === attempt;

interface Settling {
  readonly outcome: StepOver;
  readonly claim: Claim;
  readonly evaluator: Evaluator;
  readonly at: number;
}

function settleStep(state: State, step: CompiledStep, { outcome, claim, evaluator, at }: Settling): RunEvent {
  const about = aboutTurn(state, outcome, { claim, at });
  const result = 'result' in outcome ? outcome.result : undefined;
  if (claim.cancelling?.reason === 'cost') {
    // A turn that was over before it could be ended is paid for, and its work is good.
    if (outcome.type === 'finished' && outcome.result.ok)
      return eventOfResult(state, step, { outcome, claim, evaluator, at });
    // One that was ended would fail again on every retry.
    return failStep(state, step, { outcome: { ...outcome, result }, claim, at, isRetryable: false, reason: 'cost' });
  }
  if (claim.cancelling !== undefined) {
    return { type: 'claim.ended', ...about, ...endedBy(claim.cancelling), result };
  }
  switch (outcome.type) {
    case 'finished':
      return eventOfResult(state, step, { outcome, claim, evaluator, at });
    case 'failed':
      return (
        turnBack(state, step, { outcome, claim, at }) ??
        failStep(state, step, {
          outcome,
          claim,
          at,
          isRetryable: !outcome.isFinal || (escalates(step, outcome.reason) && hasStronger(state, step)),
          reason: outcome.reason,
          left: outcome.reason === 'unsaved' ? { says: outcome.result?.response } : goneOnWith(outcome),
        })
      );
    case 'asked':
      return (
        settleAsked(state, step, { outcome, claim, at }) ??
        failStep(state, step, { outcome, claim, at, isRetryable: false, reason: 'asked' })
      );
    case 'limited':
      return {
        type: 'claim.returned',
        ...about,
        reason: outcome.by ?? 'quota',
        counted: false,
        ...limitedBackoff(state, step, { outcome, claim, at }),
        message: outcome.message,
        ...goneOnWith(outcome),
      };
    case 'stopped':
      return {
        type: 'claim.returned',
        ...about,
        reason: outcome.by ?? 'cancelled',
        counted: false,
        until: at,
        pool: undefined,
        ...goneOnWith(outcome),
      };
    case 'lost':
      if (stepFactsOf(state, step).lost + 1 >= LOST_MAX)
        return failStep(state, step, {
          outcome: { ...outcome, result },
          claim,
          at,
          isRetryable: true,
          reason: 'crashed',
        });
      return { type: 'claim.returned', ...about, reason: 'crashed', counted: false, until: at, pool: undefined };
  }
}

/** A step that is lost so often in a row may itself kill its workers, so that counts as one attempt (P11). */
const LOST_MAX = 20;

interface FinishedStep {
  readonly outcome: Pick<StepOver, 'task' | 'step' | 'spend' | 'isPartial' | 'conversation'> & {
    readonly result: Result | undefined;
  };
  readonly claim: Claim;
  readonly at: number;
}

function eventOfResult(
  state: State,
  step: CompiledStep,
  finished: FinishedStep & { readonly evaluator: Evaluator },
): RunEvent {
  const { outcome, evaluator, claim, at } = finished;
  const { result } = outcome;
  assert(result !== undefined, 'A step that finished has a result.');
  const about = aboutTurn(state, outcome, { claim, at });
  const ruling = evaluator.ruleFor(state, step, result);
  if (ruling.type === 'failed')
    return { type: 'claim.ended', ...about, ending: 'failed', reason: 'expression', cause: ruling.message, result };
  switch (ruling.rule ?? (result.ok ? 'continue' : undefined)) {
    case 'continue':
      return refuseDraft(state, step, finished) ?? { type: 'claim.ended', ...about, ...ENDED_WELL, result };
    case 'abort': {
      // The output may report only success.
      const cause = ruling.when === undefined ? undefined : `on_result says abort: ${ruling.when}`;
      return { type: 'claim.ended', ...about, ending: 'failed', reason: 'failed', cause, result };
    }
    case 'gate':
      return { type: 'claim.asked', ...about, reason: undefined, result };
    case 'retry': {
      const cause = ruling.when === undefined ? undefined : `on_result says retry: ${ruling.when}`;
      return failStep(state, step, { ...finished, isRetryable: true, reason: 'failed', cause });
    }
    case undefined:
      return failStep(state, step, { ...finished, isRetryable: !isLooped(state, step), reason: 'failed' });
  }
}

/** Inside a `repeat` the loop is the retry: a failed command is not retried by itself, unless the plan says so. */
function isLooped(state: State, { step, task: index }: CompiledStep): boolean {
  const task = state.compiled.tasks[index]?.task;
  return step.type === 'run' && step.onError !== 'retry' && task?.type === 'work' && task.repeat !== undefined;
}

function failStep(
  state: State,
  step: CompiledStep,
  failed: FinishedStep & {
    readonly isRetryable: boolean;
    readonly reason: Reason;
    readonly cause?: string | undefined;
    readonly left?: LeftForNext;
  },
): RunEvent {
  const { outcome, claim, at, isRetryable, reason, cause, left } = failed;
  const about = aboutTurn(state, outcome, { claim, at });
  const tried = tokenAt(state, step.working).tried;
  if (isRetryable && tried < step.step.attemptsMax) {
    const until =
      at + backoffMs({ seed: state.run.seed, about: `${outcome.task}/${outcome.step}`, attempt: claim.attempt });
    return { type: 'claim.returned', ...about, reason, counted: true, until, pool: undefined, ...left };
  }
  if (step.step.onError === 'gate') return { type: 'claim.asked', ...about, reason, result: outcome.result };
  const budget = reason === 'cost' ? tightestAccount(state.ledger, step.task)?.task : undefined;
  return { type: 'claim.ended', ...about, ending: 'failed', reason, cause, result: outcome.result, budget };
}

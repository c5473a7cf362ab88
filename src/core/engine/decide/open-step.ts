// Whether a step whose turn has come is claimed, joined or dropped.
import type { CompiledStep } from '../../compile/compiled.ts';
import type { Ended, RunEvent } from '../event.ts';
import { endedBy, ENDED_WELL, factsOf, isForgiven, stepFactsOf, taskAt } from '../facts.ts';
import type { Evaluator } from '../evaluator.ts';
import type { State } from '../state.ts';
import type { Why } from '../task-facts.ts';
import { satisfies } from '../token.ts';

/** An event, or undefined when the step is to be claimed as soon as its slots and pools allow. */
export function joinOrDrop(
  state: State,
  step: CompiledStep,
  { evaluator, at }: { evaluator: Evaluator; at: number },
): RunEvent | undefined {
  const about = { at, task: taskAt(state, step.task).task.path, step: step.step.id };
  const reason = whyDropped(state, step);
  if (reason !== undefined) return { type: 'step.skipped', ...about, ...reason };
  const answer = evaluator.starts(state, step);
  switch (answer.type) {
    case 'yes':
      return step.transitions.join === undefined ? undefined : joinSteps(state, step, { evaluator, at });
    case 'no':
      return { type: 'step.skipped', ...about, ending: 'skipped', reason: 'condition', cause: undefined };
    case 'failed':
      return { type: 'step.skipped', ...about, ending: 'failed', reason: 'expression', cause: answer.message };
  }
}

/** A join is decided at once, by its result and the rules of `on_result`, like the outcome of a step. */
function joinSteps(
  state: State,
  step: CompiledStep,
  { evaluator, at }: { evaluator: Evaluator; at: number },
): RunEvent {
  const about = { at, task: taskAt(state, step.task).task.path, step: step.step.id };
  const result = evaluator.joinSteps(state, step);
  const ruling = evaluator.ruleFor(state, step, result);
  const joined = { type: 'step.joined', ...about, result } as const;
  if (ruling.type === 'failed') return { ...joined, ending: 'failed', reason: 'expression', cause: ruling.message };
  const { attempts, rejoined } = stepFactsOf(state, step);
  switch (ruling.rule ?? (result.ok ? 'continue' : undefined)) {
    case 'continue':
      return { ...joined, ...ENDED_WELL };
    case 'gate':
      return { type: 'step.gated', ...about, attempt: attempts + 1, result };
    case 'retry':
      if (rejoined + 1 < step.step.attemptsMax) return { type: 'step.rejoined', ...about, attempt: attempts + 1 };
      return { ...joined, ending: 'failed', reason: 'failed', cause: `on_result says retry: ${ruling.when}` };
    case 'abort':
      return { ...joined, ending: 'failed', reason: 'failed', cause: `on_result says abort: ${ruling.when}` };
    case undefined:
      return { type: 'step.skipped', ...about, ending: 'failed', reason: 'output', cause: result.response };
  }
}

function whyDropped(state: State, step: CompiledStep): Ended | undefined {
  const why = factsOf(state, step.task).cancelling ?? whyEnded(state, step);
  if (why !== undefined) return endedBy(why);
  const failed = failedNeed(state, step);
  return failed === undefined ? undefined : { ending: 'failed', reason: 'need', cause: nameOf(state, step, failed) };
}

/**
 * Why a ready or running step must end although its task is not being cancelled: another step has failed the task, or
 * a step of the same join has failed and the join does not wait for all.
 */
export function whyEnded(state: State, step: CompiledStep): Why | undefined {
  const { failing } = factsOf(state, step.task);
  const { steps } = taskAt(state, step.task);
  if (failing !== undefined) return { reason: 'need', cause: nameOf(state, step, failing.step) };
  for (const collector of step.collectors) {
    const join = steps[collector];
    const failed = join === undefined ? undefined : failedNeed(state, join);
    if (failed !== undefined) return { reason: 'need', cause: nameOf(state, step, failed) };
  }
  return undefined;
}

/** The first need of a join whose failure fails the join at once. */
function failedNeed(state: State, { step, task, named }: CompiledStep): number | undefined {
  if (step.type !== 'join' || step.onError !== 'fail_fast') return undefined;
  const facts = factsOf(state, task);
  const { steps } = taskAt(state, task);
  return named.find((need) => {
    const ended = facts.steps[need]?.ended;
    const of = steps[need];
    return ended !== undefined && of !== undefined && !satisfies(ended.ending) && !isForgiven(of, ended.ending);
  });
}

function nameOf(state: State, { task }: CompiledStep, index: number): string {
  const { task: around, steps } = taskAt(state, task);
  return `${around.path}/${steps[index]?.step.id ?? index}`;
}

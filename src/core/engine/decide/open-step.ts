// Whether a step whose turn has come is to be worked on, joined or dropped.
import type { CompiledStep } from '../../compile/compiled.ts';
import type { Ended, RunEvent } from '../event.ts';
import { factsOf, taskAt } from '../facts.ts';
import type { Judge } from '../judge/judge.ts';
import type { State } from '../state.ts';
import { satisfies } from '../token.ts';

/** An event, or undefined when the step is to be claimed as soon as its slots and pools allow. */
export function joinOrDrop(
  state: State,
  step: CompiledStep,
  { judge, at }: { judge: Judge; at: number },
): RunEvent | undefined {
  const about = { at, task: taskAt(state, step.task).task.path, step: step.step.id };
  const reason = whyDropped(state, step);
  if (reason !== undefined) return { type: 'step.dropped', ...about, ...reason };
  const answer = judge.starts(state, step);
  switch (answer.type) {
    case 'yes':
      return step.deeds.join === undefined
        ? undefined
        : { type: 'step.joined', ...about, result: judge.joinSteps(state, step) };
    case 'no':
      return { type: 'step.dropped', ...about, ending: 'skipped', reason: 'condition', cause: undefined };
    case 'failed':
      return { type: 'step.dropped', ...about, ending: 'failed', reason: 'expression', cause: answer.message };
  }
}

function whyDropped(state: State, step: CompiledStep): Ended | undefined {
  const facts = factsOf(state, step.task);
  if (facts.condemned !== undefined) return { ending: 'cancelled', ...facts.condemned };
  if (facts.failing !== undefined) return { ending: 'skipped', reason: 'need', cause: facts.failing.cause };
  if (step.step.type === 'join' && step.step.onError === 'fail_fast') {
    const failed = step.needs.find((need) => !satisfies(facts.steps[need]?.ended?.ending ?? 'done'));
    if (failed !== undefined)
      return { ending: 'failed', reason: 'need', cause: taskAt(state, step.task).steps[failed]?.step.id };
  }
  return undefined;
}

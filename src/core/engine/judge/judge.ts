// The questions about values that deciding asks: conditions, loops, joins, rules on results. The engine asks them
// through this type, so that a run evaluates expressions over its log and a simulation can assume answers.
import type { CompiledStep, CompiledTask } from '../../compile/compiled.ts';
import type { Expression, StepRule } from '../../plan/plan.ts';
import type { Result } from '../../protocol/result.ts';
import type { State } from '../state.ts';

/** An expression that could not be evaluated is trouble of its own kind, with a sentence for a person. */
export type Answer =
  | { readonly type: 'yes' }
  | { readonly type: 'no' }
  | { readonly type: 'failed'; readonly message: string };

export type Ruling =
  /** `when` is what the plan wrote for it. */
  | { readonly type: 'rule'; readonly rule: StepRule | undefined; readonly when?: Expression }
  | { readonly type: 'failed'; readonly message: string };

export interface Judge {
  /** Whether the task's `when` holds and, for a copy of a `for_each`, whether the list has an item for it. */
  readonly opens: (state: State, task: CompiledTask) => Answer;
  readonly starts: (state: State, step: CompiledStep) => Answer;
  /** Whether the task's `repeat` has reached its `until`. */
  readonly isRepeated: (state: State, task: CompiledTask) => Answer;
  /** The rule of `on_result` that the result calls for, if any. */
  readonly ruleFor: (state: State, step: CompiledStep, result: Result) => Ruling;
  /** Not ok when it does not have the shape that the plan declares; `response` then says why. */
  readonly joinTask: (state: State, task: CompiledTask) => Result;
  readonly joinSteps: (state: State, step: CompiledStep) => Result;
}

// The rules of a plan over the result of a step or of a join.

/** The reaction to a failure (`on_error`) or to a result (`on_result`). */
export type StepRule = 'abort' | 'continue' | 'retry' | 'gate';

/** One rule of `on_result`. */
export interface ResultRule {
  /** CEL source text; checked when the plan is parsed. */
  readonly when: string;
  readonly rule: StepRule;
}

// Evaluates the CEL expressions of a plan (when, until, on_result, for_each, joins) over the state of a run.
import type { CompiledStep, CompiledTask } from '../compile/compiled.ts';
import type { Expression, JsonSchema, Json } from '../plan/plan.ts';
import type { ResultRule, StepRule } from '../plan/result-rule.ts';
import type { Result } from '../protocol/result.ts';
import { evaluate, readExpression } from '../plan/expressions/expression.ts';
import { readTemplate, renderTemplate } from '../plan/expressions/template.ts';
import { factsOf, taskAt } from './facts.ts';
import { forEachItems, scopeOf, valuesOf, type RunInputs, type Judged } from './scope.ts';
import type { State } from './state.ts';
import type { Ended } from './event.ts';

/** `failed`: the expression could not be evaluated; the message is a sentence for a person. */
export type ConditionValue =
  | { readonly type: 'yes' }
  | { readonly type: 'no' }
  /** For a copy of a `for_each`: its list has no item for it. */
  | { readonly type: 'no item' }
  | { readonly type: 'failed'; readonly message: string };

export type ChosenRule =
  /** `when` is the rule's condition in the plan. */
  | { readonly type: 'rule'; readonly rule: StepRule | undefined; readonly when?: Expression }
  | { readonly type: 'failed'; readonly message: string };

export type Feedback =
  | { readonly type: 'rendered'; readonly text: string }
  | { readonly type: 'failed'; readonly message: string };

/** The conditions, loops, joins and result rules of a plan: a run evaluates them, a simulation assumes answers. */
export interface Evaluator {
  /** Whether the task's `when` holds and, for a copy of a `for_each`, whether the list has an item for it. */
  readonly opens: (state: State, task: CompiledTask) => ConditionValue;
  readonly starts: (state: State, step: CompiledStep) => ConditionValue;
  /** Whether the task's `repeat` has reached its `until`. */
  readonly isRepeated: (state: State, task: CompiledTask) => ConditionValue;
  /** What the next round of the task tells its agent; undefined when its loop says nothing. */
  readonly feedback: (state: State, task: CompiledTask) => Feedback | undefined;
  /** The rule of `on_result` that the result calls for, if any. */
  readonly ruleFor: (state: State, step: CompiledStep, result: Result) => ChosenRule;
  /** The same for a join task. */
  readonly ruleForJoin: (state: State, task: CompiledTask, result: Result) => ChosenRule;
  /** Not ok when the value does not match the declared schema; `response` then gives the reason. */
  readonly joinTask: (state: State, task: CompiledTask) => Result;
  readonly joinSteps: (state: State, step: CompiledStep) => Result;
  /** `later`: nobody here can judge. `nothing`: the draft ends, and its subplan does not grow. */
  readonly judge: (state: State, draft: CompiledTask, written: string) => Judgement;
}

export type Judgement = Judged | { readonly type: 'later' | 'nothing' };

const YES: ConditionValue = { type: 'yes' };
const NO: ConditionValue = { type: 'no' };

export function evaluatorOf(given: RunInputs): Evaluator {
  const ask = (state: State, task: CompiledTask, text: Expression | undefined): ConditionValue => {
    if (text === undefined) return YES;
    const { references } = readExpression(text);
    return asAnswer(text, evaluate(text, scopeOf(state, task, { references, given })));
  };
  return {
    opens: (state, task) => {
      const item = itemAnswer(state, task, given);
      return item.type === 'yes' ? ask(state, task, task.task.when) : item;
    },
    starts: (state, { task, step }) => ask(state, taskAt(state, task), step.when),
    isRepeated: (state, task) => ask(state, task, task.task.type === 'work' ? task.task.repeat?.until : undefined),
    feedback: (state, task) => {
      const text = task.task.type === 'work' ? task.task.repeat?.feedback : undefined;
      if (text === undefined) return undefined;
      const { references } = readTemplate(text);
      return renderTemplate(text, scopeOf(state, task, { references, given }));
    },
    ruleFor: (state, { task, step }, result) =>
      ruled(state, { task: taskAt(state, task), rules: step.onResult, step: step.id, result, given }),
    ruleForJoin: (state, task, result) => {
      const rules = task.task.type === 'join' ? task.task.onResult : undefined;
      return ruled(state, { task, rules: rules ?? [], step: undefined, result, given });
    },
    joinTask: (state, task) => {
      const parts = task.needs.map((need) => ({ id: nameInJoin(state, task, need), ...factsOf(state, need) }));
      return joined(parts, task.task.output, given);
    },
    joinSteps: (state, { task, step, named }) => {
      const { steps } = taskAt(state, task);
      const facts = factsOf(state, task);
      const parts = named.map((need) => ({
        id: steps[need]?.step.id ?? '',
        ended: facts.steps[need]?.ended,
        result: facts.steps[need]?.result,
      }));
      return joined(parts, step.output, given);
    },
    judge: given.judge ?? (() => ({ type: 'later' })),
  };
}

interface Ruled {
  readonly task: CompiledTask;
  readonly rules: readonly ResultRule[];
  /** The step whose result it is; undefined for that of a join task. */
  readonly step: string | undefined;
  readonly result: Result;
  readonly given: RunInputs;
}

/** The first rule whose condition holds. */
function ruled(state: State, { task, rules, step, result, given }: Ruled): ChosenRule {
  const own = valuesOf({ result, ended: undefined, usd: undefined });
  const pending = step === undefined ? {} : { [step]: own };
  for (const { when, rule } of rules) {
    const { references } = readExpression(when);
    const around = scopeOf(state, task, { references, given, pending });
    const answer = asAnswer(when, evaluate(when, { ...around, ...own, result: own }));
    if (answer.type === 'failed') return answer;
    if (answer.type === 'yes') return { type: 'rule', rule, when };
  }
  return { type: 'rule', rule: undefined };
}

function joined(parts: readonly JoinPart[], schema: JsonSchema | undefined, { fits }: RunInputs): Result {
  const result = joinParts(parts, { isStructured: schema !== undefined });
  if (schema === undefined || result.output === undefined) return result;
  const why = fits?.(forgiving(schema, parts), result.output);
  return why === undefined ? result : { ...result, ok: false, response: `${why}.`, output: undefined };
}

/** The error of a failed need is accepted in place of the need's declared value. */
function forgiving(schema: JsonSchema, parts: readonly JoinPart[]): JsonSchema {
  const failed = parts.filter(isFailed).map(({ id }) => [id, {}] as const);
  if (failed.length === 0) return schema;
  const { properties } = schema;
  const declared = typeof properties === 'object' ? properties : {};
  return { ...schema, properties: { ...declared, ...Object.fromEntries(failed) } };
}

type Evaluated = ReturnType<typeof evaluate>;

function asAnswer(text: Expression, evaluated: Evaluated): ConditionValue {
  if (evaluated.type === 'failed') return { type: 'failed', message: evaluated.message };
  if (typeof evaluated.value === 'boolean') return evaluated.value ? YES : NO;
  return {
    type: 'failed',
    message: `The condition ${text} gives ${JSON.stringify(evaluated.value)}, not true or false.`,
  };
}

/** The id of a need, or its path where another need has the same id. */
function nameInJoin(state: State, { needs }: CompiledTask, need: number): string {
  const { id, path } = taskAt(state, need).task;
  return needs.some((other) => other !== need && taskAt(state, other).task.id === id) ? path : id;
}

/** A copy of a `for_each` opens when its list has an item for it. */
function itemAnswer(state: State, task: CompiledTask, given: RunInputs): ConditionValue {
  const { item } = task.task;
  if (item?.type !== 'later' || task.parent === undefined) return YES;
  const around = taskAt(state, task.parent);
  const list = forEachItems(state, around, { list: item.list, given });
  if (list.type === 'failed') return list;
  const count = list.items.length;
  const copies = around.children.length;
  if (count > copies)
    return { type: 'failed', message: `${item.list} gives ${count} items, more than the ${copies} that max allows.` };
  return item.index < count ? YES : { type: 'no item' };
}

interface JoinPart {
  readonly id: string;
  readonly ended: Ended | undefined;
  readonly result: Result | undefined;
}

/** When a join does not wait for all needs, the needs that have not ended contribute nothing. */
function joinParts(needs: readonly JoinPart[], { isStructured }: { readonly isStructured: boolean }): Result {
  const parts = needs.filter(({ ended }) => ended !== undefined);
  const joined = { ok: true, exitCode: undefined, commit: undefined };
  if (!isStructured) return { ...joined, response: asText(parts), output: undefined };
  const output = Object.fromEntries(parts.map((part) => [part.id, asData(part)]));
  return { ...joined, response: JSON.stringify(output), output };
}

/** A header and the response of each need, in the order of `needs`. */
function asText(parts: readonly JoinPart[]): string {
  return parts.map((part) => `[${part.id}]:\n${failureOf(part)?.error ?? part.result?.response ?? ''}`).join('\n\n');
}

function asData(part: JoinPart): Json {
  return failureOf(part) ?? part.result?.output ?? null;
}

const isFailed = (part: JoinPart): boolean => failureOf(part) !== undefined;

function failureOf({ id, ended }: JoinPart): { readonly error: string; readonly error_type: string } | undefined {
  if (ended?.ending !== 'failed' && ended?.ending !== 'cancelled') return undefined;
  const type = ended.reason ?? 'failed';
  return { error: ended.cause ?? `${id} ended as ${ended.ending} (${type}).`, error_type: type };
}

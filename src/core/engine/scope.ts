// The values that a text of the plan may read at this point of a run, under the names of the plan language.
//
// scope/G1. Only names in the text are looked up, so the cost of a scope depends on the text alone.
// scope/G2. A name without a value is left out: strict evaluation then reports it, and never reads it as empty.
import type { CompiledTask } from '../compile/compiled.ts';
import type { Json, JsonSchema } from '../plan/plan.ts';
import type { Fragment } from '../plan/plan-json.ts';
import { evaluate, readExpression } from '../plan/expressions/expression.ts';
import { resolveTaskPath, type Reference } from '../plan/expressions/text-reference.ts';
import type { Scope } from '../plan/expressions/template.ts';
import type { Ended } from './event.ts';
import type { Result } from '../protocol/result.ts';
import { factsOf, taskAt } from './facts.ts';
import { exact } from './ledger.ts';
import type { Priorities } from './order.ts';
import type { State } from './state.ts';

/** The inputs of a run from outside. */
export interface RunInputs {
  readonly inputs: Readonly<Record<string, Json>>;
  readonly env: Readonly<Record<string, string>>;
  /** Says briefly why a value does not match a schema; undefined when it does. Without it every value matches. */
  readonly fits?: ((schema: JsonSchema, value: Json) => string | undefined) | undefined;
  /** Judges the fragment that a draft has written; without it nothing grows yet. */
  readonly judge?: JudgeFragment | undefined;
}

/** `written` is the answer of the draft. */
export type JudgeFragment = (state: State, draft: CompiledTask, written: string) => Judged;

export type Judged =
  | { readonly type: 'accepted'; readonly fragment: Fragment; readonly priorities: Priorities }
  /** `says` is for the one who wrote the fragment: every finding with its place and a hint. `cause` is for people who look on. */
  | { readonly type: 'refused'; readonly says: string; readonly cause: string };

export interface ScopeRequest {
  readonly references: readonly Reference[];
  readonly given: RunInputs;
  /** By its id, the step whose result the rules read before the log has it. */
  readonly pending?: { readonly [id: string]: Json };
}

export function scopeOf(state: State, task: CompiledTask, { references, given, pending }: ScopeRequest): Scope {
  return {
    ...itemsOf(state, task, given),
    inputs: given.inputs,
    env: given.env,
    steps: { ...stepValues(state, task), ...pending },
    tasks: taskValues(state, task, references),
  };
}

interface Valued {
  readonly result: Result | undefined;
  readonly ended: Ended | undefined;
  /** The cost in dollars, where known. */
  readonly usd: number | undefined;
}

/**
 * The values of a result for the rest of the plan. A task that did not end as done is not ok, though its work may have
 * succeeded: a check, a merge, a rule or a person rejected it, or it was cancelled.
 */
export function valuesOf({ result, ended, usd }: Valued): { readonly [key: string]: Json } {
  const hasEndedBadly = ended !== undefined && ended.ending !== 'done';
  const values: Record<string, Json> = { ok: !hasEndedBadly && (result?.ok ?? ended !== undefined) };
  if (result?.response !== undefined) values['response'] = result.response;
  if (result?.output !== undefined) values['output'] = result.output;
  if (result?.exitCode !== undefined) values['exit_code'] = result.exitCode;
  if (result?.commit !== undefined) values['commit'] = result.commit;
  if (usd !== undefined) values['cost'] = usd;
  return values;
}

function stepValues(state: State, task: CompiledTask): { readonly [id: string]: Json } {
  const facts = factsOf(state, task.index);
  const known = task.steps.flatMap(({ step, index }): [string, Json][] => {
    const ofStep = facts.steps[index];
    return ofStep?.ended === undefined && ofStep?.result === undefined ? [] : [[step.id, valuesOf(ofStep)]];
  });
  return Object.fromEntries(known);
}

/** Values of the referenced tasks, nested like their paths in the text. */
function taskValues(state: State, from: CompiledTask, references: readonly Reference[]): Json {
  const root: Record<string, Json> = {};
  for (const { root: name, path } of references) {
    if (name !== 'tasks') continue;
    const found = resolve(state, from, path);
    if (found === undefined) continue;
    const facts = factsOf(state, found.task.index);
    const usd = costOf(state, found.task);
    if (facts.ended !== undefined) layAt(root, found.way, valuesOf({ ...facts, usd }));
  }
  return root;
}

/** The cost of a task and of all tasks inside it. */
function costOf(state: State, { index, children }: CompiledTask): number {
  const ofSteps = factsOf(state, index).steps.reduce((sum, { usd }) => sum + usd, 0);
  return exact(children.reduce((sum, child) => sum + costOf(state, taskAt(state, child)), ofSteps));
}

interface Found {
  readonly task: CompiledTask;
  readonly way: readonly string[];
}

function resolve(state: State, from: CompiledTask, path: Reference['path']): Found | undefined {
  const { indexOf } = state.compiled;
  const atIndex = (index: number | undefined): CompiledTask | undefined =>
    index === undefined ? undefined : taskAt(state, index);
  const tree = {
    parentOf: (task: CompiledTask) => atIndex(task.parent),
    childOf: (around: CompiledTask | undefined, segment: string | number) =>
      atIndex(indexOf.get(around === undefined ? String(segment) : `${around.task.path}.${segment}`)),
  };
  const found = resolveTaskPath(tree, from, path);
  if (found === undefined) return undefined;
  return { task: found.target, way: path.slice(0, path.length - found.rest.length).map(String) };
}

function layAt(root: Record<string, Json>, way: readonly string[], values: { readonly [key: string]: Json }): void {
  let here = root;
  for (const name of way) {
    const inner = { ...(isRecord(here[name]) ? here[name] : {}) };
    here[name] = inner;
    here = inner;
  }
  Object.assign(here, values);
}

const isRecord = (value: Json | undefined): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The items of all copies around the task; of two with one name the nearest counts. */
function itemsOf(state: State, task: CompiledTask, given: RunInputs): { readonly [name: string]: Json } {
  const parent = task.parent === undefined ? undefined : taskAt(state, task.parent);
  const around = parent === undefined ? {} : itemsOf(state, parent, given);
  const { item } = task.task;
  if (item === undefined || parent === undefined) return around;
  if (item.type === 'known') return { ...around, [item.name]: item.value };
  const list = forEachItems(state, parent, { list: item.list, given });
  const value = list.type === 'list' ? list.items[item.index] : undefined;
  return value === undefined ? around : { ...around, [item.name]: value };
}

export type ListOfCopies =
  | { readonly type: 'list'; readonly items: readonly Json[] }
  | { readonly type: 'failed'; readonly message: string };

/** The list that a copy of a `for_each` takes its item from, read in the scope of the `for_each`. */
export function forEachItems(
  state: State,
  around: CompiledTask,
  { list, given }: { list: string; given: RunInputs },
): ListOfCopies {
  const { references } = readExpression(list);
  const evaluated = evaluate(list, scopeOf(state, around, { references, given }));
  if (evaluated.type === 'failed') return { type: 'failed', message: evaluated.message };
  if (Array.isArray(evaluated.value)) return { type: 'list', items: evaluated.value };
  return { type: 'failed', message: `${list} gives ${JSON.stringify(evaluated.value)}, not a list.` };
}

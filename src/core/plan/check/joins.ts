// Joins: whether there are results to join, and whether the outputs of the needs fit the declaration of the join.

import { findTask, sourceOf } from './plan-index.ts';
import { isClosed, misfitOf, schemaProperties, withoutObject } from './schema-fit.ts';
import { sourceOfStep } from './step-order.ts';
import { resultStep } from '../result-step.ts';
import type { SourcePath } from '../diagnostic.ts';
import type { JoinTask, JsonSchema, Task } from '../plan.ts';
import type { ReportFinding } from './plan-finding.ts';
import type { IndexedTask, PlanIndex } from './plan-index.ts';

export function checkJoins(index: PlanIndex, report: ReportFinding): void {
  for (const at of index.tasks) {
    if (at.task.type === 'join') checkJoinTask(index, at, report);
    if (at.task.type === 'join') checkRetries(index, { at, join: at.task }, report);
    if (at.task.type === 'work') checkJoinSteps(index, at, report);
  }
}

/**
 * A join task is tried again by running its failed needs again: the work of those that succeeded is merged and stays.
 * So the join must wait for all of its needs, also when some of them fail.
 */
function checkRetries(
  index: PlanIndex,
  { at, join }: { readonly at: IndexedTask; readonly join: JoinTask },
  report: ReportFinding,
): void {
  if (join.onError === 'wait_for_all' && join.needs.type === 'all') return;
  for (const [nth, { rule }] of (join.onResult ?? []).entries()) {
    if (rule !== 'retry') continue;
    report({
      code: 'join-not-repeatable',
      path: [...sourceOf(index, at), 'on_result', nth, 'do'],
      message: `\`${join.path}\` cannot be tried again: retry runs failed needs again, and this join does not wait for all of its needs.`,
      hint:
        join.needs.type === 'all'
          ? 'Write join: { on_error: wait_for_all }, or do: gate or do: abort.'
          : 'Write needs: [...] and join: { on_error: wait_for_all }, or do: gate or do: abort.',
    });
  }
}

/** A result that a join collects. `declares` is false when it has no output to declare. */
interface JoinedPart {
  readonly name: string;
  /** The task that gives it; undefined of a step. */
  readonly task: string | undefined;
  /** The key of the result in the join. */
  readonly key: string;
  readonly declares: boolean;
  readonly output: JsonSchema | undefined;
  readonly path: SourcePath;
}

interface Join {
  readonly name: string;
  readonly output: JsonSchema;
  readonly path: SourcePath;
  readonly parts: readonly JoinedPart[];
}

function checkJoinTask(index: PlanIndex, at: IndexedTask, report: ReportFinding): void {
  const { task } = at;
  const source = sourceOf(index, at);
  if (task.needs.of.length === 0) {
    report({
      code: 'join-of-nothing',
      path: source,
      message: `\`${task.path}\` joins nothing.`,
      hint: 'Add needs: with the tasks that it should join.',
    });
  }
  if (task.output === undefined) return;
  const parts: JoinedPart[] = [];
  for (const [place, path] of task.needs.of.entries()) {
    const needed = findTask(index, path)?.task;
    if (needed === undefined) continue;
    const output = outputSchemaOf(needed);
    parts.push({
      name: path,
      task: path,
      key: needed.id,
      declares: output !== undefined,
      output,
      path: [...source, 'needs', place],
    });
  }
  checkStructured({ name: task.path, output: task.output, path: [...source, 'output'], parts }, report);
}

/** The declared output of a task. A for_each has the outputs of its copies, about which nothing is assumed here. */
export function outputSchemaOf(task: Task): JsonSchema | undefined {
  switch (task.type) {
    case 'work':
      return task.output ?? task.steps[resultStep(task.steps)]?.output;
    case 'for_each':
      return task.output ?? (outputSchemaOf(task.task) === undefined ? undefined : {});
    case 'subplan':
    case 'join':
    case 'gate':
      return task.output;
  }
}

function checkJoinSteps(index: PlanIndex, at: IndexedTask, report: ReportFinding): void {
  const { task } = at;
  if (task.type !== 'work') return;
  const byId = new Map(task.steps.map((step) => [step.id, step]));
  for (const [place, step] of task.steps.entries()) {
    if (step.type !== 'join' || step.output === undefined) continue;
    const source = sourceOfStep(sourceOf(index, at), task, place);
    const parts: JoinedPart[] = [];
    for (const [nth, id] of step.needs.entries()) {
      const needed = byId.get(id);
      if (needed === undefined) continue;
      parts.push({
        name: id,
        task: undefined,
        key: id,
        declares: needed.output !== undefined,
        output: needed.output,
        path: [...source, 'needs', nth],
      });
    }
    checkStructured(
      { name: `${task.path}, step ${step.id}`, output: step.output, path: [...source, 'output'], parts },
      report,
    );
  }
}

function checkStructured(join: Join, report: ReportFinding): void {
  const obstacle = withoutObject(join.output);
  if (obstacle !== undefined) {
    return report({
      code: 'incompatible-schema',
      path: [...join.path, ...obstacle.path],
      message: `The output of \`${join.name}\` can never fit: a join gives an object with one key for each need, and the schema wants ${obstacle.wanted}.`,
      hint: 'Write type: object, with the needs as properties; delete output to join texts.',
    });
  }
  for (const part of join.parts) {
    if (part.declares) continue;
    report({
      code: 'unstructured-need',
      path: part.path,
      other: part.task,
      message: `\`${join.name}\` joins data, and \`${part.name}\` declares no output.`,
      hint: `Give \`${part.name}\` an output: with its schema, or delete the output of the join to join texts.`,
    });
  }
  // Two needs of the same id would share a key, so their keys are not checked.
  const keys = new Set(join.parts.map((part) => part.key));
  if (keys.size < join.parts.length) return;
  for (const part of join.parts) if (part.declares) comparePart(join, part, report);
  reportMissingKeys(join, keys, report);
}

function comparePart(join: Join, part: JoinedPart, report: ReportFinding): void {
  const properties = schemaProperties(join.output) ?? {};
  const wanted = Object.hasOwn(properties, part.key) ? properties[part.key] : undefined;
  if (wanted === undefined && isClosed(join.output)) {
    report({
      code: 'incompatible-schema',
      path: [...join.path, 'additionalProperties'],
      other: part.task,
      message: `The output of \`${join.name}\` has no place for \`${part.key}\`, which it gets from \`${part.name}\`.`,
      hint: `Add \`${part.key}\` to its properties, or delete additionalProperties: false.`,
    });
  }
  const misfit = wanted === undefined ? undefined : misfitOf(part.output, wanted);
  if (misfit === undefined) return;
  const isSure = misfit.type === 'sure';
  report({
    code: isSure ? 'incompatible-schema' : 'schema-may-not-fit',
    severity: isSure ? 'error' : 'warning',
    path: [...join.path, 'properties', part.key],
    other: part.task,
    message: `\`${part.key}${misfit.at}\` of \`${join.name}\` ${isSure ? 'can never' : 'may not'} fit what \`${part.name}\` gives: ${misfit.why}.`,
    hint: `Make the output of \`${part.name}\` and \`${part.key}\` in the output of the join agree.`,
  });
}

function reportMissingKeys(join: Join, keys: ReadonlySet<string>, report: ReportFinding): void {
  const required = join.output['required'];
  for (const key of Array.isArray(required) ? required : []) {
    if (typeof key !== 'string' || keys.has(key)) continue;
    report({
      code: 'incompatible-schema',
      path: [...join.path, 'required'],
      message: `The output of \`${join.name}\` requires \`${key}\`, and no need of it has that id.`,
      hint: `Add \`${key}\` to its needs, or take it out of required.`,
    });
  }
}

// Patterns in the schemas of outputs: whether they can be matched at all, and in linear time.

import { linearPattern } from '../expressions/linear-pattern.ts';
import { sourceOf } from './plan-index.ts';
import { sourceOfStep } from './step-order.ts';
import type { SourcePath } from '../diagnostic.ts';
import type { ReportFinding } from './plan-finding.ts';
import type { PlanIndex } from './plan-index.ts';

export function checkOutputPatterns(index: PlanIndex, report: ReportFinding): void {
  // The output of a task may be that of its last step, and a file may be the output of many.
  const seen = new Set<unknown>();
  const check = (schema: unknown, path: () => SourcePath): void => {
    if (schema === undefined || seen.has(schema)) return;
    seen.add(schema);
    for (const { pattern, keys } of patternsIn(schema, [])) reportPattern(report, pattern, [...path(), ...keys]);
  };
  for (const at of index.tasks) {
    const { task } = at;
    if (task.type === 'work') {
      for (const [place, step] of task.steps.entries())
        check(step.output, () => [...sourceOfStep(sourceOf(index, at), task, place), 'output']);
    }
    check(task.output, () => [...sourceOf(index, at), 'output']);
  }
}

function reportPattern(report: ReportFinding, pattern: string, path: SourcePath): void {
  const judged = linearPattern(pattern);
  if (judged.type === 'pattern') return;
  report({
    code: 'unusable-pattern',
    path,
    message: `The pattern ${JSON.stringify(pattern)} cannot be used: ${judged.why}.`,
    hint: 'Write a regular expression without lookaround and backreferences, with small counts in { }.',
  });
}

interface PlacedPattern {
  readonly pattern: string;
  readonly keys: SourcePath;
}

/** Keywords of JSON Schema that hold schemas by name, in a list, or one. */
const NAMED: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
]);
const LISTED: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const SINGLE: ReadonlySet<string> = new Set(
  (
    'items additionalProperties additionalItems not if then else contains propertyNames unevaluatedItems ' +
    'unevaluatedProperties'
  ).split(' '),
);

function* patternsIn(schema: unknown, keys: SourcePath): Generator<PlacedPattern> {
  if (typeof schema !== 'object' || schema === null) return;
  for (const [key, value] of entriesOf(schema)) {
    const here = [...keys, key];
    if (key === 'pattern' && typeof value === 'string') yield { pattern: value, keys: here };
    if (key === 'patternProperties') yield* namesIn(value, here);
    if (SINGLE.has(key)) yield* patternsIn(value, here);
    if (NAMED.has(key) || LISTED.has(key)) yield* patternsInAll(value, here);
  }
}

function* namesIn(value: unknown, keys: SourcePath): Generator<PlacedPattern> {
  if (typeof value !== 'object' || value === null) return;
  for (const pattern of Object.keys(value)) yield { pattern, keys: [...keys, pattern] };
}

function* patternsInAll(value: unknown, keys: SourcePath): Generator<PlacedPattern> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, schema] of entriesOf(value))
    yield* patternsIn(schema, [...keys, Array.isArray(value) ? Number(name) : name]);
}

const entriesOf = (value: object): readonly (readonly [string, unknown])[] => Object.entries(value);

// Whether an output can have the properties that a text reads.

import { writeReference, type Reference } from '../expressions/text-reference.ts';
import { outputSchemaOf } from './joins.ts';
import { quotedList } from './known-names.ts';
import { findTask, type IndexedTask } from './plan-index.ts';
import { say, type ReadingText } from './scope-of-text.ts';
import { isClosed, isMap, schemaProperties, typesOf } from './schema-fit.ts';

/** A join has one key per need, with the output of that need. */
export function checkJoined(
  reading: ReadingText,
  reference: Reference,
  { target, rest }: { readonly target: IndexedTask; readonly rest: readonly (string | number)[] },
): void {
  const [field, key, ...inner] = rest;
  if (field !== 'output' || key === undefined) return;
  const { index } = reading.needs;
  const parts = target.task.needs.of.map((path) => findTask(index, path));
  const keys = parts.map((part) => part?.task.id);
  if (keys.includes(undefined) || new Set(keys).size < keys.length) return;
  const part = parts[keys.indexOf(String(key))];
  if (part === undefined) {
    const known = keys.filter((one) => one !== undefined);
    return reportNoOutput(reading, reference, {
      type: 'never',
      property: String(key),
      known,
      giver: { type: 'task', name: target.task.path },
    });
  }
  // A failed need gives an error instead, when the join waits for all.
  if (inner[0] === 'error' || inner[0] === 'error_type' || part.task.type === 'for_each') return;
  checkOutput(reading, reference, {
    rest: ['output', ...inner],
    schema: outputSchemaOf(part.task) ?? {},
    giver: { type: 'task', name: part.task.path },
  });
}

/** The task or step whose output is read. */
interface Giver {
  readonly type: 'task' | 'step';
  readonly name: string;
}

const nameOf = ({ type, name }: Giver): string => `${type === 'step' ? 'step ' : ''}\`${name}\``;
const otherOf = ({ type, name }: Giver): string | undefined => (type === 'task' ? name : undefined);

export function checkOutput(
  reading: ReadingText,
  reference: Reference,
  {
    rest,
    schema,
    giver,
  }: { readonly rest: readonly (string | number)[]; readonly schema: unknown; readonly giver: Giver },
): void {
  const [field, ...inner] = rest;
  if (field !== 'output' || reference.guarded) return;
  if (schema === undefined) {
    return say(reading, {
      code: 'undeclared-output',
      severity: 'warning',
      other: otherOf(giver),
      message: `\`${writeReference(reference)}\` is read, and ${nameOf(giver)} declares no output.`,
      hint: `Give ${nameOf(giver)} an output: with its schema, or read its response.`,
    });
  }
  const dead = deadEndOf(schema, inner);
  if (dead !== undefined) reportNoOutput(reading, reference, { ...dead, giver });
}

function reportNoOutput(
  reading: ReadingText,
  reference: Reference,
  {
    type,
    property,
    known,
    giver,
  }: {
    readonly type: 'never' | 'undeclared';
    readonly property: string;
    readonly known: readonly string[];
    readonly giver: Giver;
  },
): void {
  const meant = reading.names.nearestOf(property, known);
  const isNever = type === 'never';
  say(reading, {
    code: isNever ? 'unknown-output' : 'undeclared-output',
    severity: isNever ? 'error' : 'warning',
    other: otherOf(giver),
    message: `\`${writeReference(reference)}\` is read, and the output of ${nameOf(giver)} ${isNever ? 'can have no' : 'declares no'} \`${property}\` there.`,
    hint: meant === undefined ? `It has ${quotedList(known, 'nothing below that')}.` : `Did you mean \`${meant}\`?`,
  });
}

/** A property that a path reads and that the schema of an output rules out or does not declare. */
export interface DeadEnd {
  readonly type: 'never' | 'undeclared';
  readonly property: string;
  /** The properties that the schema declares here. */
  readonly known: readonly string[];
}

/** Properties that Liquid adds to lists and texts. */
const ADDED: ReadonlySet<string> = new Set(['size', 'first', 'last']);
const OPAQUE = ['$ref', '$dynamicRef', 'allOf', 'anyOf', 'oneOf', 'if', 'patternProperties'];

/** Undefined when the path may lead to a value. */
export function deadEndOf(schema: unknown, path: readonly (string | number)[]): DeadEnd | undefined {
  let at: unknown = schema;
  for (const segment of path) {
    if (!isMap(at)) return undefined;
    const current = at;
    if (OPAQUE.some((word) => word in current) || ADDED.has(String(segment))) return undefined;
    const types = typesOf(current);
    const mayBeList = types === undefined || types.includes('array');
    const mayBeObject = types === undefined || types.includes('object');
    if (typeof segment === 'number' && mayBeList) {
      at = current['items'];
      continue;
    }
    if (!mayBeObject)
      return mayBeList && types?.length === 1
        ? { type: 'never', property: String(segment), known: [] }
        : scalarEnd(types, String(segment));
    const properties = schemaProperties(current);
    if (properties !== undefined && Object.hasOwn(properties, String(segment))) {
      at = properties[String(segment)];
      continue;
    }
    if (isClosed(current)) return { type: 'never', property: String(segment), known: Object.keys(properties ?? {}) };
    if (properties === undefined || isMap(current['additionalProperties'])) return undefined;
    return { type: 'undeclared', property: String(segment), known: Object.keys(properties) };
  }
  return undefined;
}

function scalarEnd(types: readonly string[] | undefined, property: string): DeadEnd | undefined {
  return types === undefined || types.includes('array') ? undefined : { type: 'never', property, known: [] };
}

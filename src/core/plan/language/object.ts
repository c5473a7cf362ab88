// Maps with known keys. Unknown keys are reported with the nearest known one, missing ones by name.

import type { JsonSchema } from '../plan.ts';
import { isFull, reportFinding } from '../source/source-reader.ts';
import type { SourceReader } from '../source/source-reader.ts';
import type { MapEntry, MapNode } from '../source/source-node.ts';
import { reportDuplicate } from './collections.ts';
import { nearest } from './nearest-name.ts';
import type { Shape, ValueOf } from './shape.ts';
import { wrongType } from './shape.ts';

export interface ObjectField<Value> {
  readonly shape: Shape<Value>;
  /** The purpose of the key in one or two sentences, for the editor and the reference. */
  readonly description: string;
  readonly required: boolean;
}

type ObjectFields = Readonly<Record<string, ObjectField<unknown>>>;
type ObjectValue<Given extends ObjectFields> = {
  readonly [Key in keyof Given]: ValueOf<Given[Key]['shape']> | undefined;
};

export function field<Value>(shape: Shape<Value>, description: string): ObjectField<Value> {
  return { shape, description, required: false };
}

export function requiredField<Value>(shape: Shape<Value>, description: string): ObjectField<Value> {
  return { shape, description, required: true };
}

export interface ObjectRule {
  /** The noun for messages, with its article: `a task`. */
  readonly noun: string;
  /** The hint when the value is no map. */
  readonly example?: string;
  /** Keys with this prefix are free for the author, as in Compose. */
  readonly freePrefix?: string;
  /** A better hint than the nearest key, for keys of other tools. */
  readonly known?: ReadonlyMap<string, string>;
  /** Added to the schema, for rules that fields alone cannot express. */
  readonly schema?: JsonSchema;
}

export function objectShape<Given extends ObjectFields>(fields: Given, rule: ObjectRule): Shape<ObjectValue<Given>> {
  const keys = Object.keys(fields);
  const byKey = new Map(Object.entries(fields));
  const required = keys.filter((key) => byKey.get(key)?.required);
  return {
    name: rule.noun,
    schema: (definitions) => ({
      type: 'object',
      properties: Object.fromEntries(
        keys.map((key) => [
          key,
          { ...byKey.get(key)?.shape.schema(definitions), description: byKey.get(key)?.description },
        ]),
      ),
      ...(rule.freePrefix === undefined ? {} : { patternProperties: { [`^${rule.freePrefix}`]: true } }),
      required,
      additionalProperties: false,
      ...rule.schema,
    }),
    read: (node, reading) => {
      if (node.type !== 'map') {
        return wrongType({
          node,
          reading,
          wanted: rule.noun.startsWith('a') ? `${rule.noun}, which is a map` : 'a map',
          hint: rule.example ?? `Its keys are ${keys.join(', ')}.`,
        });
      }
      // Absent keys stay absent: a plan may have many tasks, and each uses few of the possible keys.
      const value: Record<string, unknown> = {};
      readEntries({ node, reading, byKey, rule, value });
      for (const key of required) reportIfMissing({ node, reading, byKey, rule }, key);
      // The fields were read by the shapes that make up the type.
      return value as ObjectValue<Given>;
    },
  };
}

interface ObjectReading {
  readonly node: MapNode;
  readonly reading: SourceReader;
  readonly byKey: ReadonlyMap<string, ObjectField<unknown>>;
  readonly rule: ObjectRule;
}

function readEntries(given: ObjectReading & { readonly value: Record<string, unknown> }): void {
  const { node, reading, byKey, rule, value } = given;
  const seen: MapEntry[] = [];
  for (const entry of node.entries) {
    const known = byKey.get(entry.key);
    reading.path.push(entry.key);
    const twin = seen.find((other) => other.key === entry.key);
    if (twin !== undefined) {
      reportDuplicate({ reading, entry, twin, noun: 'key', code: 'duplicate-key' });
    } else if (known !== undefined) {
      seen.push(entry);
      value[entry.key] = known.shape.read(entry.value, reading);
    } else if (rule.freePrefix === undefined || !entry.key.startsWith(rule.freePrefix)) {
      reportUnknown(given, entry);
    }
    reading.path.pop();
  }
}

function reportUnknown(given: ObjectReading, entry: MapEntry): void {
  const { reading, byKey, rule } = given;
  if (isFull(reading)) return;
  const meant = nearest(entry.key, byKey.keys());
  const hint = rule.known?.get(entry.key) ?? (meant === undefined ? undefined : `Did you mean ${meant}?`);
  reportFinding(reading, {
    code: 'unknown-key',
    offset: entry.start,
    message: `${rule.noun.charAt(0).toUpperCase()}${rule.noun.slice(1)} has no key ${JSON.stringify(entry.key)}.`,
    hint: hint ?? `The keys are ${[...byKey.keys()].join(', ')}.`,
  });
}

function reportIfMissing(given: ObjectReading, key: string): void {
  const { node, reading, byKey, rule } = given;
  // A misspelt key has been reported as unknown, with the right one.
  const isThere = (entry: MapEntry) =>
    entry.key === key || (!byKey.has(entry.key) && nearest(entry.key, [key]) === key);
  if (node.entries.some(isThere)) return;
  reportFinding(reading, {
    code: 'missing-key',
    offset: node.start,
    message: `${rule.noun.charAt(0).toUpperCase()}${rule.noun.slice(1)} must have the key ${key}.`,
    hint: `Add ${key}. ${byKey.get(key)?.description ?? ''}`,
  });
}

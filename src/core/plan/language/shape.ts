// Shapes of the values in a plan. One declaration both reads a node and yields the JSON Schema that editors use, so the
// two cannot drift apart.
//
// shape/S1. `read` returns undefined only after it has reported why.
// shape/S2. A shape reports every mistake below it, never only the first.

import { reportFinding } from '../source/source-reader.ts';
import type { SourceReader } from '../source/source-reader.ts';
import type { SourceNode } from '../source/source-node.ts';
import type { JsonSchema } from '../plan.ts';

/** The named parts of the schema that is being generated. */
export type Definitions = Map<string, JsonSchema>;

export interface Shape<Value> {
  /** The noun for messages, with its article: "text", "a whole number". */
  readonly name: string;
  readonly read: (node: SourceNode, reading: SourceReader) => Value | undefined;
  readonly schema: (definitions: Definitions) => JsonSchema;
}

/** The keys of the maps that a shape reads; none for a shape of anything else. */
export function declaredKeysOf({ schema }: Shape<unknown>): readonly string[] {
  const { properties } = schema(new Map());
  return typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
}

export type ValueOf<Given> = Given extends Shape<infer Value> ? Value : never;

/** The key of the current node in the notation of plans: `args[1]`, `max_parallel`. */
export function shapeLabelOf(reading: SourceReader): string {
  let label = '';
  for (let index = reading.path.length - 1; index >= 0; index -= 1) {
    const part = reading.path[index];
    if (typeof part === 'string') return `${part}${label}`;
    label = `[${part}]${label}`;
  }
  return label === '' ? 'The file' : label;
}

/** The actual value for messages: `the number 5`, `a list`. */
export function describeNode(node: SourceNode): string {
  if (node.type === 'list') return node.items.length === 0 ? 'an empty list' : 'a list';
  if (node.type === 'map') return node.entries.length === 0 ? 'an empty map' : 'a map';
  const { value } = node;
  if (value === null) return 'nothing';
  if (typeof value === 'string') return `the text ${quoteShort(value)}`;
  return typeof value === 'number' ? `the number ${value}` : `${value}`;
}

const QUOTED_LENGTH_MAX = 40;

export function quoteShort(value: string): string {
  return JSON.stringify(value.length > QUOTED_LENGTH_MAX ? `${value.slice(0, QUOTED_LENGTH_MAX)}…` : value);
}

export function wrongType(given: {
  readonly node: SourceNode;
  readonly reading: SourceReader;
  readonly wanted: string;
  readonly hint: string;
}): undefined {
  reportFinding(given.reading, {
    code: 'wrong-type',
    offset: given.node.start,
    message: `${shapeLabelOf(given.reading)} must be ${given.wanted}, got ${describeNode(given.node)}.`,
    hint: given.hint,
  });
  return undefined;
}

/** The same shape with its result mapped to another value. */
export function mapShape<From, To>(shape: Shape<From>, turn: (value: From) => To): Shape<To> {
  return {
    name: shape.name,
    schema: shape.schema,
    read: (node, reading) => {
      const value = shape.read(node, reading);
      return value === undefined ? undefined : turn(value);
    },
  };
}

/** A named part of the schema, written once and referred to; it may contain itself. */
export function namedShape<Value>(name: string, make: () => Shape<Value>): Shape<Value> {
  let made: Shape<Value> | undefined;
  const shape = () => (made ??= make());
  return {
    name: `a ${name}`,
    read: (node, reading) => shape().read(node, reading),
    schema: (definitions) => {
      if (!definitions.has(name)) {
        definitions.set(name, {});
        definitions.set(name, shape().schema(definitions));
      }
      return { $ref: `#/$defs/${name}` };
    },
  };
}

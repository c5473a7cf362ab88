// Shapes of lists and of maps whose keys the author chooses, and of values that may take several forms.

import { lineAt, reportFinding } from '../source/source-reader.ts';
import type { SourceReader } from '../source/source-reader.ts';
import type { MapEntry, SourceNode } from '../source/source-node.ts';
import type { Definitions, Shape } from './shape.ts';
import { shapeLabelOf, wrongType } from './shape.ts';

export interface ListRule {
  readonly min?: number;
  readonly max?: number;
}

/** Invalid items are left out; they have been reported. */
export function list<Item>(item: Shape<Item>, rule: ListRule = {}): Shape<readonly Item[]> {
  const { min = 0, max = Infinity } = rule;
  return {
    name: `a list of ${item.name}`,
    schema: (definitions) => ({
      type: 'array',
      items: item.schema(definitions),
      ...(min > 0 ? { minItems: min } : {}),
      ...(max < Infinity ? { maxItems: max } : {}),
    }),
    read: (node, reading) => {
      if (node.type !== 'list') {
        return wrongType({ node, reading, wanted: 'a list', hint: 'Write [a, b], or one line with - for each item.' });
      }
      if (node.items.length < min || node.items.length > max) reportLength(node, reading, { min, max });
      return readItems(node.items, item, reading);
    },
  };
}

function readItems<Item>(nodes: readonly SourceNode[], item: Shape<Item>, reading: SourceReader): readonly Item[] {
  const items: Item[] = [];
  nodes.forEach((child, index) => {
    reading.path.push(index);
    const value = item.read(child, reading);
    if (value !== undefined) items.push(value);
    reading.path.pop();
  });
  return items;
}

function reportLength(node: SourceNode, reading: SourceReader, range: { min: number; max: number }): void {
  const isShort = node.type === 'list' && node.items.length < range.min;
  reportFinding(reading, {
    code: 'out-of-range',
    offset: node.start,
    message: isShort
      ? `${shapeLabelOf(reading)} must have at least ${range.min} ${range.min === 1 ? 'item' : 'items'}.`
      : `${shapeLabelOf(reading)} may have at most ${range.max} items.`,
    hint: isShort ? 'Add what is missing, or delete the key.' : 'Leave some out.',
  });
}

export interface NamedShape<Value> {
  readonly name: string;
  /** Undefined when the value is invalid. */
  readonly value: Value | undefined;
}

export interface RecordRule {
  /** The noun for a key in messages: `task`. */
  readonly noun: string;
  readonly duplicateCode: string;
  /** Reports a fault of a key, if it has one. */
  readonly checkKey: (key: string, offset: number, reading: SourceReader) => void;
  readonly keySchema: string;
  readonly min?: number;
}

/** A map from names that the author chooses to values of one shape, in the order written. */
export function record<Value>(value: Shape<Value>, rule: RecordRule): Shape<readonly NamedShape<Value>[]> {
  return {
    name: `a map of ${rule.noun}s`,
    schema: (definitions) => ({
      type: 'object',
      propertyNames: { pattern: rule.keySchema, maxLength: 64 },
      additionalProperties: value.schema(definitions),
      ...(rule.min === undefined ? {} : { minProperties: rule.min }),
    }),
    read: (node, reading) => {
      if (node.type !== 'map') {
        const hint = `Write one line for each ${rule.noun}: its name, a colon and what it is.`;
        return wrongType({ node, reading, wanted: `a map of ${rule.noun}s`, hint });
      }
      if (node.entries.length < (rule.min ?? 0)) {
        const hint = `Add at least one ${rule.noun}.`;
        wrongType({ node, reading, wanted: `a map with at least one ${rule.noun}`, hint });
      }
      const first = new Map<string, MapEntry>();
      const entries: NamedShape<Value>[] = [];
      for (const entry of node.entries) {
        reading.path.push(entry.key);
        const twin = first.get(entry.key);
        if (twin === undefined) {
          first.set(entry.key, entry);
          rule.checkKey(entry.key, entry.start, reading);
          entries.push({ name: entry.key, value: value.read(entry.value, reading) });
        } else {
          reportDuplicate({ reading, entry, twin, noun: rule.noun, code: rule.duplicateCode });
        }
        reading.path.pop();
      }
      return entries;
    },
  };
}

export function reportDuplicate(given: {
  readonly reading: SourceReader;
  readonly entry: MapEntry;
  readonly twin: MapEntry;
  readonly noun: string;
  readonly code: string;
}): void {
  const { reading, entry, twin, noun, code } = given;
  const lines = `line ${lineAt(reading, twin.start)} and line ${lineAt(reading, entry.start)}`;
  reportFinding(reading, {
    code,
    offset: entry.start,
    message: `The ${noun} ${JSON.stringify(entry.key)} is written twice, on ${lines}.`,
    hint: `Delete one of the two, or give it another name.`,
  });
}

/** A value that may be a single word, a list or a map; its YAML type decides how it is read. */
export function oneOfShape<Value>(given: {
  readonly wanted: string;
  readonly hint: string;
  readonly scalar?: Shape<Value>;
  readonly list?: Shape<Value>;
  readonly map?: Shape<Value>;
}): Shape<Value> {
  const forms = [given.scalar, given.list, given.map].filter((form) => form !== undefined);
  return {
    name: given.wanted,
    schema: (definitions: Definitions) => ({ anyOf: forms.map((form) => form.schema(definitions)) }),
    read: (node, reading) => {
      const form = given[node.type];
      const isNothing = node.type === 'scalar' && node.value === null;
      if (form !== undefined && !isNothing) return form.read(node, reading);
      return wrongType({ node, reading, wanted: given.wanted, hint: given.hint });
    },
  };
}

// Values that are data to Heddle: inputs, items of a list, JSON Schemas.

import type { Json } from '../plan.ts';
import { reportFinding } from '../source/source-reader.ts';
import type { SourceReader } from '../source/source-reader.ts';
import type { MapEntry, MapNode, ScalarNode, SourceNode } from '../source/source-node.ts';
import { reportDuplicate } from './collections.ts';
import type { Shape } from './shape.ts';
import { shapeLabelOf } from './shape.ts';

/** Any value that JSON can hold. */
export function jsonShape(): Shape<Json> {
  return { name: 'a value', schema: () => ({}), read: readJson };
}

/** `null` is a valid value here, and undefined means failure. */
function readJson(node: SourceNode, reading: SourceReader): Json | undefined {
  if (node.type === 'scalar') return readScalar(node, reading);
  if (node.type === 'map') return readMap(node, reading);
  return node.items.map((item, index) => within(reading, index, () => readJson(item, reading)) ?? null);
}

function readMap(node: MapNode, reading: SourceReader): Json {
  const first = new Map<string, MapEntry>();
  const value: Record<string, Json> = {};
  for (const entry of node.entries) {
    const twin = first.get(entry.key);
    if (twin !== undefined) {
      reportDuplicate({ reading, entry, twin, noun: 'key', code: 'duplicate-key' });
      continue;
    }
    first.set(entry.key, entry);
    const child = within(reading, entry.key, () => readJson(entry.value, reading)) ?? null;
    // A key called __proto__ is ordinary data, and plain assignment would lose it.
    Object.defineProperty(value, entry.key, { value: child, enumerable: true, configurable: true, writable: true });
  }
  return value;
}

function readScalar(node: ScalarNode, reading: SourceReader): Json | undefined {
  const { value } = node;
  if (typeof value !== 'number') return value;
  const isExact =
    Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value) || isShortFloat(node, reading));
  if (isExact) return value;
  reportFinding(reading, {
    code: 'out-of-range',
    offset: node.start,
    message: `${shapeLabelOf(reading)} is a number that cannot be kept exactly.`,
    hint: 'Put it in quotes to keep it as text.',
  });
  return undefined;
}

/** `1e300` is a valid float; an integer of twenty digits would be rounded. */
function isShortFloat(node: ScalarNode, reading: SourceReader): boolean {
  return /[eE.]/.test(reading.text.slice(node.start, node.end));
}

function within<Value>(reading: SourceReader, part: string | number, read: () => Value): Value {
  reading.path.push(part);
  const value = read();
  reading.path.pop();
  return value;
}

// Conversion of values into an expression and out of it.
//
// expression-values/T1. Only the values that the expression names are converted, so the cost does not depend on the
//   number of tasks in the run.

import { Optional } from '@marcbachmann/cel-js';
import type { Json } from '../plan.ts';
import type { Reference, ValueFailure } from './text-reference.ts';
import type { Scope } from './template.ts';

/** The part of the scope that is read: a leaf as a whole, a branch by its keys. */
interface ValuePart {
  whole: boolean;
  readonly parts: Map<string, ValuePart>;
}

type Carried = null | boolean | number | bigint | string | Carried[] | { [key: string]: Carried };

/** The scope in the engine's types, reduced to the values that the references name. */
export function contextOf(scope: Scope, references: readonly Reference[]): Record<string, Carried> {
  const top: ValuePart = { whole: false, parts: new Map() };
  for (const { root, path } of references) addPart(top, [root, ...path]);
  return carryParts(scope, top);
}

function addPart(top: ValuePart, path: readonly (string | number)[]): void {
  let part = top;
  for (const segment of path) {
    if (part.whole) return;
    const key = String(segment);
    const next = part.parts.get(key) ?? { whole: false, parts: new Map() };
    part.parts.set(key, next);
    part = next;
  }
  part.whole = true;
}

function carryParts(value: Readonly<Record<string, Json>>, part: ValuePart): Record<string, Carried> {
  const carried: Record<string, Carried> = Object.create(null);
  for (const [key, inner] of part.parts) {
    const field = Object.hasOwn(value, key) ? value[key] : undefined;
    if (field !== undefined) carried[key] = carryPart(field, inner);
  }
  return carried;
}

function carryPart(value: Json, part: ValuePart): Carried {
  return part.whole || !isObject(value) ? carry(value) : carryParts(value, part);
}

function isObject(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function carry(value: Json): Carried {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(carry);
  if (!isObject(value)) return isScalar(value) ? value : null;
  const carried: Record<string, Carried> = Object.create(null);
  for (const [key, field] of Object.entries(value)) if (field !== undefined) carried[key] = carry(field);
  return carried;
}

function isScalar(value: Json): value is string | boolean | null {
  return typeof value === 'string' || typeof value === 'boolean';
}

/** The engine's result as JSON. */
export function jsonOf(value: unknown): { readonly type: 'value'; readonly value: Json } | ValueFailure {
  const json = toJson(value);
  if (json !== undefined) return { type: 'value', value: json };
  const message = 'the expression gives something that is not JSON, such as bytes, a type, or a number out of range';
  return { type: 'failed', reason: 'wrong-type', name: undefined, message };
}

function toJson(value: unknown): Json | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value === 'bigint') return wholeNumber(value);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString();
  if (value instanceof Optional) return value.hasValue() ? toJson(value.value()) : null;
  if (Array.isArray(value)) return listToJson(value);
  if (typeof value !== 'object') return undefined;
  // An unsigned number of the engine is an object around a bigint.
  const inner: unknown = value.valueOf === undefined ? value : value.valueOf();
  if (typeof inner === 'bigint') return wholeNumber(inner);
  return isPlain(value) ? objectToJson(value) : undefined;
}

function wholeNumber(value: bigint): number | undefined {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : undefined;
}

function listToJson(list: readonly unknown[]): Json | undefined {
  const items: Json[] = [];
  for (const item of list) {
    const json = toJson(item);
    if (json === undefined) return undefined;
    items.push(json);
  }
  return items;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return value instanceof Map || prototype === Object.prototype || prototype === null;
}

function objectToJson(value: object): Json | undefined {
  const entries = value instanceof Map ? [...value.entries()] : Object.entries(value);
  const fields: [string, Json][] = [];
  for (const [key, field] of entries) {
    const json = toJson(field);
    if (json === undefined) return undefined;
    fields.push([String(key), json]);
  }
  return Object.fromEntries(fields);
}

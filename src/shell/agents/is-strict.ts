// Whether the provider can enforce a schema: it rejects requests with any other.
import { isObject, type Fields } from '../../core/plan/json-fields.ts';

/** Keywords that the provider supports. */
const KEYS: ReadonlySet<string> = new Set([
  'type',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'enum',
  'const',
  'anyOf',
  'title',
  'description',
  '$schema',
]);

/** Every object lists all fields, requires all and allows no others; the root is an object. */
export const isStrict = (schema: Fields): boolean => schema['type'] === 'object' && isStrictPart(schema);

function isStrictPart(schema: unknown): boolean {
  if (!isObject(schema) || Object.keys(schema).some((key) => !KEYS.has(key))) return false;
  const { type, items, anyOf } = schema;
  if (type === 'object' && !isClosed(schema)) return false;
  if (type === 'array' && items === undefined) return false;
  if (items !== undefined && !isStrictPart(items)) return false;
  return anyOf === undefined || (Array.isArray(anyOf) && anyOf.every(isStrictPart));
}

function isClosed({ properties, required, additionalProperties }: Fields): boolean {
  if (!isObject(properties) || additionalProperties !== false || !Array.isArray(required)) return false;
  const names = Object.keys(properties);
  return names.every((name) => required.includes(name)) && Object.values(properties).every(isStrictPart);
}

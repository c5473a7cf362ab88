// Whether a shape is one that the provider can hold a model to: it refuses requests with any other.
import { isFields, type Fields } from './turn/fields.ts';

/** What may stand in it; of all else the provider says that it does not know it. */
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

/** Of every object all fields are named, all are required and no others are allowed; the outermost is an object. */
export const isStrict = (schema: Fields): boolean => schema['type'] === 'object' && isStrictPart(schema);

function isStrictPart(schema: unknown): boolean {
  if (!isFields(schema) || Object.keys(schema).some((key) => !KEYS.has(key))) return false;
  const { type, items, anyOf } = schema;
  if (type === 'object' && !isClosed(schema)) return false;
  if (type === 'array' && items === undefined) return false;
  if (items !== undefined && !isStrictPart(items)) return false;
  return anyOf === undefined || (Array.isArray(anyOf) && anyOf.every(isStrictPart));
}

function isClosed({ properties, required, additionalProperties }: Fields): boolean {
  if (!isFields(properties) || additionalProperties !== false || !Array.isArray(required)) return false;
  const names = Object.keys(properties);
  return names.every((name) => required.includes(name)) && Object.values(properties).every(isStrictPart);
}

// Decides whether a value of one JSON Schema can match another, as far as that is certain before the run.
//
// schema-fit/F1. `misfitOf` reports only when no value could fit, or (as `unsure`) when a declared schema omits a
//   required property.
// schema-fit/F2. Unsupported keywords (`$ref`, `anyOf`, patterns, …) are assumed to fit.
// schema-fit/F3. `withoutObject` reports only a schema that every object certainly fails.

import type { JsonSchema } from '../plan.ts';

export interface Misfit {
  readonly type: 'sure' | 'unsure';
  /** Where in the value: `.items[].score`; empty at the top. */
  readonly at: string;
  readonly why: string;
}

const DEPTH_MAX = 16;
/** Unsupported keywords; a schema with one of them is assumed to fit. */
const OPAQUE = ['$ref', '$dynamicRef', 'allOf', 'anyOf', 'oneOf', 'not', 'if'];

export function misfitOf(given: unknown, wanted: unknown): Misfit | undefined {
  return compare({ given, wanted, at: '', depth: 0 });
}

interface SchemaComparison {
  readonly given: unknown;
  readonly wanted: unknown;
  readonly at: string;
  readonly depth: number;
}

function compare({ given, wanted, at, depth }: SchemaComparison): Misfit | undefined {
  if (wanted === false) return { type: 'sure', at, why: 'the join allows no value here' };
  if (!isReadable(given) || !isReadable(wanted) || depth > DEPTH_MAX) return undefined;
  return (
    compareTypes(given, wanted, at) ??
    compareEnums(given, wanted, at) ??
    (mayBeOnly(given, 'object') ? compareObjects({ given, wanted, at, depth }) : undefined) ??
    (mayBeOnly(given, 'array') ? compareItems({ given, wanted, at, depth }) : undefined)
  );
}

function isReadable(schema: unknown): schema is JsonSchema {
  return isMap(schema) && !OPAQUE.some((word) => word in schema);
}

export function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The types that a schema allows; undefined when it allows all. */
export function typesOf(schema: JsonSchema): readonly string[] | undefined {
  const { type } = schema;
  if (typeof type === 'string') return [type];
  return Array.isArray(type) && type.every((one) => typeof one === 'string') ? type : undefined;
}

function mayBeOnly(schema: JsonSchema, type: string): boolean {
  const types = typesOf(schema);
  return types !== undefined && types.every((one) => one === type);
}

function compareTypes(given: JsonSchema, wanted: JsonSchema, at: string): Misfit | undefined {
  const from = typesOf(given);
  const to = typesOf(wanted);
  if (from === undefined || to === undefined) return undefined;
  const fits = from.some((one) => to.includes(one) || (isNumeric(one) && to.some(isNumeric)));
  return fits
    ? undefined
    : { type: 'sure', at, why: `it is ${from.join(' or ')}, and the join wants ${to.join(' or ')}` };
}

const isNumeric = (type: string): boolean => type === 'integer' || type === 'number';

/** The values that a schema lists; undefined when it lists none. */
function valuesOf(schema: JsonSchema): readonly unknown[] | undefined {
  if ('const' in schema) return [schema['const']];
  return Array.isArray(schema['enum']) ? schema['enum'] : undefined;
}

function compareEnums(given: JsonSchema, wanted: JsonSchema, at: string): Misfit | undefined {
  const from = valuesOf(given);
  const to = valuesOf(wanted);
  if (from === undefined || from.length === 0) return undefined;
  const types = typesOf(wanted);
  if (types !== undefined && !from.some((value) => types.some((type) => isOfType(value, type)))) {
    return { type: 'sure', at, why: `none of its values is ${types.join(' or ')}` };
  }
  const allowed = new Set(to?.map((value) => JSON.stringify(value)));
  if (to === undefined || from.some((value) => allowed.has(JSON.stringify(value)))) return undefined;
  return { type: 'sure', at, why: 'none of its values is one that the join allows' };
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isMap(value);
  if (isNumeric(type)) return typeof value === 'number';
  return typeof value === type;
}

/** The schemas of the properties that a schema declares; undefined when it declares none. */
export function schemaProperties(schema: JsonSchema): Readonly<Record<string, unknown>> | undefined {
  const properties = schema['properties'];
  return isMap(properties) ? properties : undefined;
}

/** True when properties other than the declared ones are forbidden. */
export function isClosed(schema: JsonSchema): boolean {
  return schema['additionalProperties'] === false && !('patternProperties' in schema);
}

function compareObjects(comparison: SchemaComparison): Misfit | undefined {
  const { given, wanted, at, depth } = comparison;
  if (!isMap(given) || !isMap(wanted)) return undefined;
  const from = schemaProperties(given);
  const to = schemaProperties(wanted);
  const missing = missingProperty(given, wanted, at);
  if (missing?.type === 'sure') return missing;
  for (const [name, inner] of Object.entries(from ?? {})) {
    const isRequired = namesIn(given, 'required').includes(name);
    const wantedInner = to !== undefined && Object.hasOwn(to, name) ? to[name] : undefined;
    if (wantedInner === undefined && isRequired && isClosed(wanted)) {
      return { type: 'sure', at: `${at}.${name}`, why: 'the join allows no such property' };
    }
    // A property that may be left out can still be left out, so only a required one is sure not to fit.
    const misfit =
      wantedInner === undefined
        ? undefined
        : compare({ given: inner, wanted: wantedInner, at: `${at}.${name}`, depth: depth + 1 });
    if (misfit !== undefined && (isRequired || namesIn(wanted, 'required').includes(name))) return misfit;
  }
  return missing;
}

function missingProperty(given: JsonSchema, wanted: JsonSchema, at: string): Misfit | undefined {
  const from = schemaProperties(given);
  for (const name of namesIn(wanted, 'required')) {
    const isDeclared = from !== undefined && Object.hasOwn(from, name);
    if (isDeclared && from[name] !== false) continue;
    if (isClosed(given))
      return { type: 'sure', at: `${at}.${name}`, why: 'the join requires it, and it can never be there' };
    const isOpen = from === undefined || 'patternProperties' in given || isMap(given['additionalProperties']);
    if (!isOpen) return { type: 'unsure', at: `${at}.${name}`, why: 'the join requires it, and it is not declared' };
  }
  return undefined;
}

function namesIn(schema: JsonSchema, word: string): readonly string[] {
  const names = schema[word];
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
}

function compareItems({ given, wanted, at, depth }: SchemaComparison): Misfit | undefined {
  if (!isMap(given) || !isMap(wanted)) return undefined;
  const from = given['items'];
  const to = wanted['items'];
  if (from === undefined || to === undefined) return undefined;
  // An empty list fits any schema of items, unless something must be in it.
  const misfit = compare({ given: from, wanted: to, at: `${at}[]`, depth: depth + 1 });
  const isNeverEmpty = Number(given['minItems'] ?? 0) > 0 || Number(wanted['minItems'] ?? 0) > 0;
  if (misfit === undefined || isNeverEmpty) return misfit;
  return { ...misfit, type: 'unsure' };
}

export interface ObjectObstacle {
  /** The keys from the schema to what rejects objects. */
  readonly path: readonly (string | number)[];
  readonly wanted: string;
}

const WANTED_MAX = 80;

/** What in the schema rejects every object; undefined where some object may fit, or nobody can tell. */
export const withoutObject = (schema: JsonSchema): ObjectObstacle | undefined =>
  obstacleIn({ schema, root: schema }, 0);

interface Within {
  readonly schema: unknown;
  readonly root: JsonSchema;
}

function obstacleIn({ schema, root }: Within, depth: number): ObjectObstacle | undefined {
  if (schema === false) return { path: [], wanted: 'nothing at all' };
  if (!isMap(schema) || depth > DEPTH_MAX) return undefined;
  const types = typesOf(schema);
  if (types?.includes('object') === false) return { path: ['type'], wanted: JSON.stringify(schema['type']) };
  const values = valuesOf(schema);
  if (values?.some(isMap) === false) {
    const key = 'const' in schema ? 'const' : 'enum';
    return { path: [key], wanted: `one of ${JSON.stringify(values).slice(0, WANTED_MAX)}` };
  }
  const inside = (each: unknown, ...path: ObjectObstacle['path']): ObjectObstacle | undefined => {
    const obstacle = obstacleIn({ schema: each, root }, depth + 1);
    return obstacle === undefined ? undefined : { ...obstacle, path: [...path, ...obstacle.path] };
  };
  for (const [index, each] of listOf(schema['allOf']).entries()) {
    const obstacle = inside(each, 'allOf', index);
    if (obstacle !== undefined) return obstacle;
  }
  for (const key of ['anyOf', 'oneOf']) {
    const obstacles = listOf(schema[key]).map((each) => inside(each));
    const wanted = obstacles.map((obstacle) => obstacle?.wanted);
    if (wanted.length > 0 && !wanted.includes(undefined)) return { path: [key], wanted: wanted.join(' or ') };
  }
  const target = targetOf(root, schema['$ref']);
  const referred = target === undefined ? undefined : obstacleIn({ schema: target, root }, depth + 1);
  return referred === undefined ? undefined : { path: ['$ref'], wanted: referred.wanted };
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** What a reference into the same schema names; undefined for any other reference. */
function targetOf(root: JsonSchema, reference: unknown): unknown {
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return undefined;
  let target: unknown = root;
  for (const part of reference.slice(2).split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (!isMap(target) || !Object.hasOwn(target, key)) return undefined;
    target = target[key];
  }
  return target;
}

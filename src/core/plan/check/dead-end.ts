// Whether a path can lead anywhere in an output, as far as its schema tells.

import { isClosed, isMap, schemaProperties, typesOf } from './schema-fit.ts';

export interface Dead {
  readonly type: 'never' | 'undeclared';
  readonly property: string;
  /** What the schema does declare here. */
  readonly known: readonly string[];
}

/** What Liquid adds to lists and texts. */
const ADDED: ReadonlySet<string> = new Set(['size', 'first', 'last']);
const OPAQUE = ['$ref', '$dynamicRef', 'allOf', 'anyOf', 'oneOf', 'if', 'patternProperties'];

/** Undefined when the path may lead to a value. */
export function deadEndOf(schema: unknown, path: readonly (string | number)[]): Dead | undefined {
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

function scalarEnd(types: readonly string[] | undefined, property: string): Dead | undefined {
  return types === undefined || types.includes('array') ? undefined : { type: 'never', property, known: [] };
}

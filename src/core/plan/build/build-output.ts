// Output schemas. `{ $ref: schemas/review.json }` is replaced by the file that the caller read.

import type { SourcePath } from '../diagnostic.ts';
import type { JsonSchema } from '../plan.ts';
import { reportAtPath } from './building.ts';
import type { Building } from './building.ts';

/** The file that a schema refers to; undefined when it is a schema itself. */
export function refOf(schema: JsonSchema): string | undefined {
  const ref = Object.hasOwn(schema, '$ref') ? schema['$ref'] : undefined;
  return typeof ref === 'string' && !ref.startsWith('#') && Object.keys(schema).length === 1 ? ref : undefined;
}

export function buildOutput(
  building: Building,
  schema: JsonSchema | undefined,
  path: SourcePath,
): JsonSchema | undefined {
  const ref = schema === undefined ? undefined : refOf(schema);
  if (ref === undefined || !building.schemas.has(ref)) return schema;
  const read = building.schemas.get(ref);
  if (isSchema(read)) return read;
  reportAtPath(building, [...path, 'output'], {
    code: 'unreadable-schema',
    message: `The schema ${JSON.stringify(ref)} cannot be read as a JSON object.`,
    hint: 'Check the path, which starts at the folder of the plan, and that the file holds a JSON Schema.',
  });
  return undefined;
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

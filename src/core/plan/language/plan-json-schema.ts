// The JSON Schema of a plan file, generated from the declarations that read it.

import type { JsonSchema } from '../plan.ts';
import type { Definitions } from './shape.ts';
import { planFile } from './plan-shape.ts';

/** The JSON Schema of plan files, for editors. */
export function planJsonSchema(): JsonSchema {
  const definitions: Definitions = new Map();
  const plan = planFile.schema(definitions);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Heddle plan',
    description: 'A plan of tasks for coding agents, run by Heddle.',
    ...plan,
    $defs: Object.fromEntries(definitions),
  };
}

/** The schema as it is committed and shipped. */
export function planJsonSchemaText(): string {
  return `${JSON.stringify(planJsonSchema(), undefined, 2)}\n`;
}

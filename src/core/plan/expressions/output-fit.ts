// Checks the output of a step against the schema that the plan declares for it.
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { JsonSchema } from '../plan.ts';

const WRONGS_TOLD_MAX = 3;

/** A short reason why the value does not fit; undefined when it does. */
export function misfitOfOutput(schema: JsonSchema, value: unknown): string | undefined {
  // Unknown keywords, of other drafts or of editors, are no reason to refuse a value.
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false, logger: false });
  try {
    return ajv.validate(schema, value) ? undefined : wrongsIn(ajv.errors ?? []);
  } catch (cause) {
    return `the schema itself cannot be used (${cause instanceof Error ? cause.message : String(cause)})`;
  }
}

function wrongsIn(errors: readonly ErrorObject[]): string {
  const told = errors
    .slice(0, WRONGS_TOLD_MAX)
    .map(({ instancePath, message }) => `${instancePath || 'it'} ${message}`);
  const more = errors.length - told.length;
  return told.join('; ') + (more > 0 ? `; and ${more} more` : '');
}

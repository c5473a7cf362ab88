// Checks the output of a step against the schema that the plan declares for it.
//
// output-fit/O1. Patterns and the comparison of items take time linear in the output, so that no output holds up the
//   worker that checks it.
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { JsonSchema } from '../plan.ts';
import { linearPattern } from './linear-pattern.ts';

const MISFITS_SHOWN_MAX = 3;

/** A short reason why the value does not fit; undefined when it does. */
export function misfitOfOutput(schema: JsonSchema, value: unknown): string | undefined {
  try {
    const ajv = makeValidator();
    return ajv.validate(schema, value) ? undefined : wrongsIn(ajv.errors ?? []);
  } catch (cause) {
    if (cause instanceof RangeError) return `it cannot be judged (${cause.message})`;
    return `the schema itself cannot be used (${cause instanceof Error ? cause.message : String(cause)})`;
  }
}

/** Unknown keywords, of other drafts or of editors, are no reason to refuse a value. */
function makeValidator(): Ajv2020 {
  const code = { regExp: Object.assign(makePattern, { code: 'makePattern' }) };
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false, logger: false, code });
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    validate: (isWanted: boolean, items: readonly unknown[]) => !isWanted || areDifferent(items),
    error: { message: 'must NOT have duplicate items' },
  });
  return ajv;
}

function makePattern(source: string): { readonly test: (text: string) => boolean; readonly toString: () => string } {
  const pattern = linearPattern(source);
  if (pattern.type === 'refused') throw new Error(`the pattern ${JSON.stringify(source)} is refused: ${pattern.why}`);
  // The validator tells patterns apart by their texts.
  return { test: pattern.test, toString: () => source };
}

/** Compared as texts, because comparing each with each takes too long for a list of many. */
const areDifferent = (items: readonly unknown[]): boolean => new Set(items.map(canonical)).size === items.length;

/** Equal values have equal texts: keys are sorted. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).toSorted(([one], [other]) => (one < other ? -1 : 1)));
  });
}

function wrongsIn(errors: readonly ErrorObject[]): string {
  const listed = errors
    .slice(0, MISFITS_SHOWN_MAX)
    .map(({ instancePath, message }) => `${instancePath || 'it'} ${message}`);
  const more = errors.length - listed.length;
  return listed.join('; ') + (more > 0 ? `; and ${more} more` : '');
}

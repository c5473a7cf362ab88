import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { planJsonSchema } from '../language/plan-json-schema.ts';
import { parsePlan } from './parse.ts';

const REFERENCE = readFileSync(new URL('../../../../docs/reference/plan.md', import.meta.url), 'utf8');
const EXAMPLES = [...REFERENCE.matchAll(/```yaml\n(heddle:[^]*?)```/g)].map(([, text = '']) => text);

/** Every key that the schema knows, wherever it stands. */
function keysOf(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([name, child]: [string, unknown]) => [
    ...(name === 'properties' && typeof child === 'object' && child !== null ? Object.keys(child) : []),
    ...keysOf(child),
  ]);
}

describe('the reference of the language', () => {
  test('names every key that the parser knows', () => {
    const missing = [...new Set(keysOf(planJsonSchema()))].filter((key) => !new RegExp(`\\b${key}\\b`).test(REFERENCE));
    expect(missing).toEqual([]);
  });

  test.each(EXAMPLES)('has only examples without mistakes: %j', (text) => {
    expect(
      parsePlan(text, { file: 'example.yaml' }).diagnostics.filter(({ severity }) => severity === 'error'),
    ).toEqual([]);
  });
});

import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { parsePlan } from '../build/parse.ts';
import { arbitraryPlanText } from '../plan.given.ts';
import { planJsonSchema, planJsonSchemaText } from './plan-json-schema.ts';

const accepts = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true }).compile(planJsonSchema());

describe('the JSON Schema of plans', () => {
  test('is committed as it is generated', () => {
    const committed = readFileSync(new URL('../../../../schema/plan.schema.json', import.meta.url), 'utf8');
    expect(committed, 'write planJsonSchemaText() to schema/plan.schema.json').toBe(planJsonSchemaText());
  });

  test('explains every key to the editor', () => {
    const withoutWords: string[] = [];
    const visit = (schema: unknown, at: string): void => {
      if (typeof schema !== 'object' || schema === null) return;
      for (const [key, child] of Object.entries(schema)) {
        if (key === 'properties') {
          for (const [name, property] of Object.entries(child)) {
            const words: unknown =
              property !== null && typeof property === 'object' && 'description' in property && property.description;
            if (typeof words !== 'string' || words.length < 10) withoutWords.push(`${at}/${name}`);
          }
        }
        visit(child, `${at}/${key}`);
      }
    };
    visit(planJsonSchema(), '');
    expect(withoutWords).toEqual([]);
  });

  test('accepts every plan that the parser accepts', () => {
    fc.assert(
      fc.property(arbitraryPlanText(), (text) => {
        expect(accepts(load(text)), JSON.stringify(accepts.errors)).toBe(true);
      }),
      { numRuns: 100, seed: 5 },
    );
  });

  test.each([
    'heddle: 2\ntasks: { a: { run: x } }',
    'heddle: 1',
    'heddle: 1\ntasks: { a: { rum: x } }',
    'heddle: 1\ntasks: { a: { run: x, prompt: y } }',
    'heddle: 1\ntasks: { a: { run: [x] } }',
    'heddle: 1\ntasks: { "a/b": { run: x } }',
    'heddle: 1\nmax_parallel: 64\ntasks: { a: { run: x } }',
    'heddle: 1\ntimeout: 45\ntasks: { a: { run: x } }',
    'heddle: 1\nfailure_mode: never\ntasks: { a: { run: x } }',
    'heddle: 1\ntasks: { a: { tasks: { b: { for_each: { in: [1], task: {} } } } } }',
    'heddle: 1\ntasks: { a: { steps: [{ id: x }] } }',
    'heddle: 1\ntasks: { a: { needs: { any: [b], race: [c] }, run: x }, b: { run: x }, c: { run: x } }',
  ])('refuses %j, as the parser does', (text) => {
    expect(accepts(load(text))).toBe(false);
    expect(parsePlan(text, { file: 'plan.yaml' }).plan).toBeUndefined();
  });
});

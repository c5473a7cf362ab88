import { expect, test } from 'vitest';
import { parsePlan } from '../build/parse.ts';
import { schemaRefs } from './schema-refs.ts';

const PLAN = `heddle: 1
tasks:
  a: { run: x, output: &out { $ref: schemas/a.json } }
  b: { run: x, output: *out }
  c: { steps: [{ run: y, output: { $ref: "#/inner" } }, { run: z, output: { $ref: b.json } }] }
  d: { run: x, output: { type: object, $ref: c.json } }
`;

test('names each schema file once', () => {
  expect(schemaRefs(PLAN)).toEqual(['schemas/a.json', 'b.json']);
  expect(schemaRefs('not: [a plan')).toEqual([]);
});

test('a schema that was read takes the place of its ref, one that was not keeps it', () => {
  const schemas = new Map([['schemas/a.json', { type: 'object', title: 'A' }]]);
  const { plan } = parsePlan(PLAN, { file: 'plan.yaml', schemas });
  expect(plan?.tasks.map(({ output }) => output)).toEqual([
    { type: 'object', title: 'A' },
    { type: 'object', title: 'A' },
    { $ref: 'b.json' },
    { type: 'object', $ref: 'c.json' },
  ]);
});

test('a schema that could not be read is reported once where it is used', () => {
  const schemas = new Map<string, unknown>([['b.json', [1]]]);
  const { diagnostics } = parsePlan(PLAN, { file: 'plan.yaml', schemas });
  expect(diagnostics.map(({ code, position }) => [code, position])).toEqual([
    ['unreadable-schema', { line: 5, column: 75 }],
  ]);
});

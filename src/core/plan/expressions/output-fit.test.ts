import { expect, test } from 'vitest';
import { misfitOfOutput } from './output-fit.ts';

const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'], additionalProperties: false };

test('a value of the declared shape has no misfit', () => {
  expect(misfitOfOutput(schema, { n: 1 })).toBeUndefined();
  expect(misfitOfOutput({}, null)).toBeUndefined();
});

test('a mismatch has its position and reason, and further ones are counted', () => {
  expect(misfitOfOutput(schema, { n: 'x' })).toBe('/n must be integer');
  expect(misfitOfOutput(schema, [])).toBe('it must be object');
  expect(misfitOfOutput({ items: { type: 'number' } }, ['a', 'b', 'c', 'd', 'e'])).toBe(
    '/0 must be number; /1 must be number; /2 must be number; and 2 more',
  );
});

test('a schema that cannot be used is said to be the trouble', () => {
  expect(misfitOfOutput({ type: 'nonsense' }, 1)).toContain('the schema itself cannot be used');
  expect(misfitOfOutput({ $ref: 'https://example.com/elsewhere' }, 1)).toContain('the schema itself cannot be used');
});

test('words that are unknown to the draft are no trouble', () => {
  expect(misfitOfOutput({ type: 'string', format: 'uuid', example: 'a' }, 'b')).toBeUndefined();
  expect(misfitOfOutput({ $id: 'a', type: 'string' }, 'b')).toBeUndefined();
});

test('patterns are matched without backtracking, patterns of property names too', () => {
  const long = `${'a'.repeat(40_000)}!`;
  expect(misfitOfOutput({ type: 'string', pattern: '^(a+)+$' }, long)).toBe('it must match pattern "^(a+)+$"');
  expect(misfitOfOutput({ patternProperties: { '^(a|a)+$': { type: 'number' } } }, { [long]: 'x' })).toBeUndefined();
  expect(misfitOfOutput({ propertyNames: { pattern: '^(a|a)+$' } }, { [long]: 1 })).toContain(
    'property name must be valid',
  );
  expect(misfitOfOutput({ pattern: '(?=a)' }, 'a')).toContain('is refused: it looks ahead or behind');
  expect(misfitOfOutput({ pattern: 'a{1000}' }, 'b'.repeat(100_000))).toContain('it cannot be judged');
});

test('many items are compared at once, whatever the order of their keys', () => {
  const items = Array.from({ length: 100_000 }, (_, n) => ({ n, m: [n] }));
  expect(misfitOfOutput({ uniqueItems: true }, items)).toBeUndefined();
  expect(misfitOfOutput({ uniqueItems: true }, [...items, { m: [7], n: 7 }])).toBe('it must NOT have duplicate items');
  expect(misfitOfOutput({ uniqueItems: false }, [1, 1])).toBeUndefined();
  expect(misfitOfOutput({ uniqueItems: true }, [1, '1', null, 'null'])).toBeUndefined();
});

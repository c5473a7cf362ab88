import { expect, test } from 'vitest';
import { isStrict } from './is-strict.ts';

const closed = (properties: Record<string, unknown>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

test('a shape whose objects are closed all the way down can be held to', () => {
  expect(isStrict(closed({}))).toBe(true);
  const item = closed({ name: { type: 'string', enum: ['a', 'b'] }, size: { anyOf: [{ type: 'null' }, closed({})] } });
  expect(isStrict(closed({ list: { type: 'array', items: item, description: 'all of them' } }))).toBe(true);
});

test.each([
  ['is no object outermost', { type: 'array', items: { type: 'string' } }],
  ['allows further fields', { type: 'object', properties: {}, required: [] }],
  ['has a field that may be left out', { ...closed({ a: { type: 'string' } }), required: [] }],
  ['has an open object inside', closed({ a: { type: 'object' } })],
  ['has a list of anything', closed({ a: { type: 'array' } })],
  ['has a rule that providers do not know', closed({ a: { type: 'string', minLength: 1 } })],
  ['has an open choice', closed({ a: { anyOf: [{ type: 'object' }] } })],
])('a shape that %s is not', (_, schema) => {
  expect(isStrict(schema)).toBe(false);
});

import { describe, expect, test } from 'vitest';
import { misfitOf } from './schema-fit.ts';

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });

describe('the schema of a need and the schema that a join expects', () => {
  test.each<[string, unknown, unknown, string]>([
    ['types', { type: 'string' }, { type: 'object' }, ''],
    ['a boolean schema', {}, false, ''],
    ['lists of types', { type: ['string', 'null'] }, { type: ['object', 'array'] }, ''],
    ['values', { enum: ['a', 'b'] }, { enum: ['c'] }, ''],
    ['a constant', { const: 1 }, { const: 2 }, ''],
    ['values of a type', { enum: ['a', null] }, { type: ['object', 'array', 'number', 'boolean'] }, ''],
    [
      'a property that is required here',
      object({ x: { type: 'string' } }, { required: ['x'] }),
      object({ x: { type: 'number' } }),
      '.x',
    ],
    [
      'a property that is required there',
      object({ x: { type: 'string' } }),
      object({ x: { type: 'number' } }, { required: ['x'] }),
      '.x',
    ],
    ['a property that can never be there', object({}, { additionalProperties: false }), { required: ['x'] }, '.x'],
    [
      'a property that is forbidden',
      object({ x: {} }, { required: ['x'] }),
      object({}, { additionalProperties: false }),
      '.x',
    ],
    [
      'a property deep inside',
      object({ x: object({ y: { type: 'null' } }, { required: ['y'] }) }, { required: ['x'] }),
      object({ x: object({ y: { type: 'string' } }) }),
      '.x.y',
    ],
    [
      'items of a list that is never empty',
      { type: 'array', items: { type: 'string' }, minItems: 1 },
      { items: { type: 'number' } },
      '[]',
    ],
  ])('%s can never fit', (...row) => {
    const [, given, wanted, at] = row;
    expect(misfitOf(given, wanted)).toMatchObject({ type: 'sure', at });
  });

  test.each<[string, unknown, unknown]>([
    ['a required property that is not declared', object({ y: {} }), { required: ['x'] }],
    ['items of a list that may be empty', { type: 'array', items: { type: 'string' } }, { items: { type: 'number' } }],
  ])('%s may not fit', (_name, given, wanted) => {
    expect(misfitOf(given, wanted)).toMatchObject({ type: 'unsure' });
  });

  test.each<[string, unknown, unknown]>([
    ['an object and any object', object({ x: {} }), { type: 'object' }],
    ['anything and anything', {}, {}],
    ['an integer and a number', { type: 'integer' }, { type: 'number' }],
    ['a number and an integer', { type: 'number' }, { type: 'integer' }],
    ['one type of several', { type: ['string', 'object'] }, { type: 'object' }],
    ['a shared value', { enum: ['a', 'b'] }, { enum: ['b', 'c'] }],
    ['an optional property of another type', object({ x: { type: 'string' } }), object({ x: { type: 'number' } })],
    ['a reference', { $ref: '#/x' }, { type: 'object' }],
    ['a choice', { anyOf: [{ type: 'string' }] }, { type: 'object' }],
    [
      'a required property under a pattern',
      { type: 'object', properties: {}, patternProperties: { x: {} } },
      { required: ['x'] },
    ],
    ['a required property of an open shape', { type: 'object' }, { required: ['x'] }],
    ['lists without items', { type: 'array' }, { type: 'array', items: {} }],
    [
      'values that fit a type',
      { enum: [[], {}, 1, true, null] },
      { type: ['array', 'object', 'integer', 'boolean', 'null'] },
    ],
    ['something that is no schema', 'x', { type: 'object' }],
  ])('%s is taken to fit', (_name, given, wanted) => {
    expect(misfitOf(given, wanted)).toBeUndefined();
  });
});

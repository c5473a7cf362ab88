import { array, assert, constantFrom, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isPatternBounded } from './expression-references.ts';
import { evaluate, readExpression } from './expression.ts';
import { writeReference } from './text-reference.ts';
import type { Json } from '../plan.ts';

const namesIn = (text: string) => readExpression(text).references.map((reference) => writeReference(reference));
const verdict = (score: Json) => ({ tasks: { verdict: { output: { security: { score } } } } });
const PAGE = 'tasks.verdict.output.security.score >= 7';

describe('reading an expression', () => {
  test('lists the names that it reads, with their positions', () => {
    expect(readExpression('inputs.n > 1 && ' + PAGE)).toEqual({
      references: [
        { root: 'inputs', path: ['n'], offset: 0, open: false, guarded: false },
        { root: 'tasks', path: ['verdict', 'output', 'security', 'score'], offset: 16, open: false, guarded: false },
      ],
      problems: [],
      gives: 'bool',
    });
  });

  test.each([
    ['tasks["api-v2"].output[0].b', ['tasks.api-v2.output[0].b']],
    ['steps.a.output.items.map(x, x.y + inputs.z)', ['steps.a.output.items', 'inputs.z']],
    ['cel.bind(q, inputs.a, q + 1)', ['inputs.a']],
    ['type(inputs.a) == int', ['inputs.a']],
    ['{"a": inputs.b}.a + [env.X][0]', ['inputs.b', 'env.X']],
    ['-inputs.a > 0 ? !inputs.b : size(inputs.c) in [1]', ['inputs.a', 'inputs.b', 'inputs.c']],
    ['inputs.a.startsWith(inputs.b)', ['inputs.a', 'inputs.b']],
  ])('%s', (text, names) => {
    expect(namesIn(text)).toEqual(names);
  });

  test('a guarded read and a read by a computed index are reported', () => {
    expect(readExpression('has(inputs.a.b)').references).toMatchObject([{ path: ['a', 'b'], guarded: true }]);
    expect(readExpression('inputs.?a.orValue(1)').references).toMatchObject([{ path: ['a'], guarded: true }]);
    expect(readExpression('tasks[inputs.k].ok').references).toMatchObject([
      { root: 'inputs', open: false },
      { root: 'tasks', path: [], open: true },
    ]);
    expect(readExpression('(inputs.a + inputs.b)[inputs.i].c').references).toMatchObject([
      { path: ['i'] },
      { path: ['a'], open: false },
      { path: ['b'], open: false },
    ]);
  });

  test.each([
    ['a +', 3],
    ['a b', 2],
    ['1 + "a"', 0],
    ['nofunction(1)', 0],
    ['', 0],
    ['('.repeat(3_000), 64],
    ['!'.repeat(3_999) + 'a', 1_999],
    ['a'.repeat(4_001), 0],
    ['[1].map(x, [1].map(y, [1].map(z, z)))', 22],
    ['"a".matches("(a+)+$")', 12],
    ['"a".matches(inputs.pattern)', 12],
    ['cel.bind(a, "x" + "x", cel.bind(b, a + a, cel.bind(c, b + b, cel.bind(d, c + c, cel.bind(e, d + d, e)))))', 0],
  ])('%.30s is a problem', (text, offset) => {
    expect(readExpression(text).problems).toMatchObject([{ offset }]);
    expect(evaluate(text, {})).toMatchObject({ type: 'failed', reason: 'syntax' });
  });
});

test('an incomplete expression is reported with a sentence', () => {
  expect(readExpression('a +').problems).toEqual([{ message: 'it ends too early', offset: 3 }]);
});

describe('evaluating an expression', () => {
  test('the page of the language works for whole and broken numbers', () => {
    expect(evaluate(PAGE, verdict(7))).toEqual({ type: 'value', value: true });
    expect(evaluate(PAGE, verdict(7.5))).toEqual({ type: 'value', value: true });
    expect(evaluate(PAGE, verdict(6))).toEqual({ type: 'value', value: false });
  });

  test('a value of the wrong type is a failure in words', () => {
    expect(evaluate(PAGE, verdict('a string'))).toEqual({
      type: 'failed',
      reason: 'wrong-type',
      name: undefined,
      message: '`string >= int` cannot be worked out',
    });
  });

  test('a missing name is a failure that names it', () => {
    expect(evaluate('1 > 0 && ' + PAGE, { tasks: { verdict: {} } })).toMatchObject({
      reason: 'missing-name',
      name: 'tasks.verdict.output',
    });
    expect(evaluate('toString', {})).toMatchObject({ reason: 'missing-name', name: 'toString' });
  });

  test.each([
    ['inputs.n * 2.0 + 1', 15],
    ['inputs.n + 0.5 - 1', 6.5],
    ['0.5 / inputs.n < 1', true],
    ['size(inputs.list) == 2.0 && 2.0 == size(inputs.list)', true],
    ['1 != 1.5 && inputs.n in [7.0]', true],
    ['[1, 2.5, "a", null, {"k": true}]', [1, 2.5, 'a', null, { k: true }]],
    ['7u', 7],
    ['inputs.n % 2 == 1 && inputs.list[inputs.n - 6] == 2', true],
    ['inputs.?absent', null],
    ['inputs.?n', 7],
    ['timestamp("2024-01-01T00:00:00Z")', '2024-01-01T00:00:00.000Z'],
    ['inputs.list.filter(x, x > 1)', [2]],
    ['inputs', { n: 7, list: [1, 2], on: true, none: null }],
    ['inputs.list[1] == 2 && inputs.on', true],
    ['"abc".matches("^a.c$")', true],
  ])('%s', (text, value) => {
    expect(evaluate(text, { inputs: { n: 7, list: [1, 2], on: true, none: null } })).toEqual({ type: 'value', value });
  });

  test.each(['1.0 / 0.0', 'b"x"', 'int', '9007199254740993', '[b"x"]', '{"a": b"x"}', 'duration("3s")', '1 / 0'])(
    '%s is not JSON',
    (text) => {
      expect(evaluate(text, {})).toMatchObject({ type: 'failed', reason: 'wrong-type' });
    },
  );

  test('a value nested without end is a limit, not a crash', () => {
    let deep: Json = 1;
    for (let depth = 0; depth < 50_000; depth += 1) deep = [deep];
    expect(evaluate('inputs.a', { inputs: { a: deep } })).toMatchObject({ type: 'failed', reason: 'limit' });
  });

  test('nothing is thrown, whatever the text', () => {
    const pieces = constantFrom(
      'a',
      '.b',
      '(',
      ')',
      '[',
      ']',
      '0',
      '1.5',
      '"',
      '+',
      '==',
      '&&',
      '!',
      '?',
      ':',
      '{',
      '}',
      ' in ',
      '.map(x,',
      'has(',
      '.?',
    );
    assert(
      property(array(pieces, { maxLength: 15 }), (parts) => {
        readExpression(parts.join(''));
        evaluate(parts.join(''), { a: { b: [1] } });
      }),
      { numRuns: 500 },
    );
  });
});

describe('patterns', () => {
  test.each(['^a+$', '[a-z]+(foo|bar)', '\\d{2,4}', '(?:ab)+', 'a*b*'])('%s is bounded', (pattern) => {
    expect(isPatternBounded(pattern)).toBe(true);
  });

  test.each(['(a+)+', '(a|aa)*', '((a)*b)+', '(', '(?=a)', '(a)\\1', 'a*'.repeat(7), 'a'.repeat(501), '(a{1,9}){1,9}'])(
    '%s is not',
    (pattern) => {
      expect(isPatternBounded(pattern)).toBe(false);
    },
  );
});

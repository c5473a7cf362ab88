import { expect, test } from 'vitest';
import { readSource } from '../source.ts';
import { checkFunctionSize, checkParameters } from './sizes.ts';

const lines = (count: number) => 'a();\n'.repeat(count);

test('a function of 70 lines is fine and one of 71 is not, arrows and methods too', () => {
  const wrapped = (before: string, after: string, count: number) =>
    checkFunctionSize(readSource('src/a.ts', `${before}\n${lines(count - 2)}${after}\n`));
  expect(wrapped('function f() {', '}', 70)).toEqual([]);
  expect(wrapped('function f() {', '}', 71)[0]?.says).toContain('71 lines');
  expect(wrapped('const f = () => {', '};', 71)).toHaveLength(1);
  expect(wrapped('const o = { f(): void {', '} };', 71)).toHaveLength(1);
});

test('a describe may be long, but the tests in it may not', () => {
  const text = (body: string) => `describe('a', () => {\n${body}});\n`;
  expect(checkFunctionSize(readSource('src/a.test.ts', text(lines(80))))).toEqual([]);
  expect(checkFunctionSize(readSource('src/a.ts', text(lines(80))))).toHaveLength(1);
  expect(checkFunctionSize(readSource('src/a.test.ts', text(`test('b', () => {\n${lines(80)}});\n`)))).toHaveLength(1);
});

test('four parameters are fine and five are not', () => {
  expect(checkParameters(readSource('src/a.ts', 'const f = (a: A, b: B, c: C, d: D) => a;'))).toEqual([]);
  expect(checkParameters(readSource('src/a.ts', '\nconst f = (a: A, b: B, c: C, d: D, e: E) => a;'))).toMatchObject([
    { line: 2, says: expect.stringContaining('5 parameters') },
  ]);
});

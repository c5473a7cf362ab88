import { describe, expect, test } from 'vitest';
import { functionsOf } from './functions.ts';
import { readSource } from './source.ts';

const found = (text: string) => functionsOf(readSource('src/a.ts', text));
const counts = (text: string): readonly number[] => found(text).map(({ parameters }) => parameters);

describe('functionsOf', () => {
  test('counts the parameters of functions, arrows, methods and signatures', () => {
    expect(counts('function f(a: A, b: B): void {}')).toEqual([2]);
    expect(counts('const f = (a, b, c) => a;')).toEqual([3]);
    expect(counts('const f = async <T>(a: T): Promise<T> => a;')).toEqual([1]);
    expect(counts('const o = { f(a, b) { return a; }, async g() {} };')).toEqual([2, 0]);
    expect(counts('interface I { f(a: A, b: B): C; g(): void; }')).toEqual([2, 0]);
    expect(counts('function* f<T extends Map<K, V>>(a: T, b: T) {}')).toEqual([2]);
    expect(counts('type F = (a: A, b: B, c: C, d: D) => E;')).toEqual([4]);
  });

  test('does not count commas inside a parameter', () => {
    expect(counts('function f({ a, b, c }: { a: A; b: B; c: C }, d: Map<string, number>, [e, g] = [1, 2]) {}')).toEqual(
      [3],
    );
    expect(counts('function f(\n  a: A,\n  b: B,\n) {}')).toEqual([2]);
    expect(counts('function f(g: (x: X, y: Y) => Z) {}')).toEqual([1, 2]);
  });

  test('takes calls, conditions and groups for what they are', () => {
    expect(counts('if (a, b, c, d) { e(1, 2, 3, 4); }')).toEqual([]);
    expect(counts('for (let i = 0, j = 0, k = 0, l = 0; i < 9; i += 1) {}')).toEqual([]);
    expect(counts('const x = a ? f(b, c, d, e) : { g: 1 };')).toEqual([]);
    expect(counts('const x = (a + b) / c; switch (d) { case 1: { break; } }')).toEqual([]);
  });

  test('measures a function from its parameters to its last brace', () => {
    expect(found('function f(): { a: number } {\n  g();\n  h();\n}\n').map(({ lines }) => lines)).toEqual([4]);
    expect(found('function f(a: A): a is B {\n  return true;\n}\n').map(({ lines }) => lines)).toEqual([3]);
    expect(
      found('function f(a: A): Map<A, { b: B }> | undefined {\n  return g;\n}\n').map(({ lines }) => lines),
    ).toEqual([3]);
    expect(found('const f = (a: A) =>\n  a\n    .b()\n    .c();\n').map(({ lines }) => lines)).toEqual([4]);
  });

  test('keeps a function type that is returned apart from the body after it', () => {
    const text = 'function f(a: A): (b: B) => C | undefined {\n  g();\n  return h;\n}\nconst i = 1;\n';
    expect(found(text).map(({ lines }) => lines)).toEqual([4, 1]);
  });

  test('says which call a function is given to', () => {
    expect(found(`describe('a', () => {\n  b();\n});`).map(({ argumentOf }) => argumentOf)).toEqual(['describe']);
    expect(found('const f = () => 1;').map(({ argumentOf }) => argumentOf)).toEqual([undefined]);
  });
});

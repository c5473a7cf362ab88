import { describe, expect, test } from 'vitest';
import { readSource, type Source } from '../source.ts';
import type { Violation } from '../violation.ts';
import { checkAssertions, checkClaims, checkClasses, checkExports, checkPurity, checkSwitches } from './values.ts';

type Check = (source: Source) => readonly Violation[];
const fires = (check: Check, text: string, path = 'src/core/net/fire.ts') => check(readSource(path, text)).length;

describe('holes in the types', () => {
  test.each(['let a!: B;', 'class A { b!: C; }'])('a claim is found in %s', (text) => {
    expect(fires(checkClaims, text)).toBe(1);
  });
  test.each(['let a: B;', '!a', 'class A { b: C = 1; }'])('no claim is seen in %s', (text) => {
    expect(fires(checkClaims, text)).toBe(0);
  });

  test.each([
    'a as B',
    'f() as B',
    '({}) as B',
    'x = [] as B[]',
    'a as { b: C }',
    'a as (b: C) => D',
    'a as unknown as B',
  ])('an assertion without a reason is found in %s', (text) => expect(fires(checkAssertions, text)).toBeGreaterThan(0));
  test.each([
    'a as const',
    "import { a as b } from 'c';",
    "import * as a from 'b';",
    'export { a as b };',
    'x.as(b)',
    '{ as: 1 }',
  ])('no assertion is seen in %s', (text) => expect(fires(checkAssertions, text)).toBe(0));
  test('an assertion with a reason on its line or the line before is content', () => {
    expect(fires(checkAssertions, '// The parser has checked the shape.\nconst a = b as C;')).toBe(0);
    expect(fires(checkAssertions, 'const a = b as C; // The parser has checked the shape.')).toBe(0);
    expect(fires(checkAssertions, '// The parser has checked the shape.\n\nconst a = b as C;')).toBe(1);
    expect(fires(checkAssertions, '/** What it is, in a sentence. */\nconst a = b as C;')).toBe(1);
    expect(fires(checkAssertions, '// Trust me.\nconst a = b as C;')).toBe(1);
  });
});

describe('switches', () => {
  test('over a type may not have a default', () => {
    expect(fires(checkSwitches, 'switch (need.type) { case 1: a(); default: b(); }')).toBe(1);
    expect(fires(checkSwitches, 'switch (type) { default: b(); }')).toBe(1);
    expect(fires(checkSwitches, 'switch (f(a).type) { case 1: { switch (b) { default: c(); } } }')).toBe(0);
  });
  test('over anything else may have one', () => {
    expect(fires(checkSwitches, 'switch (letter) { default: b(); }')).toBe(0);
    expect(fires(checkSwitches, 'switch (need.type) { case 1: a({ default: 1 }); }')).toBe(0);
  });
});

describe('exports', () => {
  test('are not only passed on', () => {
    expect(fires(checkExports, "export * from './a.ts'; export { b } from './b.ts';")).toBe(1);
    expect(fires(checkExports, "export { b } from './b.ts'; export const c = 1;")).toBe(0);
  });
});

describe('core', () => {
  test.each([
    'Date.now()',
    'Math.random()',
    'console.log(a)',
    'process.env',
    'new Date()',
    'await f()',
    'async () => 1',
    'fetch(a)',
  ])('may not reach for %s', (text) => {
    expect(fires(checkPurity, text)).toBeGreaterThan(0);
    expect(fires(checkPurity, text, 'src/cli/main.ts')).toBe(0);
    expect(fires(checkPurity, text, 'src/core/net/fire.test.ts')).toBe(0);
  });
  test.each([
    'step.async',
    '{ async: true }',
    'Date.parse(a)',
    'Math.max(a)',
    'a.process',
    'new Date(ms)',
    'const process = 1;',
  ])('may say %s', (text) => expect(fires(checkPurity, text)).toBe(0));
  test('has no classes, while the shell may', () => {
    expect(fires(checkClasses, 'export class A {}')).toBe(1);
    expect(fires(checkClasses, 'const a = class {};')).toBe(1);
    expect(fires(checkClasses, 'class A {}', 'src/shell/exec/process.ts')).toBe(0);
    expect(fires(checkClasses, 'a({ class: 1 }); a.class;')).toBe(0);
  });
});

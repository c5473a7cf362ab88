import { describe, expect, test } from 'vitest';
import { readSource } from '../source.ts';
import { checkComments, checkProse, checkSkipped, checkTestNames, checkText } from './words.ts';

const comment = (text: string) => checkComments(readSource('src/a.ts', text)).length;

describe('comments', () => {
  test.each([
    '// TODO later',
    '/* a\n * FIXME b */',
    '// see #3704',
    '// TICKET-761 part 2b',
    '// As issue 12 asks',
    '// oxlint-disable-next-line',
    '// @ts-expect-error it works',
    '/* v8 ignore next */',
    '// ---------- part two',
    '// const a = 1;',
    '// fire(net);',
  ])('may not say: %s', (text) => expect(comment(text)).toBe(1));

  test.each([
    '// A step is claimed once; then it works.',
    '// UTF-8 and SHA-256 are names.',
    "const a = '// TODO';",
    '// a#1 is the first attempt.',
    '// Return it however it ends;',
    '// ready → working → ended',
  ])('may say: %s', (text) => expect(comment(text)).toBe(0));

  test('may expect an error of the compiler in a test of types, with a reason', () => {
    const found = (path: string, text: string): number => checkComments(readSource(path, text)).length;
    expect(found('src/plan-types.test.ts', '// @ts-expect-error The need is misspelt.')).toBe(0);
    expect(found('src/plan-types.test.ts', '// @ts-expect-error')).toBe(1);
    expect(found('src/plan.test.ts', '// @ts-expect-error The need is misspelt.')).toBe(1);
  });

  test('are placed on their own line inside a block', () => {
    expect(checkComments(readSource('src/a.ts', 'a();\n/* b\n * TODO c */'))).toMatchObject([{ line: 3 }]);
  });
});

describe('texts', () => {
  const machinePath = ['', 'home', 'me', 'heddle'].join('/');
  const registry = ['https:', '', ['registry', 'npmjs', 'org'].join('.'), 'a'].join('/');

  test('name no machine and no registry', () => {
    expect(checkText('README.md', `See ${machinePath}.`)).toMatchObject([
      { line: 1, says: expect.stringContaining('machine') },
    ]);
    expect(checkText('package-lock.json', `{\n"resolved": "${registry}"}`)).toMatchObject([{ line: 2 }]);
  });
  test('may name folders of the repository and of a variable', () => {
    expect(
      checkText('README.md', `src${machinePath} and $HOME${machinePath} and https://example.org${machinePath}`),
    ).toEqual([]);
  });
  test('make no promises in prose, while a fenced block may show one', () => {
    expect(checkProse('a.md', 'TODO: write this')).toHaveLength(1);
    expect(checkProse('a.md', 'See #12.')).toHaveLength(1);
    expect(checkProse('a.md', '```ts\n// TICKET-761 part 2b\n```\n# 12 things')).toEqual([]);
  });
});

describe('tests', () => {
  const inTest = (text: string) => readSource('src/a.test.ts', text);

  test('are never left out', () => {
    expect(checkSkipped(inTest("test.skip('a b c', f); describe.only('d', g); it.skipIf(x)('e', h);"))).toHaveLength(3);
    expect(checkSkipped(inTest("test('a b c', f); test.each([1])('d', g); list.skip(1);"))).toEqual([]);
  });
  test('have a sentence for a name', () => {
    expect(checkTestNames(inTest("test('fires', f);"))).toHaveLength(1);
    expect(checkTestNames(inTest("test('a firing takes tokens', f); /a/.test('b'); pattern.test('c');"))).toEqual([]);
  });
});

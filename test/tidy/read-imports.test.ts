import { describe, expect, test } from 'vitest';
import { exportsOf, importsOf } from './read-imports.ts';
import { readSource } from './source.ts';

const source = (text: string) => readSource('src/core/net/fire.ts', text);

describe('importsOf', () => {
  test('finds every way to import, and resolves relative ones from the root', () => {
    const text = `
      import { a } from './net.ts';
      import type { B } from '../plan/plan.ts';
      import 'side-effect';
      import * as all from "node:fs";
      export { c } from './c.ts';
      export * from './d.ts';
      export type { E } from './e.ts';
      const later = await import('../late.ts');
      type T = import('./type.ts').T;
    `;
    expect(importsOf(source(text)).map(({ from, path }) => path ?? from)).toEqual([
      'src/core/net/net.ts',
      'src/core/plan/plan.ts',
      'side-effect',
      'node:fs',
      'src/core/net/c.ts',
      'src/core/net/d.ts',
      'src/core/net/e.ts',
      'src/core/late.ts',
      'src/core/net/type.ts',
    ]);
  });

  test('sees nothing in strings, comments, import.meta and plain exports', () => {
    const text = `// import './a.ts'\nconst b = "import './c.ts'"; import.meta.url; export { d }; export const e = 'f';`;
    expect(importsOf(source(text))).toEqual([]);
  });

  test('finds renames but not namespaces', () => {
    expect(importsOf(source(`import { a as b, type C as D } from './x.ts';`))[0]?.renames).toEqual([
      'a as b',
      'C as D',
    ]);
    expect(importsOf(source(`import * as a from './x.ts';`))[0]?.renames).toEqual([]);
  });
});

describe('exportsOf', () => {
  test('finds declared, listed, passed on and default exports', () => {
    const text = `
      export const a = 1;
      export async function b() {}
      export interface C {}
      export { d, e as f };
      export { g } from './g.ts';
      export * from './h.ts';
      export default a;
    `;
    expect(exportsOf(source(text)).map(({ name, isPassedOn }) => [name, isPassedOn])).toEqual([
      ['a', false],
      ['b', false],
      ['C', false],
      ['d', false],
      ['f', false],
      ['g', true],
      ['*', true],
      ['default', false],
    ]);
  });
});

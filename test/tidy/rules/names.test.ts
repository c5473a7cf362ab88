import { describe, expect, test } from 'vitest';
import { readSource } from '../source.ts';
import { checkDeclared, checkFileName, checkMainExport, checkSameExports, declaredIn } from './names.ts';

const source = (text: string, path = 'src/core/net/fire.ts') => readSource(path, text);

describe('file names', () => {
  test('are written in kebab-case', () => {
    expect(checkFileName('src/build-net.test.ts')).toEqual([]);
    expect(checkFileName('vitest.config.ts')).toEqual([]);
    expect(checkFileName('src/buildNet.ts')).toMatchObject([{ rule: 'STYLE 14' }]);
    expect(checkFileName('src/build_net.ts')).toHaveLength(1);
  });

  test('are never a drawer', () => {
    for (const name of ['types', 'utils', 'helpers', 'common', 'index']) {
      expect(checkFileName(`src/core/${name}.ts`)).toMatchObject([{ rule: 'STYLE 12' }]);
    }
  });

  test('sound like the one value that the file exports', () => {
    expect(checkMainExport(source('export function fireAll() {}'))).toEqual([]);
    expect(checkMainExport(source('export interface Fired {} export const burn = 1;'))).toEqual([]);
    expect(checkMainExport(source('export function burn() {}'))).toMatchObject([
      { says: expect.stringContaining('(burn)') },
    ]);
  });

  test('may name a family when there is no main export', () => {
    expect(checkMainExport(source('export const burn = 1; export const glow = 2;'))).toEqual([]);
    expect(checkMainExport(source('start();'))).toEqual([]);
  });
});

describe('declared names', () => {
  test('are found after declaring words and in patterns', () => {
    const text =
      'const { a, b: c, d = e } = f; let [g] = h; function* i() {} type J = K; class L {} x.type = y; z({ type: 1 });';
    expect(declaredIn(source(text)).map(({ name }) => name)).toEqual(['a', 'c', 'd', 'g', 'i', 'J', 'L']);
  });

  test('carry no empty words', () => {
    for (const name of ['TaskManager', 'newMarking', 'parseV2', 'legacyNet', 'NetHelper', 'StoreImpl']) {
      expect(checkDeclared(source(`const ${name} = 1;`)), name).toMatchObject([{ rule: 'STYLE 16' }]);
    }
    expect(checkDeclared(source('const newest = renew; const x = new Map();'))).toEqual([]);
  });

  test('are not cut short', () => {
    expect(checkDeclared(source('const netCtx = 1;'))).toMatchObject([{ instead: 'Write context' }]);
    expect(checkDeclared(source('const stepId = timeoutMs + cwd + cli;'))).toEqual([]);
  });
});

test('one name is exported by one file, but for use cases and what is passed on', () => {
  const same = (...files: readonly (readonly [path: string, text: string])[]) =>
    checkSameExports(files.map(([path, text]) => source(text, path))).map(({ path }) => path);
  const land = 'export const land = 1;';
  expect(same(['src/app/a.ts', land], ['web/b.ts', 'export interface land {}'])).toEqual(['src/app/a.ts']);
  expect(same(['src/app/a.ts', land], ['src/app/a.test.ts', land])).toEqual([]);
  expect(same(['src/app/a.ts', land], ['src/library.ts', "export { land } from './app/a.ts';"])).toEqual([]);
  expect(same(['src/app/a.ts', land], ['src/cli/commands/a.ts', land], ['src/library/b.ts', land])).toEqual([]);
});

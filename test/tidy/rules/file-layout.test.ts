import { describe, expect, test } from 'vitest';
import { readSource } from '../source.ts';
import {
  checkDepth,
  checkFolderCycles,
  checkFolders,
  checkLabels,
  checkSameNames,
  checkSmallFolders,
} from './file-layout.ts';
import type { Violation } from '../violation.ts';

const pathsOf = (violations: readonly Violation[]): readonly string[] => violations.map(({ path }) => path);
const messagesOf = (violations: readonly Violation[]): readonly string[] => violations.map(({ says }) => says);

test('a folder of 25 sources is fine and one of 26 is not, tests aside', () => {
  const files = (count: number) => [...Array(count).keys()].map((index) => `src/core/a/file-${index}.ts`);
  const besides = ['src/core/a/b.test.ts', 'src/core/a/b.given.ts', 'src/core/a/b.json'];
  expect(checkFolders([...files(25), ...besides])).toEqual([]);
  expect(pathsOf(checkFolders(files(26)))).toEqual(['src/core/a']);
});

test('a folder of two sources is none, but above other folders and outside the program', () => {
  const two = ['src/app/far/a.ts', 'src/app/far/b.ts', 'src/app/far/b.test.ts'];
  expect(pathsOf(checkSmallFolders(two))).toEqual(['src/app/far']);
  expect(checkSmallFolders([...two, 'src/app/far/c.ts'])).toEqual([]);
  expect(
    checkSmallFolders(['src/core/assert.ts', ...['a', 'b', 'c'].map((name) => `src/core/net/${name}.ts`)]),
  ).toEqual([]);
  expect(checkSmallFolders(['tools/site/a.ts'])).toEqual([]);
});

test('a folder is at most three levels below src', () => {
  expect(checkDepth(['src/core/engine/decide/a.ts', 'test/a/b/c/d/e.ts'])).toEqual([]);
  expect(pathsOf(checkDepth(['src/core/engine/decide/more/a.ts']))).toEqual(['src/core/engine/decide/more']);
});

describe('two files share a name', () => {
  const same = (...paths: readonly string[]) => pathsOf(checkSameNames(paths));

  test('in whatever folders they are, tests too', () => {
    expect(same('src/core/plan.ts', 'src/cli/plan.ts')).toEqual(['src/core/plan.ts']);
    expect(same('test/law/land.test.ts', 'test/e2e/land.test.ts')).toEqual(['test/law/land.test.ts']);
  });

  test('not when one is the test of the other, or starts the programs of its folder', () => {
    expect(same('src/a/plan.ts', 'src/a/plan.test.ts', 'src/a/plan.given.ts', 'src/b/split.ts')).toEqual([]);
    expect(same('bench/main.ts', 'sim/main.ts', 'src/cli/main.ts')).toEqual([]);
  });
});

describe('folders that import each other', () => {
  const cycles = (...files: readonly (readonly [path: string, from: string])[]) =>
    messagesOf(checkFolderCycles(files.map(([path, from]) => readSource(path, `import type { A } from '${from}';`))));

  test('are found, a folder and its subfolder too', () => {
    expect(cycles(['src/a/one.ts', '../b/two.ts'], ['src/b/three.ts', '../a/four.ts'])).toEqual([
      'folders import each other in a circle (src/a → src/b → src/a)',
    ]);
    expect(cycles(['src/a/one.ts', './b/two.ts'], ['src/a/b/three.ts', '../four.ts'])).toEqual([
      'folders import each other in a circle (src/a → src/a/b → src/a)',
    ]);
  });

  test('are found over any number of folders', () => {
    expect(
      cycles(['src/a/one.ts', './b/two.ts'], ['src/a/b/two.ts', '../c/three.ts'], ['src/a/c/three.ts', '../four.ts']),
    ).toEqual(['folders import each other in a circle (src/a → src/a/b → src/a/c → src/a)']);
  });

  test('are not those of which one is a test, or of which only one imports the other', () => {
    expect(cycles(['src/a/one.ts', '../b/two.ts'], ['src/b/three.test.ts', '../a/four.ts'])).toEqual([]);
    expect(cycles(['src/a/one.ts', '../b/two.ts'], ['src/b/three.ts', './four.ts'])).toEqual([]);
  });
});

test('a label of an invariant means one thing in the program', () => {
  const labels = (...texts: readonly string[]) =>
    pathsOf(checkLabels(texts.map((text, at) => readSource(`src/a${at}.ts`, text))));
  expect(labels('// W1. A step works.', '// W1. A wall holds.')).toEqual(['src/a0.ts']);
  expect(labels('// dispatcher/K1. One.', '// host/K1. Another.', '// As K1 says, none.')).toEqual([]);
  expect(labels('// P1. The log is the only truth.')).toEqual(['src/a0.ts']);
});

import { describe, expect, test } from 'vitest';
import { writeHistories } from './git-histories.given.ts';
import { AT, makeProject } from './git-project.given.ts';
import type { Files } from './git-project.given.ts';

async function forecastOf(base: Files, sides: readonly Files[]) {
  const project = makeProject(base);
  const commit = project.git('rev-parse', 'HEAD');
  const branches = sides.map((files, index) => ({ name: `task-${index}`, tip: project.branch(commit, files) }));
  return (await project.open()).forecast(commit, branches);
}

describe('a forecast', () => {
  test('names the pairs that conflict, and those that meet and merge', async () => {
    const lines = (first: string, last: string): string => `${first}\n2\n3\n4\n5\n6\n7\n${last}\n`;
    const sides = [{ a: lines('one', '8') }, { a: lines('two', '8') }, { a: lines('1', 'three') }, { b: 'b\n' }];
    expect(await forecastOf({ a: lines('1', '8') }, sides)).toEqual({
      conflicts: [{ one: 'task-0', other: 'task-1', paths: ['a'], kinds: ['contents'] }],
      overlaps: [
        { one: 'task-0', other: 'task-2', paths: ['a'] },
        { one: 'task-1', other: 'task-2', paths: ['a'] },
      ],
      untried: [],
    });
  });

  test('sees a file that is added to a folder which another renames', async () => {
    const base = { 'old/a': 'a\nof some\nlength\n', 'old/b': 'b\nof some\nlength\n' };
    const renamed = { 'old/a': undefined, 'old/b': undefined, 'moved/a': base['old/a'], 'moved/b': base['old/b'] };
    const { conflicts } = await forecastOf(base, [renamed, { 'old/c': 'c\n' }]);
    expect(conflicts).toMatchObject([{ one: 'task-0', other: 'task-1', kinds: ['directory rename suggested'] }]);
  });

  test('sees a file where another makes a folder', async () => {
    const { conflicts } = await forecastOf({ a: 'a\n' }, [{ lib: 'file\n' }, { 'lib/x': 'x\n' }]);
    expect(conflicts).toMatchObject([{ one: 'task-0', other: 'task-1', kinds: ['file/directory'] }]);
  });

  test('of branches that change the same thing in the same way is silent', async () => {
    expect(await forecastOf({ a: 'a\n' }, [{ a: 'b\n' }, { a: 'b\n' }])).toEqual({
      conflicts: [],
      overlaps: [],
      untried: [],
    });
  });

  test('of random branches misses no conflict of any pair', { timeout: 300_000 }, async () => {
    const project = makeProject();
    const { base, pairs } = writeHistories(project.folder, 11, 8);
    const branches = pairs
      .flatMap(({ ours, theirs }) => [ours, theirs])
      .map((tip, index) => ({ name: String(index), tip }));
    const repository = await project.open();
    const { conflicts } = await repository.forecast(base, branches);
    const foreseen = conflicts.map(({ one, other }) => `${one} ${other}`);
    const found: string[] = [];
    for (const [index, one] of branches.entries()) {
      for (const other of branches.slice(index + 1)) {
        const options = { onto: one.tip, tip: other.tip, message: 'Merge', at: AT, usesResolutions: false };
        if ((await repository.mergeOnto(options)).type === 'conflict') found.push(`${one.name} ${other.name}`);
      }
    }
    expect(foreseen).toEqual(found);
    expect(found.length).toBeGreaterThan(5);
  });
});

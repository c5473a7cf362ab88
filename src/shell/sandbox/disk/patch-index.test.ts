import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { drawing } from '../sandboxes.given.ts';
import { indexOfAlone, patchIndex } from './patch-index.ts';
import type { IndexChange } from './patch-index.ts';

const folder = mkdtempSync(join(tmpdir(), 'heddle-index-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const git = (cwd: string, args: readonly string[], input = ''): string =>
  execFileSync('git', args, { cwd, input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'] });

/** An index with the trees that it is of remembered. */
function givenIndex(format: 'sha1' | 'sha256', paths: readonly string[]) {
  const cwd = mkdtempSync(join(folder, 'repository-'));
  git(cwd, ['init', '-q', `--object-format=${format}`]);
  const blobs = ['one', 'two', 'three'].map((text) => git(cwd, ['hash-object', '-w', '--stdin'], text).trim());
  const lines = paths.map((path, index) => `100644 ${blobs[index % 2] ?? ''}\t${path}\0`);
  git(cwd, ['update-index', '-z', '--add', '--index-info'], lines.join(''));
  git(cwd, ['read-tree', git(cwd, ['write-tree']).trim()]);
  const file = join(cwd, '.git', 'index');
  return { cwd, blobs, file, index: readFileSync(file) };
}

const words = ['a', 'b', 'b.c', 'b-c', 'ü', 'deep', 'x y', 'z'.repeat(120)];

test('an index that is patched is the one that git makes', () => {
  for (const format of ['sha1', 'sha256'] as const)
    for (let seed = 1; seed <= 12; seed += 1) {
      const draw = drawing(seed);
      const word = (): string => words[draw(words.length)] ?? '';
      const path = (): string => Array.from({ length: 1 + draw(3) }, word).join('/');
      // A name ends in one sign that none of the folders has, so that no file stands where a folder is.
      const paths = [...new Set(Array.from({ length: 60 }, () => `${path()}_`))];
      const given = givenIndex(format, paths);
      const changes: readonly IndexChange[] = [
        ...new Set([...Array.from({ length: 8 }, () => `${path()}_`), ...paths.filter(() => draw(5) === 0)]),
      ].map((one) => ({
        path: one,
        mode: draw(2) === 0 ? '100755' : '100644',
        id: draw(3) === 0 ? undefined : given.blobs[2],
      }));
      const lines = changes.map(({ path: one, mode, id }) =>
        id === undefined ? `0 ${'0'.repeat(given.blobs[0]?.length ?? 0)}\t${one}\0` : `${mode} ${id}\t${one}\0`,
      );
      git(given.cwd, ['update-index', '-z', '--index-info'], lines.join(''));
      const expected = [git(given.cwd, ['ls-files', '-s', '-z']), git(given.cwd, ['write-tree'])];
      const patched = patchIndex(given.index, changes);
      if (patched === undefined) throw new Error('the form is not known');
      writeFileSync(given.file, patched);
      expect([git(given.cwd, ['ls-files', '-s', '-z']), git(given.cwd, ['write-tree'])]).toEqual(expected);
      expect(git(given.cwd, ['fsck', '--cache', '--no-dangling'])).toBe('');
    }
});

test('an index of another form, or of an unfinished merge, is left to git', () => {
  const given = givenIndex('sha1', ['a']);
  git(given.cwd, ['update-index', '--index-version=4']);
  const change = [{ path: 'b', mode: '100644', id: given.blobs[0] }];
  expect(patchIndex(readFileSync(given.file), change)).toBeUndefined();
  const other = givenIndex('sha1', ['a']);
  git(other.cwd, ['update-index', '-z', '--index-info'], `100644 ${other.blobs[0] ?? ''} 2\tm\0`);
  expect(patchIndex(readFileSync(other.file), change)).toBeUndefined();
  expect(patchIndex(other.index, change)).toBeDefined();
  expect(patchIndex(other.index, [{ path: 'a', mode: '000000', id: undefined }])).toBeUndefined();
});

test('an index of some entries alone holds these for git, in its order, and none of what goes', () => {
  for (const format of ['sha1', 'sha256'] as const) {
    const given = givenIndex(format, ['b/c', 'b.c', 'gone']);
    const [one, two] = given.blobs;
    const changes: readonly IndexChange[] = [
      { path: 'gone', mode: '000000', id: undefined },
      { path: 'b/c', mode: '100755', id: one },
      { path: 'ü x', mode: '120000', id: two },
      { path: 'b.c', mode: '100644', id: two },
    ];
    writeFileSync(given.file, indexOfAlone(changes) ?? '');
    const entries = git(given.cwd, ['ls-files', '-s', '-z']).split('\0').filter(Boolean);
    expect(entries).toEqual([`100644 ${two} 0\tb.c`, `100755 ${one} 0\tb/c`, `120000 ${two} 0\tü x`]);
    expect(indexOfAlone(changes.slice(0, 1))).toBeUndefined();
  }
});

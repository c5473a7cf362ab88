import { expect, test } from 'vitest';
import { pairsOf, readDiff } from './diff-files.ts';

const DIFF = [
  ' a.txt | 3 ++-',
  ' 2 files changed',
  '',
  'diff --git a/a.txt b/a.txt',
  'index 1..2 100644',
  '--- a/a.txt',
  '+++ b/a.txt',
  '@@ -1,3 +1,4 @@ head',
  ' one',
  '-two',
  '+<script>two</script>',
  '+more',
  ' three',
  '\\ No newline at end of file',
  'diff --git a/old name.txt b/new name.txt',
  'similarity index 90%',
  'rename from old name.txt',
  'rename to new name.txt',
  'diff --git a/x.png b/x.png',
  'new file mode 100644',
  'Binary files /dev/null and b/x.png differ',
  '',
].join('\n');

test('a diff is read as files with hunks and numbered lines', () => {
  const [first, second, third] = readDiff(DIFF);
  expect(first).toMatchObject({ path: 'a.txt', type: 'changed', added: 2, removed: 1 });
  expect(first?.hunks[0]?.lines.map(({ type, before, after }) => [type, before, after])).toEqual([
    ['same', 1, 1],
    ['removed', 2, undefined],
    ['added', undefined, 2],
    ['added', undefined, 3],
    ['same', 3, 4],
    ['note', undefined, undefined],
  ]);
  expect(second).toMatchObject({ path: 'new name.txt', from: 'old name.txt', type: 'renamed' });
  expect(third).toMatchObject({ path: 'x.png', type: 'binary' });
});

test('removed lines stand beside the added lines', () => {
  const hunk = readDiff(DIFF)[0]?.hunks[0];
  const pairs = hunk === undefined ? [] : pairsOf(hunk);
  expect(pairs.map(({ left, right }) => [left?.text, right?.text])).toEqual([
    ['one', 'one'],
    ['two', '<script>two</script>'],
    [undefined, 'more'],
    ['three', 'three'],
    [' No newline at end of file', ' No newline at end of file'],
  ]);
});

test('a text without a file is an empty diff', () => {
  expect(readDiff('')).toEqual([]);
});

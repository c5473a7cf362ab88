import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { removeIfEmpty } from './files.ts';

test('only folders that are empty are removed, and nothing else is in the way', async () => {
  const above = mkdtempSync(join(tmpdir(), 'heddle-files-'));
  mkdirSync(join(above, 'full', 'inner'), { recursive: true });
  mkdirSync(join(above, 'empty'));
  writeFileSync(join(above, 'file'), '');
  for (const name of ['full', 'empty', 'file', 'gone']) await removeIfEmpty(join(above, name));
  expect(['full', 'empty', 'file'].map((name) => existsSync(join(above, name)))).toEqual([true, false, true]);
});

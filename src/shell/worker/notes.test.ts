import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { noteLive } from './notes.ts';

test('a folder that is gone and cannot be made again is trouble to be told, and ends no worker', () => {
  const root = mkdtempSync(join(tmpdir(), 'heddle-notes-'));
  const folder = join(root, 'attempt');
  symlinkSync(join(root, 'nowhere', 'at', 'all'), folder);
  const note = { spend: { usd: 1, tokens: 1 } };
  expect(noteLive(folder, note)).toMatchObject({ type: 'failed' });
  rmSync(root, { recursive: true });
});

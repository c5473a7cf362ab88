import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeLive } from './write-attempt.ts';

test('a folder that is gone and cannot be made again is reported as an error, and ends no worker', () => {
  const root = mkdtempSync(join(tmpdir(), 'heddle-attempt-'));
  const folder = join(root, 'attempt');
  symlinkSync(join(root, 'nowhere', 'at', 'all'), folder);
  expect(writeLive(folder, { spend: { usd: 1, tokens: 1 } })).toMatchObject({ type: 'failed' });
  rmSync(root, { recursive: true });
});

import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeOwnersFolder } from './owners-folder.ts';

test('a folder of the owner alone is made so, and closed to others when it is there', () => {
  const above = mkdtempSync(join(tmpdir(), 'heddle-owners-'));
  onTestFinished(() => rmSync(above, { recursive: true, force: true }));
  const open = join(above, 'open');
  mkdirSync(open);
  chmodSync(open, 0o755);
  for (const folder of [open, join(above, 'fresh', 'inner')]) {
    makeOwnersFolder(folder);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  }
});

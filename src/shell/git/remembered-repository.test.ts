import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';
import { rememberedRepository } from './remembered-repository.ts';

test('a repository is opened once, and one that could not be opened, or was removed, again (remembered-repository/O1, O2)', async () => {
  const project = mkdtempSync(join(tmpdir(), 'heddle-remembered-'));
  onTestFinished(() => rmSync(project, { recursive: true, force: true }));
  const open = rememberedRepository();
  const options = { home: join(project, '.heddle'), project, repairs: false };
  expect(await open(options)).toMatchObject({ type: 'refused' });
  spawnSync('git', ['init', '--quiet', project]);
  const opened = await open(options);
  expect(opened.type).toBe('opened');
  expect(await open({ ...options })).toBe(opened);
  expect(await open({ ...options, home: join(project, 'other') })).not.toBe(opened);
  rmSync(join(project, '.heddle', 'repo.git'), { recursive: true });
  expect(await open(options)).not.toBe(opened);
});

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readJson } from './read-json.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-json-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a pipe, a folder or a vast file in the place of an attempt file is damage and holds nobody up', () => {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const vast = join(folder, 'vast');
  writeFileSync(vast, '');
  truncateSync(vast, 2 ** 33);
  for (const path of [pipe, folder, vast]) expect(readJson(path), path).toMatchObject({ type: 'damaged' });
});

test('an attempt file that is not there is none', () => {
  expect(readJson(join(folder, 'none'))).toEqual({ type: 'none' });
});

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readJson, readJsonLines } from './read-json.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-json-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a pipe, a folder or a vast file in the place of a note is damage and holds nobody up', () => {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const vast = join(folder, 'vast');
  writeFileSync(vast, '');
  truncateSync(vast, 2 ** 33);
  for (const path of [pipe, folder, vast])
    for (const read of [readJson, readJsonLines]) expect(read(path), path).toMatchObject({ type: 'damaged' });
});

test('a note that is not there is none', () => {
  for (const read of [readJson, readJsonLines]) expect(read(join(folder, 'none'))).toEqual({ type: 'none' });
});

test('of lines each that is whole is read, whatever stands beside it', () => {
  const path = join(folder, 'lines');
  writeFileSync(path, '{"a":1}\n{"b":\n\n{"c":3}\n{"d"');
  expect(readJsonLines(path)).toEqual({ type: 'lines', values: [{ a: 1 }, undefined, { c: 3 }, undefined] });
});

import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { attemptFolder } from './attempt-folder.ts';
import { localArtifacts } from './local-artifacts.ts';

const CLAIM = { task: 'a', step: 'main', attempt: 1 };
const OUTPUT = { run: 'run-1', claim: CLAIM, name: 'output' } as const;

function given() {
  const home = mkdtempSync(join(tmpdir(), 'heddle-artifacts-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const folder = attemptFolder(home, 'run-1', CLAIM);
  mkdirSync(folder, { recursive: true });
  const artifacts = localArtifacts(home);
  const text = (part: string, from: number, length: number): string =>
    Buffer.from(artifacts.read(OUTPUT, { part, from, length })).toString();
  return { folder, artifacts, text };
}

test('nothing that was not written has parts or bytes', () => {
  const { artifacts, text, folder } = given();
  expect(artifacts.parts(OUTPUT)).toEqual([]);
  expect(text('1:1', 0, 10)).toBe('');
  rmSync(folder, { recursive: true });
  expect(artifacts.parts({ ...OUTPUT, name: 'turn' })).toEqual([]);
});

test('a range of a part is read, and no more than there is', () => {
  const { artifacts, text, folder } = given();
  writeFileSync(join(folder, 'output.log'), 'one two three');
  const [part] = artifacts.parts(OUTPUT);
  expect(part?.bytes).toBe(13);
  expect(text(part?.id ?? '', 4, 3)).toBe('two');
  expect(text(part?.id ?? '', 8, 100)).toBe('three');
});

test('a part keeps its id when a newer one begins, and comes before it', () => {
  const { artifacts, text, folder } = given();
  writeFileSync(join(folder, 'output.log'), 'old');
  const [old] = artifacts.parts(OUTPUT);
  renameSync(join(folder, 'output.log'), join(folder, 'output.1.log'));
  appendFileSync(join(folder, 'output.log'), 'new');
  writeFileSync(join(folder, 'output.note.log'), 'no part of it');
  const parts = artifacts.parts(OUTPUT);
  expect(parts.map(({ id }) => text(id, 0, 10))).toEqual(['old', 'new']);
  expect(parts[0]?.id).toBe(old?.id);
});

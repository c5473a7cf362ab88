import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { engineAddress } from './engine-address.ts';

const NOTHING = { address: undefined, file: undefined };
const SECRET = 'postgres://me:secret@a/runs';

function givenFile(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-engine-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'engine');
  writeFileSync(file, text);
  return file;
}

test('the address comes from the command line, a file or the environment', () => {
  expect(engineAddress({ ...NOTHING, address: 'postgres://a/runs' }, {})).toBe('postgres://a/runs');
  expect(engineAddress({ ...NOTHING, file: givenFile(`${SECRET}\nmore\n`) }, {})).toBe(SECRET);
  expect(engineAddress(NOTHING, { HEDDLE_ENGINE: SECRET })).toBe(SECRET);
  expect(engineAddress(NOTHING, {})).toBeUndefined();
});

test('what is said beats the environment, and saying it twice is refused', () => {
  const environment = { HEDDLE_ENGINE: SECRET };
  expect(engineAddress({ ...NOTHING, address: 'restate://a' }, environment)).toBe('restate://a');
  expect(() => engineAddress({ address: 'restate://a', file: givenFile(SECRET) }, {})).toThrow('engine-twice');
});

test('a password on the command line, and a file without an address, are refused', () => {
  expect(() => engineAddress({ ...NOTHING, address: SECRET }, {})).toThrow('engine-password');
  expect(() => engineAddress({ ...NOTHING, address: 'postgres://a/runs?password=x' }, {})).toThrow('engine-password');
  expect(() => engineAddress({ ...NOTHING, file: givenFile('\n') }, {})).toThrow('engine-file');
  expect(() => engineAddress({ ...NOTHING, file: '/absent/file' }, {})).toThrow('engine-file');
});

import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { callingOf, shellQuoted } from './calling.ts';

function givenProgram(below = ''): string {
  const folder = mkdtempSync(join(tmpdir(), `heddle-calling-${below}`));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'heddle'), '#!/bin/sh\n');
  chmodSync(join(folder, 'heddle'), 0o755);
  return folder;
}

test('a call by npx is continued by npx', () => {
  const environment = { npm_command: 'exec', PATH: givenProgram() };
  expect(callingOf(environment, ['node', '/x/heddle.js'])).toEqual({ name: 'npx heddle', alias: undefined });
});

test('a program on the PATH is called by its name', () => {
  const environment = { PATH: `/nowhere:${givenProgram()}` };
  expect(callingOf(environment, ['node', '/x/heddle.js'])).toEqual({ name: 'heddle', alias: undefined });
});

test('where nothing is on the PATH, a shell is told what the name stands for', () => {
  const alias = `alias heddle='node /x/heddle.js'`;
  expect(callingOf({ PATH: '' }, ['node', '/x/heddle.js'])).toEqual({ name: 'heddle', alias });
  expect(callingOf({}, ['node', '/x y/heddle.js']).alias).toBe(String.raw`alias heddle='node '\''/x y/heddle.js'\'''`);
});

test('what npm puts on the PATH for its scripts does not count, for the shell has it not', () => {
  const environment = { npm_command: 'run-script', PATH: givenProgram('node_modules-') };
  expect(callingOf(environment, ['node', '/x/heddle.js']).alias).toBeDefined();
});

test('a word with signs of the shell in it is put into quotes', () => {
  expect(['/a/b-c.d', 'a b', "it's"].map(shellQuoted)).toEqual(['/a/b-c.d', "'a b'", String.raw`'it'\''s'`]);
});

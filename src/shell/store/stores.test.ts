import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { emptyMemory, memoryStore } from './memory-store.ts';
import { storeContract } from './store-contract.given.ts';
import { givenFolder, givenRecord, opened, started, systemClock } from './store.given.ts';
import { expect, test } from 'vitest';

storeContract('the store on disk', () => {
  const home = givenFolder();
  return (process) => opened(home, { process });
});

/** Windows has no such bits and always shows the same ones. */
const OTHERS = process.platform === 'win32' ? 0 : 0o077;
const opennessOf = (path: string): number => statSync(path).mode & OTHERS;

test('only the owner may read what a run leaves', () => {
  const home = givenFolder();
  opened(home).create(givenRecord(), started);
  expect(opennessOf(home)).toBe(0);
});

test('a folder that was open to all before keeps runs and stores to the owner', () => {
  const home = givenFolder();
  mkdirSync(home);
  chmodSync(home, 0o755);
  opened(home).create(givenRecord(), started);
  const names = readdirSync(home);
  expect(names).toContain('store.sqlite');
  for (const name of names) expect(opennessOf(join(home, name)), name).toBe(0);
});

storeContract('the store in memory', () => {
  const memory = emptyMemory();
  return (process) => memoryStore(memory, { clock: systemClock, process });
});

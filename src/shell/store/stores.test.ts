import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { LocalLog, Log } from '../ports/log.ts';
import type { AnyStore, Store } from '../ports/store.ts';
import { emptyMemory, memoryStore } from './memory-store.ts';
import { storeContract } from './store-contract.given.ts';
import { givenFolder, givenRecord, opened, started } from './store.given.ts';
import { systemClock } from '../loop/steady-clock.ts';
import { expect, onTestFinished, test } from 'vitest';

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

/** Answers as an engine on another machine does: later, and with commands that are fetched in the background. */
function farStore(store: Store): AnyStore {
  const later =
    <Given extends readonly unknown[], Value>(call: (...given: Given) => Value) =>
    async (...given: Given): Promise<Value> => {
      await setImmediate();
      return call(...given);
    };
  return {
    runs: later(store.runs),
    find: later(store.find),
    create: later(store.create),
    eventsFrom: later(store.eventsFrom),
    textsFrom: later(store.textsFrom),
    endOf: later(store.endOf),
    version: later(store.version),
    post: later(store.post),
    unanswered: later(store.unanswered),
    replyTo: later(store.replyTo),
    ownerOf: later(store.ownerOf),
    ownersOf: later(store.ownersOf),
    own: later((run, how) => {
      const taken = store.own(run, how);
      return taken.type === 'owned' ? { ...taken, log: farLog(taken.log), release: later(taken.release) } : taken;
    }),
  };
}

function farLog(log: LocalLog): Log {
  let fetched = log.commands();
  const fetching = setInterval(() => {
    fetched = log.commands();
  }, 1);
  onTestFinished(() => clearInterval(fetching));
  return {
    read: log.read,
    append: async (...appending) => {
      await setImmediate();
      const appended = log.append(...appending);
      fetched = log.commands();
      return appended;
    },
    commands: () => fetched,
  };
}

storeContract('a store on another machine', () => {
  const memory = emptyMemory();
  return (process) => farStore(memoryStore(memory, { clock: systemClock, process }));
});

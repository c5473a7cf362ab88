// A program that uses a store as a coordinator would, for tests that stop and kill it. It prints a line for each thing
// that was done, at once, so that a test knows what was acknowledged before the kill.
import { writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { createInterface } from 'node:readline';
import type { RunEvent } from '../../src/core/engine/event.ts';
import { startOf } from '../../src/core/engine/apply/fold.ts';
import { given } from '../../src/core/engine/run.given.ts';
import { openStore } from '../../src/shell/store/open-store.ts';
import type { Clock } from '../../src/shell/ports/clock.ts';
import type { LocalLog } from '../../src/shell/ports/log.ts';
import type { Store } from '../../src/shell/ports/store.ts';

export const STORE_PROGRAM = import.meta.filename;

export const clock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };

export const opening = (position: number): RunEvent => ({ type: 'task.opened', at: 2, task: `t${position}` });

export function opened(home: string, mode: 'write' | 'read' = 'write'): Store {
  const answer = openStore(home, { mode, clock });
  if (answer.type === 'failed') throw new Error(answer.failure.code);
  return answer.store;
}

export function createdRun(store: Store): string {
  const record = { createdAt: 1, name: 'e2e', file: 'plan.yaml', source: '' };
  const created = store.create(record, startOf(given('a: { run: x }').log));
  if (created.type === 'failed') throw new Error(created.failure.code);
  return created.record.run;
}

export function ownedLog(store: Store, run: string, takesOver = false): LocalLog {
  const answer = store.own(run, { takesOver });
  if (answer.type !== 'owned') throw new Error(JSON.stringify(answer));
  return answer.log;
}

const print = (line: string): void => void writeSync(1, `${line}\n`);

/** Enough for any test, and an end without a kill. */
const APPENDS_MAX = 200_000;

const ACTIONS: Readonly<Record<string, (home: string, run: string) => Promise<void>>> = {
  /** Appends one to three events at a time and prints the position after them. */
  append: async (home, run) => {
    const log = ownedLog(opened(home), run);
    let position = log.read().length;
    for (let count = 0; count < APPENDS_MAX; count += 1) {
      const events = Array.from({ length: 1 + (count % 3) }, (_, index) => opening(position + index));
      const { type } = log.append(events, []);
      if (type !== 'appended') break;
      position += events.length;
      print(String(position));
    }
  },
  /** Makes stores and runs until it is killed. */
  create: async (home) => {
    print('up');
    for (let count = 0; count < APPENDS_MAX; count += 1) {
      const store = opened(home);
      print(createdRun(store));
      store.close();
    }
  },
  /** Opens, waits for a word, tries to own, and says how that went. */
  own: async (home, run) => {
    const store = opened(home);
    print('ready');
    for await (const _ of createInterface({ input: process.stdin })) {
      const answer = store.own(run, { takesOver: false });
      print(JSON.stringify(answer.type === 'owned' ? { type: 'owned', pid: answer.owner.pid } : answer));
    }
  },
  /** Appends one event for each word, and says how that went. */
  controlRun: async (home, run) => {
    const log = ownedLog(opened(home), run);
    print('ready');
    for await (const _ of createInterface({ input: process.stdin }))
      print(JSON.stringify(log.append([opening(0)], [])));
  },
};

if (import.meta.main) {
  // Otherwise Node keeps it when the program exits, and this one is killed.
  flushCompileCache();
  const [action = '', home = '', run = ''] = process.argv.slice(2);
  await ACTIONS[action]?.(home, run);
}

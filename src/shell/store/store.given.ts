// Shared parts of store tests: a run to create, temporary folders, and programs that live and die.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { CommandReply } from '../../core/engine/commands/reply.ts';
import type { RunEvent } from '../../core/engine/event.ts';
import { startOf } from '../../core/engine/apply/fold.ts';
import { given } from '../../core/engine/run.given.ts';
import { startTimeOf } from '../exec/process.ts';
import type { Clock } from '../ports/clock.ts';
import type { LocalLog, Process, RunRecord } from '../ports/log.ts';
import type { LocalOwned } from '../ports/ownership.ts';
import type { Store } from '../ports/store.ts';
import type { StoreFailure } from '../../core/protocol/store-failure.ts';
import { systemClock } from '../loop/steady-clock.ts';
import { openStore, type StoreSettings } from './open-store.ts';

export const clockAt = (now: number): Clock & { now: () => number } => ({ now: () => now, monotonic: () => now });

export const givenRecord = (name = 'Ship it'): Omit<RunRecord, 'run'> => ({
  createdAt: 1_700_000_000_000,
  name,
  file: 'plan.yaml',
  source: 'tasks: # \u0000 \uD800 ü\n  a: { run: "true" }\n',
});

/** With values that are hard to keep. */
export const started: RunEvent = {
  ...startOf(given('a: { run: "true" }').log),
  at: 1,
  inputs: { who: 'you \u0000 \uD800', list: [1, null] },
};
export const PAUSED: CommandReply = { takesEffect: true, notes: [{ code: 'run.paused' }] };
export const opening = (task: string): RunEvent => ({ type: 'task.opened', at: 2, task });
export const openings = (count: number, from = 0): readonly RunEvent[] =>
  Array.from({ length: count }, (_, index) => opening(`t${from + index}`));

export function givenFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-store-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, '.heddle');
}

export function opened(home: string, settings: Partial<StoreSettings> = {}): Store {
  const answer = openStore(home, { mode: 'write', clock: systemClock, patienceMs: 300, ...settings });
  if (answer.type === 'failed') throw new Error(answer.failure.code);
  onTestFinished(() => answer.store.close());
  return answer.store;
}

/** Why the store cannot be opened. */
export function storeRefusal(home: string, settings: Partial<StoreSettings> = {}): StoreFailure {
  const answer = openStore(home, { mode: 'write', clock: systemClock, patienceMs: 300, ...settings });
  if (answer.type === 'failed') return answer.failure;
  answer.store.close();
  throw new Error('The store was opened.');
}

export function createdRun(store: Store, name?: string): string {
  const created = store.create(givenRecord(name), started);
  if (created.type === 'failed') throw new Error(created.failure.code);
  return created.record.run;
}

type Ownership = Extract<LocalOwned, { type: 'owned' }>;

export function owned(store: Store, run: string, takesOver = false): Ownership {
  const answer = store.own(run, { takesOver });
  if (answer.type !== 'owned') throw new Error(JSON.stringify(answer));
  onTestFinished(() => answer.release());
  return answer;
}

export function appendOpenings(log: LocalLog, count: number, from = 0): void {
  const answer = log.append(openings(count, from), []);
  if (answer.type !== 'appended') throw new Error(JSON.stringify(answer));
}

/** A store with one run of `count` events, closed. */
export function givenLog(home: string, count: number): string {
  const store = opened(home);
  const run = createdRun(store);
  const { log, release } = owned(store, run);
  appendOpenings(log, count - 1);
  release();
  store.close();
  return run;
}

/** A program that is alive until the test ends or it is killed. */
export function livingProcess(): Process & { readonly kill: () => Promise<void> } {
  const child = spawn('sleep', ['600'], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  const pid = pidOf(child);
  return { pid, startedAt: startTimeOf(pid) ?? 'unknown', kill: () => killed(child) };
}

const pidOf = ({ pid }: ChildProcess): number => {
  if (pid === undefined) throw new Error('The program could not be started.');
  return pid;
};

export async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

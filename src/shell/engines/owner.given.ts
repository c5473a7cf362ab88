// Programs that own a run, and what must be true of its log after some of them were killed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, vi } from 'vitest';
import { PATIENCE_MS } from '../../../test/patience.given.ts';
import type { Engine } from '../ports/engine.ts';
import { givenStore } from './engine.given.ts';
import { OWNER_PROGRAM } from './owner-program.given.ts';

export function startOwner(url: string, run: string, name: string) {
  const child = spawn(process.execPath, [OWNER_PROGRAM, url, run, name], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exit = once(child, 'exit');
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exit;
  };
  onTestFinished(kill);
  const has = (found: () => boolean): Promise<void> =>
    vi.waitFor(() => expect(found()).toBe(true), { timeout: PATIENCE_MS, interval: 20 });
  const acknowledged = (): readonly string[] =>
    lines.filter((line) => line.startsWith('appended ')).map((line) => line.slice('appended '.length));
  return { child, kill, lines, has, acknowledged };
}

/** Every acknowledged event is there once, and those of one writer are in order. */
export async function expectWhole(engine: Engine, run: string, acknowledged: readonly string[]): Promise<void> {
  const { events } = await givenStore(engine).eventsFrom(run, 0);
  const tasks = events.flatMap((event) => (event.type === 'task.opened' ? [event.task] : []));
  expect(new Set(tasks).size).toBe(tasks.length);
  const there = new Set(tasks);
  expect(acknowledged.filter((task) => !there.has(task))).toEqual([]);
}

/** One owner is killed, and the next sleeps past its lease. */
export async function expectTakenOver(engine: Engine, url: string, run: string): Promise<void> {
  const [first, second, third] = ['first', 'second', 'third'].map((name) => startOwner(url, run, name));
  if (first === undefined || second === undefined || third === undefined) throw new Error('Three were started.');
  const all = [first, second, third];
  const owning = () =>
    all.find(
      ({ lines, child }) =>
        child.exitCode === null && child.signalCode === null && lines.length > 5 && !slept.has(lines),
    );
  const slept = new Set<readonly string[]>();
  await first.has(() => owning() !== undefined);
  const killed = owning();
  await killed?.kill();
  await first.has(() => owning() !== undefined);
  const sleeper = owning();
  if (sleeper === undefined) throw new Error('Nobody owns the run.');
  sleeper.child.kill('SIGSTOP');
  slept.add(sleeper.lines);
  await first.has(() => owning() !== undefined);
  sleeper.child.kill('SIGCONT');
  await sleeper.has(() => sleeper.lines.at(-1) === 'fenced');
  await expectWhole(
    engine,
    run,
    all.flatMap(({ acknowledged }) => acknowledged()),
  );
}

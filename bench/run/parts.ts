// What the parts of one step cost when each is done alone, many times: the shell itself, starting it from Node, the
// files of an attempt, the messages between host and worker, and the events in the log.
import { fork, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keepOutcome, takeClaim } from '../../src/shell/host/worker/write-attempt.ts';
import { benchAppends } from './appends.ts';
import { makeProject } from './heddle.ts';

export interface Part {
  readonly name: string;
  readonly wallMs: number;
}

const TIMES = 300;
/** Opened, claimed, ended, and the task's end. */
const EVENTS_OF_STEP = 4;
const MESSAGE_BYTES = 3_000;

export async function measureParts(): Promise<readonly Part[]> {
  const appends = benchAppends();
  const msOfEvent = (group: number): number =>
    1000 / (appends.find((figure) => figure.group === group)?.eventsPerSecond ?? Number.NaN);
  return [
    { name: 'start `sh -c true` from Node and hear its end', wallMs: await spawning() },
    { name: 'write an attempt file, without and with the outcome', wallMs: await filing() },
    { name: 'an assignment there and an outcome back', wallMs: await messaging() },
    { name: `append ${EVENTS_OF_STEP} events, 8 at once`, wallMs: EVENTS_OF_STEP * msOfEvent(8) },
  ];
}

async function spawning(): Promise<number> {
  const begin = performance.now();
  for (let count = 0; count < TIMES; count += 1)
    await new Promise((resolve) => spawn('/bin/sh', ['-c', 'true'], { stdio: 'ignore' }).on('exit', resolve));
  return (performance.now() - begin) / TIMES;
}

async function filing(): Promise<number> {
  const home = makeProject('');
  const claim = { work: 'check', task: 'x'.repeat(300), step: undefined, attempt: 1 } as const;
  const outcome = { type: 'lost', ...claim, spend: { usd: 0, tokens: 0 } } as const;
  const record = { pid: process.pid, startedAt: 'now', claim, at: 0, assignment: undefined, outcome: undefined };
  const begin = performance.now();
  for (let count = 0; count < TIMES; count += 1) {
    const folder = join(home, `task-${count}.main.1`);
    takeClaim(folder, record);
    await keepOutcome(folder, { ...record, outcome });
  }
  return (performance.now() - begin) / TIMES;
}

async function messaging(): Promise<number> {
  const folder = makeProject('');
  const echo = join(folder, 'echo.mjs');
  writeFileSync(echo, "process.on('message', (said) => process.send(said.slice(0, 300)));");
  const child = fork(echo);
  const there = 'x'.repeat(MESSAGE_BYTES);
  const once = (): Promise<void> =>
    new Promise((resolve) => {
      child.once('message', () => resolve());
      child.send(there);
    });
  await once();
  const begin = performance.now();
  for (let count = 0; count < TIMES; count += 1) await once();
  const ms = (performance.now() - begin) / TIMES;
  child.disconnect();
  return ms;
}

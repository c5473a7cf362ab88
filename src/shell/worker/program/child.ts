// The process that leads a step's group: how it is started, and how it ended.
//
// C1. Who could not be started for want of room may be tried again; who could not for another reason may not.
// C2. Nothing is started twice: what may have been started for us without our knowing is ended, and counts as not begun.
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, openSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { inFolder } from '../../attempt-folder.ts';
import type { Launch } from '../../ports.ts';
import { endMarked } from './end-marked.ts';
import { fork, type ForkEnd } from './forker.ts';
import { Streams } from './streams.ts';

export interface ChildStart {
  readonly launch: Launch;
  readonly cwd: string;
  /** The attempt's, for what must be a file for a moment. */
  readonly folder: string;
  /** Whether the forker may be its parent. One that is to die with its parent must be a child of this worker's own. */
  readonly isForkedFor: boolean;
}

export type ChildEnd =
  | { readonly type: 'exited'; readonly code: number }
  /** By a signal; whose, others know. */
  | { readonly type: 'killed'; readonly signal: string }
  | Unstarted;

/** It never began; `isFinal` when it would not another time either. */
interface Unstarted {
  readonly type: 'unstarted';
  readonly message: string;
  readonly isFinal: boolean;
}

export interface Child {
  readonly type: 'started';
  readonly pid: number;
  readonly streams: Streams;
  readonly exit: Promise<ChildExit>;
}

export interface ChildExit {
  readonly end: ChildEnd;
  /** Whether it is known that nothing else of its group was left. */
  readonly isLast: boolean;
}

export async function startChild(start: ChildStart): Promise<Child | Unstarted> {
  let streams: Streams | undefined;
  try {
    streams = new Streams();
    return (await forkedChild(start, streams)) ?? (await ownChild(start, streams));
  } catch (cause) {
    streams?.abandon();
    return unstarted(start, cause);
  }
}

/** Undefined when we must start it ourselves. */
async function forkedChild(start: ChildStart, streams: Streams): Promise<Child | Unstarted | undefined> {
  const { launch, cwd, isForkedFor } = start;
  if (!isForkedFor || launch.input !== undefined || streams.names === undefined) return undefined;
  const [stdout, stderr] = streams.names;
  const argv = [launch.program, ...launch.args];
  const forked = await fork({ argv, environment: launch.environment, cwd, stdout, stderr });
  if (forked.type === 'unable') return undefined;
  if (forked.type === 'vanished') return await endVanished(launch, streams);
  const exit = forked.exit.then(({ how, isLast }) => ({ end: endedBy(start, how), isLast }));
  return { type: 'started', pid: forked.pid, streams, exit };
}

/** For what was forked to become the program that carries the marks. */
const BECOMING_MS = 100;

async function endVanished({ program, environment }: Launch, streams: Streams): Promise<Unstarted> {
  await setTimeout(BECOMING_MS);
  await endMarked(environment);
  streams.listen(() => undefined);
  await streams.drain();
  const message = `Somebody ended the process that was to start ${program}, so it is not known whether it began.`;
  return { type: 'unstarted', message, isFinal: false };
}

const endedBy = (start: ChildStart, how: ForkEnd['how']): ChildEnd =>
  how.type === 'refused' ? unstarted(start, Object.assign(new Error(how.code), { code: how.code })) : how;

async function ownChild(start: ChildStart, streams: Streams): Promise<Child> {
  const child = spawnChild(start, streams);
  const { pid } = child;
  if (pid === undefined) throw await troubleOf(child);
  streams.attach(child);
  return { type: 'started', pid, streams, exit: exitOf(child) };
}

function spawnChild({ launch, cwd, folder }: ChildStart, streams: Streams): ChildProcess {
  const stdin = launch.input === undefined ? 'ignore' : openHolding(launch.input, folder);
  try {
    return spawn(launch.program, launch.args, {
      cwd,
      env: launch.environment,
      // A session of its own: what is done to our terminal or group is not done to it.
      detached: true,
      stdio: [stdin, ...streams.stdio()],
    });
  } finally {
    if (typeof stdin === 'number') closeSync(stdin);
  }
}

/** A file rather than a pipe: it can be opened by name, needs no feeding, and cannot break when nobody reads it. */
function openHolding(input: string, folder: string): number {
  const path = join(folder, `input.${process.pid}`);
  inFolder(path, (file) => writeFileSync(file, input, { mode: 0o600 }));
  const file = openSync(path, 'r');
  unlinkSync(path);
  return file;
}

const troubleOf = (child: ChildProcess): Promise<Error> => new Promise((resolve) => child.once('error', resolve));

const exitOf = (child: ChildProcess): Promise<ChildExit> =>
  new Promise((resolve) =>
    child.once('exit', (code, signal) => {
      const end: ChildEnd = signal === null ? { type: 'exited', code: code ?? 0 } : { type: 'killed', signal };
      resolve({ end, isLast: false });
    }),
  );

/** Want of something that other processes give back. */
const PASSING = new Set(['EAGAIN', 'EMFILE', 'ENFILE', 'ENOMEM', 'ENOSPC', 'EDQUOT', 'EIO']);

function unstarted({ launch, cwd }: ChildStart, cause: unknown): Unstarted {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const said = cause instanceof Error ? cause.message : String(cause);
  return { type: 'unstarted', message: `${sentence(code)} (${said}).`, isFinal: !PASSING.has(code) };

  function sentence(of: string): string {
    if (PASSING.has(of))
      return `This machine had no room to start ${launch.program}; free some, or run fewer steps at once`;
    if (of === 'E2BIG') return 'The values that the plan passes to this command are too long; pass them through a file';
    if (!existsSync(cwd)) return `The folder to work in, ${cwd}, is not there; make it, and retry`;
    return `${launch.program} cannot be started here; install it or correct its name`;
  }
}

// One program at work for a claim: started in a group of its own, held to its limits, and ended with all that it started.
//
// M1. `ended` settles once, when nothing of the group is alive any more and what it printed has been read.
// M2. Who first wanted it to end says why it ended.
// M3. When this process exits for whatever reason that lets it act, the group does not outlive it.
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, openSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Limits } from '../../../core/engine/hosts/assignment.ts';
import type { Launch } from '../../ports.ts';
import { Group } from './group.ts';
import { watchLimits } from './limit-watch.ts';
import { Streams, type OnOutput } from './streams.ts';

export interface Start {
  readonly launch: Launch;
  readonly cwd: string;
  /** The attempt's, for what must be a file for a moment. */
  readonly folder: string;
  readonly limits: Limits;
  readonly graceMs: number;
  readonly onOutput: OnOutput;
  readonly isBusy: () => boolean;
  readonly onStarted: (pid: number) => void;
}

/** How a program came to its end. */
export type Ended =
  | { readonly type: 'exited'; readonly code: number }
  /** By a signal that we did not send. */
  | { readonly type: 'killed'; readonly signal: string }
  | { readonly type: Wish }
  /** It took more than it may. */
  | { readonly type: 'limit'; readonly message: string }
  /** It never began; `isFinal` when it would not another time either. */
  | { readonly type: 'unstarted'; readonly message: string; readonly isFinal: boolean };

/** `stuck` is a turn that would go on for ever without getting anywhere. */
export type Wish = 'timeout' | 'idle' | 'stopped' | 'stuck';

export class Program {
  readonly ended: Promise<Ended>;
  readonly #start: Start;
  #group: Group | undefined;
  #wish: Wish | undefined;
  #breach: string | undefined;

  constructor(start: Start) {
    this.#start = start;
    this.ended = this.#run();
  }

  end(wish: Wish, graceMs: number): void {
    this.#wish ??= wish;
    this.#group?.end(graceMs);
  }

  /** There is no grace for who takes what others need. */
  breach(message: string): void {
    this.#breach ??= message;
    this.#group?.kill();
  }

  async #run(): Promise<Ended> {
    const spawned = await spawnGroup(this.#start);
    if (spawned.type === 'unstarted') return spawned;
    const { child, streams, group } = spawned;
    this.#group = group;
    const killGroup = (): void => group.kill();
    process.once('exit', killGroup);
    const { limits, graceMs, onOutput, isBusy, onStarted } = this.#start;
    onStarted(spawned.pid);
    const watch = watchLimits(limits, { onLimit: (limit) => this.end(limit, graceMs), isBusy });
    streams.listen(child, (from, chunk) => {
      watch.heard();
      onOutput(from, chunk);
    });
    const exit = await exitOf(child);
    watch.stop();
    // A wish that comes while we clear up is too late to be why.
    const ended = this.#endedBy(exit);
    const isEmptied = await group.emptied();
    if (!isEmptied) onOutput('stderr', Buffer.from('\n[heddle: some processes of this step could not be ended]\n'));
    await streams.drain();
    process.off('exit', killGroup);
    return ended;
  }

  #endedBy(exit: Ended): Ended {
    if (this.#wish !== undefined) return { type: this.#wish };
    return this.#breach === undefined ? exit : { type: 'limit', message: this.#breach };
  }
}

interface Spawned {
  readonly type: 'spawned';
  readonly child: ChildProcess;
  readonly pid: number;
  readonly streams: Streams;
  readonly group: Group;
}

type Unstarted = Extract<Ended, { type: 'unstarted' }>;

async function spawnGroup(start: Start): Promise<Spawned | Unstarted> {
  let streams: Streams | undefined;
  try {
    streams = new Streams();
    const child = spawnChild(start, streams);
    const { pid } = child;
    if (pid !== undefined) return { type: 'spawned', child, pid, streams, group: new Group(pid) };
    throw await troubleOf(child);
  } catch (cause) {
    streams?.abandon();
    return unstarted(start, cause);
  }
}

function spawnChild({ launch, cwd, folder }: Start, streams: Streams): ChildProcess {
  const stdin = launch.input === undefined ? 'ignore' : openHolding(launch.input, folder);
  try {
    return spawn(launch.program, launch.args, {
      cwd,
      env: launch.environment,
      // A session of its own: what is done to our terminal or group is not done to it.
      detached: true,
      stdio: [stdin, ...streams.stdio],
    });
  } finally {
    if (typeof stdin === 'number') closeSync(stdin);
  }
}

/** A file rather than a pipe: it can be opened by name, needs no feeding, and cannot break when nobody reads it. */
function openHolding(input: string, folder: string): number {
  const path = join(folder, `input.${process.pid}`);
  writeFileSync(path, input, { mode: 0o600 });
  const file = openSync(path, 'r');
  unlinkSync(path);
  return file;
}

const troubleOf = (child: ChildProcess): Promise<Error> => new Promise((resolve) => child.once('error', resolve));

/** Want of something that other processes give back. */
const PASSING = new Set(['EAGAIN', 'EMFILE', 'ENFILE', 'ENOMEM', 'ENOSPC', 'EDQUOT', 'EIO']);

function unstarted({ launch, cwd }: Start, cause: unknown): Unstarted {
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

const exitOf = (child: ChildProcess): Promise<Ended> =>
  new Promise((resolve) =>
    child.once('exit', (code, signal) =>
      resolve(signal === null ? { type: 'exited', code: code ?? 0 } : { type: 'killed', signal }),
    ),
  );

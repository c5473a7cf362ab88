// One command at work: a process group of its own, held to its limits, its output in a file.
//
// C1. `ended` settles when nothing of the group is alive any more.
// C2. Ending is: ask, wait the grace, kill. Whoever first wanted it to end says why it ended.
// C3. Time in which this process was itself stopped counts as little: it is measured in looks.
//
// Limit: a command that opens /dev/stderr by name to write from the start cuts off what was printed before.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fstatSync, ftruncateSync, readSync, writeSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import type { Limits } from '../../../core/protocol/assignment.ts';
import { hasLivingMember, signalGroup } from '../../exec/process.ts';

export interface CommandOrder {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** An open file, for reading and appending. */
  readonly output: number;
  readonly limits: Limits;
  readonly onStarted: (pid: number) => void;
}

export type CommandEnd =
  | { readonly type: 'exited'; readonly code: number }
  /** By a signal that we did not send. */
  | { readonly type: 'killed'; readonly signal: string }
  | { readonly type: 'timeout' }
  | { readonly type: 'idle' }
  /** It took more than it may. */
  | { readonly type: 'limit'; readonly message: string }
  | { readonly type: 'stopped' }
  | { readonly type: 'unstarted'; readonly message: string };

type Wish = 'timeout' | 'idle' | 'stopped';

export interface Command {
  readonly ended: Promise<CommandEnd>;
  readonly stop: () => void;
  /** Ends it at once, because it took more than it may. */
  readonly breach: (message: string) => void;
}

const GRACE_MS = 1_000;
const LOOK_EVERY_MS = 250;
/** How long to wait for the killed to be gone; what takes longer is held up inside the system. */
const KILLED_WAIT_MS = 5_000;
const POLL_MS = 10;
/** Of what a command prints, so much stays in its file. */
const OUTPUT_MAX_BYTES = 32 * 1024 * 1024;
const OUTPUT_KEPT_BYTES = 1024 * 1024;

export function startCommand(order: CommandOrder): Command {
  const [program = '', ...args] = order.argv;
  const child = spawn(program, args, {
    cwd: order.cwd,
    env: order.environment,
    detached: true,
    stdio: ['ignore', order.output, order.output],
  });
  const life: Life = { group: child.pid, wish: undefined, breach: undefined };
  const breach = (message: string): void => {
    life.breach ??= message;
    if (life.group !== undefined) signalGroup(life.group, 'SIGKILL');
  };
  return { ended: live(order, child, life), stop: () => end(life, 'stopped'), breach };
}

interface Life {
  readonly group: number | undefined;
  wish: Wish | undefined;
  breach: string | undefined;
}

async function live({ output, limits, onStarted }: CommandOrder, child: ChildProcess, life: Life): Promise<CommandEnd> {
  const { group } = life;
  if (group === undefined) return { type: 'unstarted', message: await complaintOf(child) };
  onStarted(group);
  const killGroup = (): boolean => signalGroup(group, 'SIGKILL');
  process.once('exit', killGroup);
  const watch = watchLimits({ output, limits }, (wish) => end(life, wish));
  const exit = await exitOf(child);
  clearInterval(watch);
  const ended = endedBy(life, exit);
  await emptied(group);
  process.off('exit', killGroup);
  return ended;
}

function endedBy({ wish, breach }: Life, exit: CommandEnd): CommandEnd {
  if (wish !== undefined) return { type: wish };
  return breach === undefined ? exit : { type: 'limit', message: breach };
}

const complaintOf = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => child.once('error', (cause) => resolve(cause.message)));

const exitOf = (child: ChildProcess): Promise<CommandEnd> =>
  new Promise((resolve) =>
    child.once('exit', (code, name) =>
      resolve(name === null ? { type: 'exited', code: code ?? 0 } : { type: 'killed', signal: name }),
    ),
  );

function end(life: Life, wish: Wish): void {
  const { group } = life;
  if (life.wish !== undefined || group === undefined) return;
  life.wish = wish;
  signalGroup(group, 'SIGTERM');
  // One that somebody has stopped hears nothing until it goes on.
  signalGroup(group, 'SIGCONT');
  void setTimeout(GRACE_MS).then(() => signalGroup(group, 'SIGKILL'));
}

/** Looks at the clock and at the file, which grows when the command says something. */
function watchLimits(
  { output, limits }: Pick<CommandOrder, 'output' | 'limits'>,
  onLimit: (limit: 'timeout' | 'idle') => void,
): NodeJS.Timeout {
  let size = fstatSync(output).size;
  let workedMs = 0;
  let silentMs = 0;
  return setInterval(() => {
    const now = fstatSync(output).size;
    workedMs += LOOK_EVERY_MS;
    silentMs = now === size ? silentMs + LOOK_EVERY_MS : 0;
    size = now > OUTPUT_MAX_BYTES ? shorten(output, now) : now;
    if (workedMs >= limits.timeoutMs) onLimit('timeout');
    else if (silentMs >= limits.idleTimeoutMs) onLimit('idle');
  }, LOOK_EVERY_MS);
}

/** Keeps the end. The command appends, so it goes on behind it. */
function shorten(output: number, size: number): number {
  const kept = lastBytes(output, { from: size - OUTPUT_KEPT_BYTES, size });
  ftruncateSync(output, 0);
  writeSync(output, '[heddle: what came before was too much to keep]\n');
  writeSync(output, kept);
  return fstatSync(output).size;
}

export function lastBytes(output: number, { from, size }: { readonly from: number; readonly size: number }): Buffer {
  const bytes = Buffer.alloc(Math.max(0, size - Math.max(0, from)));
  const count = readSync(output, bytes, 0, bytes.length, Math.max(0, from));
  return bytes.subarray(0, count);
}

/** What its leader left behind is disposable, so it is killed without being asked. */
async function emptied(group: number): Promise<void> {
  for (let waitedMs = 0; waitedMs < KILLED_WAIT_MS; waitedMs += POLL_MS) {
    if (!signalGroup(group, 'SIGKILL') || !hasLivingMember(group)) return;
    await setTimeout(POLL_MS);
  }
}

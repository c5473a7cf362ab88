// One supervised process: started in a group of its own, held to its limits, and ended with all its descendants in the
// group.
//
// exec/M1. `ended` settles once, when no member of the group is alive any more and its output has been read.
// exec/M2. The first reason to end the process is the reason that is reported.
// exec/M3. When Heddle's own process exits, the group does not outlive it, unless Heddle was killed.
// exec/L1. Time in which this process was suspended (a laptop asleep, SIGSTOP) is not silence: there may be unread
//     output.
// exec/L2. Unread output is not silence either, nor is the time in which a tool of an agent runs.
import type { Limits } from '../../core/protocol/assignment.ts';
import { startChild, type ChildEnd, type ChildStart } from './child.ts';
import { ProcessGroup } from './process-group.ts';
import type { OnOutput } from './streams.ts';
import type { Writable } from 'node:stream';
import type { Launch } from '../ports/agents.ts';
import { MESSAGE_MAX_BYTES, splitLines } from './lines.ts';

export interface Start extends ChildStart {
  readonly limits: Limits;
  readonly graceMs: number;
  readonly onOutput: OnOutput;
  readonly isBusy: () => boolean;
  readonly onStarted: (pid: number) => void;
}

/** How a process ended. */
export type ProcessEnd =
  | ChildEnd
  | { readonly type: 'timeout' }
  | { readonly type: 'idle' }
  | { readonly type: 'stopped' }
  | { readonly type: 'lease' }
  | { readonly type: 'stuck' }
  /** A resource limit was exceeded. */
  | { readonly type: 'limit'; readonly message: string };

/** A program that failed because the kernel held it to a resource limit has exceeded the limit. */
export function withLimit(ended: ProcessEnd, exceeded: string | undefined): ProcessEnd {
  const hasFailed = ended.type === 'killed' || (ended.type === 'exited' && ended.code !== 0);
  return exceeded !== undefined && hasFailed ? { type: 'limit', message: exceeded } : ended;
}

/** `stuck` is a turn that would continue for ever without progress; `lease`: nobody hears of it for too long. */
export type EndReason = 'timeout' | 'idle' | 'stopped' | 'lease' | 'stuck';

export class SupervisedProcess {
  readonly ended: Promise<ProcessEnd>;
  readonly #start: Start;
  #group: ProcessGroup | undefined;
  readonly #early: ((group: ProcessGroup) => void)[] = [];
  #reason: EndReason | undefined;
  #exceeded: string | undefined;
  /** The dialogue has declared the turn over. */
  #hasLeft = false;
  #leaving: NodeJS.Timeout | undefined;

  constructor(start: Start) {
    this.#start = start;
    this.ended = this.#run();
  }

  end(reason: EndReason, graceMs: number): void {
    this.#reason ??= reason;
    this.#withGroup((group) => group.end(graceMs));
  }

  /** A resource limit was exceeded: kills the group without a grace. */
  exceedLimit(message: string): void {
    this.#exceeded ??= message;
    this.#withGroup((group) => group.kill());
  }

  /** For a program whose turn is over and whose input is closed; its exit code is ignored. */
  #leave(withinMs: number): void {
    this.#hasLeft = true;
    this.#leaving = setTimeout(() => this.#withGroup((group) => group.end(this.#start.graceMs)), withinMs);
  }

  /** Before the group exists, the action is queued. */
  #withGroup(action: (group: ProcessGroup) => void): void {
    if (this.#group === undefined) this.#early.push(action);
    else action(this.#group);
  }

  async #run(): Promise<ProcessEnd> {
    const child = await startChild(this.#start);
    if (child.type === 'unstarted') return child;
    const { pid, streams } = child;
    const group = new ProcessGroup(pid, this.#start.launch.endSignal);
    this.#group = group;
    this.#early.forEach((action) => action(group));
    const killGroup = (): void => group.kill();
    process.once('exit', killGroup);
    const { limits, graceMs, isBusy, onStarted } = this.#start;
    const dialogue = converse({ ...this.#start, stdin: child.stdin, onLeft: (withinMs) => this.#leave(withinMs) });
    const onOutput = dialogue?.onOutput ?? this.#start.onOutput;
    onStarted(pid);
    const watch = watchLimits(limits, { onLimit: (limit) => this.end(limit, graceMs), isBusy });
    streams.listen((from, chunk) => {
      watch.onOutput();
      onOutput(from, chunk);
    });
    dialogue?.begin();
    const end = await child.exit;
    watch.stop();
    clearTimeout(this.#leaving);
    // A reason that comes while leftovers are being ended is too late.
    const ended = this.#endedBy(end);
    const isEmptied = await group.emptied();
    if (!isEmptied) onOutput('stderr', Buffer.from('\n[heddle: some processes of this step could not be ended]\n'));
    await streams.drain();
    dialogue?.end();
    process.off('exit', killGroup);
    return ended;
  }

  #endedBy(end: ChildEnd): ProcessEnd {
    if (this.#reason !== undefined) return { type: this.#reason };
    if (this.#exceeded !== undefined) return { type: 'limit', message: this.#exceeded };
    return this.#hasLeft ? { type: 'exited', code: 0 } : end;
  }
}

// The two limits of a running process: its duration, and its silence.

/** A timer that is late by more than this means that this process was suspended, not merely busy. */
const LATE_MS = 1000;
/** The longest interval between two checks, so that a suspension during a long wait is detected. */
const LOOK_MS = 5000;

interface LimitWatch {
  readonly onOutput: () => void;
  readonly stop: () => void;
}

interface Watching {
  readonly onLimit: (limit: 'timeout' | 'idle') => void;
  readonly isBusy: () => boolean;
}

function watchLimits(limits: Limits, { onLimit, isBusy }: Watching): LimitWatch {
  const timeoutAt = performance.now() + limits.timeoutMs;
  let outputAt = performance.now();
  let dueAt = 0;
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const idleAt = (): number => outputAt + limits.idleTimeoutMs;
  const arm = (): void => {
    const now = performance.now();
    dueAt = Math.max(now, Math.min(now + LOOK_MS, timeoutAt, idleAt()));
    timer = setTimeout(wake, dueAt - now);
  };
  const wake = (): void => {
    const now = performance.now();
    if (now - dueAt > LATE_MS || isBusy()) outputAt = now;
    // Silence is decided on after all readable output has been read.
    if (now >= Math.min(timeoutAt, idleAt())) setImmediate(decide);
    else arm();
  };
  const decide = (): void => {
    if (isOver) return;
    const now = performance.now();
    if (now >= timeoutAt) onLimit('timeout');
    else if (now >= idleAt()) onLimit('idle');
    else arm();
  };
  arm();
  return {
    onOutput: () => {
      outputAt = performance.now();
    },
    stop: () => {
      isOver = true;
      clearTimeout(timer);
    },
  };
}

// Connects a program to its dialogue: lines of standard output go to the dialogue, which writes to standard input.

interface Conversing {
  readonly launch: Launch;
  readonly cwd: string;
  readonly stdin: Writable | undefined;
  readonly onOutput: OnOutput;
  readonly onLeft: (withinMs: number) => void;
}

interface Conversed {
  readonly onOutput: OnOutput;
  readonly begin: () => void;
  /** The program has ended; its last line may lack its end. */
  readonly end: () => void;
}

/** Undefined for a program without a dialogue. */
function converse({ launch, cwd, stdin, onOutput, onLeft }: Conversing): Conversed | undefined {
  const { dialogue } = launch;
  if (dialogue === undefined || stdin === undefined) return undefined;
  // A program that does not read its input is judged by its output and exit code.
  stdin.on('error', () => undefined);
  let isOver = false;
  const leave = (withinMs: number): void => {
    if (isOver) return;
    isOver = true;
    stdin.end();
    onLeft(withinMs);
  };
  const write = (line: string): void => {
    if (!isOver) stdin.write(`${line}\n`);
  };
  const lines = splitLines((line) => {
    for (const each of dialogue.receive(line)) onOutput('stdout', Buffer.from(`${each}\n`));
  }, MESSAGE_MAX_BYTES);
  return {
    onOutput: (from, chunk) => {
      if (from === 'stdout') lines.push(chunk);
      else onOutput(from, chunk);
    },
    begin: () => dialogue.begin({ cwd, write, leave }),
    end: () => {
      lines.end();
      isOver = true;
    },
  };
}

// One supervised process: started in a group of its own, held to its limits, and ended with all its descendants in the
// group.
//
// exec/M1. `ended` settles once, when no member of the group is alive any more and its output has been read.
// exec/M2. The first reason to end the process is the reason that is reported.
// exec/M3. When Heddle's own process exits, the group does not outlive it, unless Heddle was killed.
import type { Limits } from '../../core/protocol/assignment.ts';
import { startChild, type ChildEnd, type ChildStart } from './child.ts';
import { converse } from './converse.ts';
import { Group } from './process-group.ts';
import { watchLimits } from './limit-watch.ts';
import type { OnOutput } from './streams.ts';

export interface Start extends ChildStart {
  readonly limits: Limits;
  readonly graceMs: number;
  readonly onOutput: OnOutput;
  readonly isBusy: () => boolean;
  readonly onStarted: (pid: number) => void;
}

/** How a process ended. */
export type Ended =
  | ChildEnd
  | { readonly type: 'timeout' }
  | { readonly type: 'idle' }
  | { readonly type: 'stopped' }
  | { readonly type: 'stuck' }
  /** A resource limit was exceeded. */
  | { readonly type: 'limit'; readonly message: string };

/** A program that failed because the kernel held it to a resource limit has exceeded the limit. */
export function withLimit(ended: Ended, exceeded: string | undefined): Ended {
  const hasFailed = ended.type === 'killed' || (ended.type === 'exited' && ended.code !== 0);
  return exceeded !== undefined && hasFailed ? { type: 'limit', message: exceeded } : ended;
}

/** `stuck` is a turn that would continue for ever without progress. */
export type EndReason = 'timeout' | 'idle' | 'stopped' | 'stuck';

export class SupervisedProcess {
  readonly ended: Promise<Ended>;
  readonly #start: Start;
  #group: Group | undefined;
  readonly #early: ((group: Group) => void)[] = [];
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
  #withGroup(action: (group: Group) => void): void {
    if (this.#group === undefined) this.#early.push(action);
    else action(this.#group);
  }

  async #run(): Promise<Ended> {
    const child = await startChild(this.#start);
    if (child.type === 'unstarted') return child;
    const { pid, streams } = child;
    const group = new Group(pid, this.#start.launch.endSignal);
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

  #endedBy(end: ChildEnd): Ended {
    if (this.#reason !== undefined) return { type: this.#reason };
    if (this.#exceeded !== undefined) return { type: 'limit', message: this.#exceeded };
    return this.#hasLeft ? { type: 'exited', code: 0 } : end;
  }
}

// One program at work for a claim: started in a group of its own, held to its limits, and ended with all that it started.
//
// M1. `ended` settles once, when nothing of the group is alive any more and what it printed has been read.
// M2. Who first wanted it to end says why it ended.
// M3. When this process exits for whatever reason that lets it act, the group does not outlive it.
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

/** How a program came to its end. */
export type Ended =
  | ChildEnd
  | { readonly type: 'timeout' }
  | { readonly type: 'idle' }
  | { readonly type: 'stopped' }
  | { readonly type: 'stuck' }
  /** It took more than it may. */
  | { readonly type: 'limit'; readonly message: string };

/** `stuck` is a turn that would go on for ever without getting anywhere. */
export type Wish = 'timeout' | 'idle' | 'stopped' | 'stuck';

export class SupervisedProcess {
  readonly ended: Promise<Ended>;
  readonly #start: Start;
  #group: Group | undefined;
  readonly #early: ((group: Group) => void)[] = [];
  #wish: Wish | undefined;
  #breach: string | undefined;
  /** Its dialogue has said that its turn is over. */
  #hasLeft = false;
  #leaving: NodeJS.Timeout | undefined;

  constructor(start: Start) {
    this.#start = start;
    this.ended = this.#run();
  }

  end(wish: Wish, graceMs: number): void {
    this.#wish ??= wish;
    this.#tell((group) => group.end(graceMs));
  }

  /** There is no grace for who takes what others need. */
  breach(message: string): void {
    this.#breach ??= message;
    this.#tell((group) => group.kill());
  }

  /** For a program whose turn is over, and whose input is closed; how it exits does not count. */
  #leave(withinMs: number): void {
    this.#hasLeft = true;
    this.#leaving = setTimeout(() => this.#tell((group) => group.end(this.#start.graceMs)), withinMs);
  }

  /** What is wished before there is a group is told to it as soon as there is one. */
  #tell(deed: (group: Group) => void): void {
    if (this.#group === undefined) this.#early.push(deed);
    else deed(this.#group);
  }

  async #run(): Promise<Ended> {
    const child = await startChild(this.#start);
    if (child.type === 'unstarted') return child;
    const { pid, streams } = child;
    const group = new Group(pid);
    this.#group = group;
    this.#early.forEach((deed) => deed(group));
    const killGroup = (): void => group.kill();
    process.once('exit', killGroup);
    const { limits, graceMs, isBusy, onStarted } = this.#start;
    const dialogue = converse({ ...this.#start, stdin: child.stdin, onLeft: (withinMs) => this.#leave(withinMs) });
    const onOutput = dialogue?.onOutput ?? this.#start.onOutput;
    onStarted(pid);
    const watch = watchLimits(limits, { onLimit: (limit) => this.end(limit, graceMs), isBusy });
    streams.listen((from, chunk) => {
      watch.heard();
      onOutput(from, chunk);
    });
    dialogue?.begin();
    const end = await child.exit;
    watch.stop();
    clearTimeout(this.#leaving);
    // A wish that comes while we clear up is too late to be why.
    const ended = this.#endedBy(end);
    const isEmptied = await group.emptied();
    if (!isEmptied) onOutput('stderr', Buffer.from('\n[heddle: some processes of this step could not be ended]\n'));
    await streams.drain();
    dialogue?.end();
    process.off('exit', killGroup);
    return ended;
  }

  #endedBy(end: ChildEnd): Ended {
    if (this.#wish !== undefined) return { type: this.#wish };
    if (this.#breach !== undefined) return { type: 'limit', message: this.#breach };
    return this.#hasLeft ? { type: 'exited', code: 0 } : end;
  }
}

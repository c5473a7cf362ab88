// The warm workers of a host: which are idle, when one more is started, and which are let go.
//
// Y1. There are never more of them than the host is wide.
// Y2. An idle worker is used before another is started, because starting Node takes longer than most steps.
import type { Clock } from '../ports.ts';
import { startInBackground, type BackgroundEnd, type BackgroundProcess } from '../exec/background-process.ts';

/** After a start that failed for want of memory or processes. */
const BACKOFF_MS = 1_000;
export const IDLE_MS = 30_000;
const EXIT_WAIT_MS = 2_000;

/** One worker process and the channel to it. What it is busy with is the host's business. */
export interface Member<Job> extends BackgroundProcess {
  job: Job | undefined;
}

export interface Manning<Job> {
  readonly program: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly errors: number | 'ignore';
  readonly width: number;
  readonly clock: Clock;
  readonly onMessage: (member: Member<Job>, message: unknown) => void;
  readonly onExit: (member: Member<Job>, how: string) => void;
  readonly onFailed: (member: Member<Job>, error: unknown) => void;
}

export type Found<Job> =
  | { readonly type: 'found'; readonly member: Member<Job> }
  /** Nobody is idle; ask again when a worker is, or after this time when there is one. */
  | { readonly type: 'wait'; readonly ms: number | undefined };

interface Idle<Job> {
  readonly member: Member<Job>;
  readonly since: number;
}

export class Crew<Job> {
  readonly #manning: Manning<Job>;
  readonly #members = new Set<Member<Job>>();
  #idle: readonly Idle<Job>[] = [];
  #backoffUntil = -Infinity;
  #onGone = (): void => {};

  constructor(manning: Manning<Job>) {
    this.#manning = manning;
  }

  get size(): number {
    return this.#members.size;
  }

  pids(): readonly number[] {
    return [...this.#members].flatMap(({ pid }) => (pid === undefined ? [] : [pid]));
  }

  /** An idle worker, or one that is just starting. */
  find(): Found<Job> {
    const idle = this.#idle.findLast(({ member }) => member.isConnected())?.member;
    if (idle !== undefined) {
      this.#forgetIdle(idle);
      return { type: 'found', member: idle };
    }
    const { width, clock } = this.#manning;
    const backoffMs = this.#backoffUntil - clock.monotonic();
    if (this.size >= width) return { type: 'wait', ms: undefined };
    return backoffMs > 0 ? { type: 'wait', ms: backoffMs } : { type: 'found', member: this.#start() };
  }

  /** The worker is done with its job. It is idle while it can be told anything. */
  release(member: Member<Job>): void {
    member.job = undefined;
    if (!this.#members.has(member) || !member.isConnected()) return;
    this.#idle = [...this.#idle, { member, since: this.#manning.clock.monotonic() }];
  }

  /** Lets those go that have been idle for long; whether there are idle ones to ask about later. */
  trim(): boolean {
    const longAgo = this.#manning.clock.monotonic() - IDLE_MS;
    for (const { member, since } of this.#idle) if (since <= longAgo) this.#letGo(member);
    return this.#idle.length > 0;
  }

  /** Lets all go, and waits a while for the idle ones to be gone. */
  async close(): Promise<void> {
    const leaving = [...this.#members].filter(({ job }) => job === undefined);
    for (const member of this.#members) this.#letGo(member);
    const remaining = (): readonly Member<Job>[] => leaving.filter((member) => this.#members.has(member));
    await new Promise<void>((resolve) => {
      const late = setTimeout(resolve, EXIT_WAIT_MS);
      this.#onGone = () => {
        if (remaining().length > 0) return;
        clearTimeout(late);
        resolve();
      };
      this.#onGone();
    });
    for (const member of remaining()) member.kill();
  }

  #start(): Member<Job> {
    const { program, cwd, environment, errors, clock, onMessage, onExit, onFailed } = this.#manning;
    const worker = startInBackground(program, {
      cwd,
      environment,
      stdout: 'ignore',
      stderr: errors,
      onMessage: (message) => onMessage(member, message),
      onExit: (end) => {
        this.#remove(member);
        onExit(member, textOf(end));
      },
      onFailed: (error) => {
        this.#backoffUntil = clock.monotonic() + BACKOFF_MS;
        this.#remove(member);
        onFailed(member, error);
      },
    });
    const member: Member<Job> = { ...worker, job: undefined };
    this.#members.add(member);
    return member;
  }

  /** Closes the channel: an idle worker exits, one at work goes on to the end and exits then. */
  #letGo(member: Member<Job>): void {
    this.#forgetIdle(member);
    member.disconnect();
  }

  #forgetIdle(member: Member<Job>): void {
    this.#idle = this.#idle.filter((one) => one.member !== member);
  }

  #remove(member: Member<Job>): void {
    this.#members.delete(member);
    this.#forgetIdle(member);
    this.#onGone();
  }
}

const textOf = (end: BackgroundEnd): string =>
  end.type === 'exited' ? `exited with code ${end.code}` : `was ended by ${end.signal}`;

// The warm workers of a host: who is idle, when one more is started, and who is let go.
//
// Y1. There are never more of them than the host is wide.
// Y2. The first few start at once; one more starts each time that somebody has waited a moment with none idle. So
//     short steps share few workers, and long ones soon have one each.
import type { Clock } from '../../ports.ts';
import { startWarmWorker, type WarmWorker } from './warm-worker.ts';

/** How long an assignment waits for somebody to become idle before one more worker is started. */
const RAMP_MS = 15;
/** After a start that failed for want of memory or processes. */
const REST_MS = 1_000;
export const IDLE_MS = 30_000;
const EXIT_WAIT_MS = 2_000;
/** Against asking without end while workers that were let go have not exited yet. */
const LEAST_WAIT_MS = 5;

/** What a worker is busy with is the host's business. */
export interface Member<Job> extends WarmWorker {
  job: Job | undefined;
}

export interface Manning<Job> {
  readonly program: readonly string[];
  readonly cwd: string;
  readonly errors: number | 'ignore';
  readonly width: number;
  readonly cores: number;
  readonly clock: Clock;
  readonly onMessage: (member: Member<Job>, message: unknown) => void;
  readonly onExit: (member: Member<Job>, how: string) => void;
  readonly onFailed: (member: Member<Job>, error: unknown) => void;
}

export type Found<Job> =
  | { readonly type: 'found'; readonly member: Member<Job> }
  /** Nobody is idle; ask again after this time, or when somebody is. */
  | { readonly type: 'wait'; readonly ms: number };

interface Idle<Job> {
  readonly member: Member<Job>;
  readonly since: number;
}

export class Crew<Job> {
  readonly #manning: Manning<Job>;
  readonly #members = new Set<Member<Job>>();
  #idle: readonly Idle<Job>[] = [];
  #startedAt = -Infinity;
  #restsUntil = -Infinity;
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

  /** An idle worker, or one that is just starting, for somebody who has waited since `since`. */
  find(since: number): Found<Job> {
    const idle = this.#idle.findLast(({ member }) => member.hears())?.member;
    if (idle !== undefined) {
      this.#forgetIdle(idle);
      return { type: 'found', member: idle };
    }
    const { cores, width, clock } = this.#manning;
    const now = clock.monotonic();
    const isFew = this.size < Math.min(cores, width);
    const mayStartAt = Math.max(this.#restsUntil, isFew ? -Infinity : Math.max(since, this.#startedAt) + RAMP_MS);
    if (mayStartAt <= now && this.size < width) return { type: 'found', member: this.#start() };
    return { type: 'wait', ms: Math.max(mayStartAt - now, LEAST_WAIT_MS) };
  }

  /** The worker is idle; it is taken back unless nothing can be told to it any more. */
  release(member: Member<Job>): void {
    member.job = undefined;
    const isThere = this.#members.has(member) && member.hears();
    if (isThere) this.#idle = [...this.#idle, { member, since: this.#manning.clock.monotonic() }];
  }

  /** Lets those go that have been idle for long, but a few; whether there are more of them to ask about later. */
  trim(): boolean {
    const longAgo = this.#manning.clock.monotonic() - IDLE_MS;
    const beyondFew = this.#idle.slice(0, Math.max(0, this.#idle.length - this.#manning.cores));
    const toGo = beyondFew.filter(({ since }) => since <= longAgo);
    for (const { member } of toGo) this.#letGo(member);
    return toGo.length < beyondFew.length;
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
    const { clock, onMessage, onExit, onFailed, ...starting } = this.#manning;
    this.#startedAt = clock.monotonic();
    const worker = startWarmWorker({
      ...starting,
      onMessage: (message) => onMessage(member, message),
      onExit: (how) => {
        this.#remove(member);
        onExit(member, how);
      },
      onFailed: (error) => {
        this.#restsUntil = clock.monotonic() + REST_MS;
        this.#remove(member);
        onFailed(member, error);
      },
    });
    const member: Member<Job> = { ...worker, job: undefined };
    this.#members.add(member);
    return member;
  }

  #letGo(member: Member<Job>): void {
    this.#forgetIdle(member);
    member.letGo();
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

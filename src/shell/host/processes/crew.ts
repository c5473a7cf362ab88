// The warm workers of a host: who is idle, when one more is started, and who is let go.
//
// Y1. There are never more of them than the host is wide.
// Y2. The first few start at once, before there is anything to do. All who have waited a moment after that get a worker
//     of their own, unless steps are being over so soon that sharing is faster than starting Node for each.
// Y3. While steps are short a worker has its next claims before it is done, so that it never waits for a host that is
//     busy with the log. What turns out to wait longer is given to another.
import type { Clock } from '../../ports.ts';
import { startWarmWorker, type WarmWorker } from './warm-worker.ts';

/** A moment: this share of the time that a worker takes to start, within bounds. */
const MOMENT_SHARE = 0.3;
const MOMENT_MIN_MS = 15;
const MOMENT_MAX_MS = 40;
/** Nobody waits longer than so many moments for others to be done. */
const MOMENTS_MAX = 10;
/** For how long the first workers may be starting until more are started all the same. */
const FIRST_WAIT_MS = 1_000;
/** After a start that failed for want of memory or processes. */
const REST_MS = 1_000;
export const IDLE_MS = 30_000;
const EXIT_WAIT_MS = 2_000;
/** The most that a worker has before it: about what it can do while the host waits once for the disk. */
const AHEAD_MAX = 3;
/** Against asking without end while workers that were let go have not exited yet. */
const LEAST_WAIT_MS = 5;

/** What a worker is busy with is the host's business. */
export interface Member<Job> extends WarmWorker {
  job: Job | undefined;
  /** What it has to do next, in this order. */
  ahead: readonly Job[];
}

export interface Manning<Job> {
  readonly program: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
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
  /** It is busy, and will be done soon. */
  | { readonly type: 'soon'; readonly member: Member<Job> }
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
  /** When the first worker was started, and when one first said something. */
  #beganAt: number | undefined;
  #heardAt: number | undefined;
  /** When a short step was last over, and how long it took. */
  #shortAt = -Infinity;
  #shortMs = 0;
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
    const { width, clock } = this.#manning;
    const now = clock.monotonic();
    const mayStartAt = Math.max(this.#restsUntil, this.size < this.#few ? -Infinity : this.#mayJoinAt(since));
    if (mayStartAt <= now && this.size < width) return { type: 'found', member: this.#start() };
    const soon = this.#soonDone(now);
    return soon === undefined
      ? { type: 'wait', ms: Math.max(mayStartAt - now, LEAST_WAIT_MS) }
      : { type: 'soon', member: soon };
  }

  /** How long somebody may be next in line for a busy worker until another is looked for. */
  get aheadMs(): number {
    return this.#momentMs;
  }

  #soonDone(now: number): Member<Job> | undefined {
    if (now - this.#shortAt > this.#momentMs) return undefined;
    const busy = [...this.#members].filter(({ job, hears }) => job !== undefined && hears());
    const least = Math.min(...busy.map(({ ahead }) => ahead.length));
    return least < this.#aheadMax ? busy.find(({ ahead }) => ahead.length === least) : undefined;
  }

  /** The turn of the last in line should come well before it is looked for another worker. */
  get #aheadMax(): number {
    const inTime = this.#shortMs === 0 ? AHEAD_MAX : Math.floor(this.#momentMs / 2 / this.#shortMs);
    return Math.min(Math.max(1, inTime), AHEAD_MAX);
  }

  /** Starts the first few before they are needed, or as many as are known to be. */
  warm(wanted: number): void {
    const first = Math.min(Math.max(this.#few, wanted), this.#manning.width);
    while (this.size < first) this.release(this.#start(), Infinity);
  }

  get #few(): number {
    const { cores, width } = this.#manning;
    return Math.min(cores, width);
  }

  /** When one more than the first few may be started for somebody who has waited since `since`. */
  #mayJoinAt(since: number): number {
    if (this.#beganAt === undefined) return -Infinity;
    if (this.#heardAt === undefined) return this.#beganAt + FIRST_WAIT_MS;
    const from = Math.max(since, this.#heardAt);
    const momentMs = this.#momentMs;
    return Math.min(Math.max(from, this.#shortAt) + momentMs, from + MOMENTS_MAX * momentMs);
  }

  /** All takes longer on a busy machine, so what is short is measured by what it takes to start a worker there. */
  get #momentMs(): number {
    const startMs = (this.#heardAt ?? 0) - (this.#beganAt ?? 0);
    return Math.min(Math.max(MOMENT_MIN_MS, MOMENT_SHARE * startMs), MOMENT_MAX_MS);
  }

  /** The worker is done after so long. What comes next it begins; without, it is idle while it can be told anything. */
  release(member: Member<Job>, workedMs: number): void {
    const now = this.#manning.clock.monotonic();
    if (workedMs < this.#momentMs) {
      this.#shortAt = now;
      this.#shortMs = workedMs;
    }
    const [next, ...others] = member.ahead;
    member.job = next;
    member.ahead = others;
    const isIdle = member.job === undefined && this.#members.has(member) && member.hears();
    if (isIdle) this.#idle = [...this.#idle, { member, since: now }];
  }

  /** Lets those go that have been idle for long, but a few; whether there are more of them to ask about later. */
  trim(): boolean {
    const longAgo = this.#manning.clock.monotonic() - IDLE_MS;
    const beyondFew = this.#idle.slice(0, Math.max(0, this.#idle.length - this.#few));
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
    this.#beganAt ??= clock.monotonic();
    const worker = startWarmWorker({
      ...starting,
      onMessage: (message) => {
        this.#heardAt ??= clock.monotonic();
        onMessage(member, message);
      },
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
    const member: Member<Job> = { ...worker, job: undefined, ahead: [] };
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

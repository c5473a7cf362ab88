// The pool of warm workers of a host: which are idle, when one more is started, and which are released.
//
// host/Y1. There are never more workers than claims that the host may hold.
// host/Y2. An idle worker is used before another is started, because starting Node takes longer than most steps.
import { startInBackground, type BackgroundEnd, type BackgroundProcess } from '../exec/background-process.ts';
import type { Clock } from '../ports/clock.ts';

/** After a start that failed for want of memory or processes. */
const BACKOFF_MS = 1_000;
export const IDLE_MS = 30_000;
const EXIT_WAIT_MS = 2_000;

/** One worker process and the channel to it. The host defines the job. */
export interface PoolWorker<Job> extends BackgroundProcess {
  job: Job | undefined;
}

export interface PoolOptions<Job> {
  readonly program: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly errors: number | 'ignore';
  readonly workersMax: number;
  readonly clock: Clock;
  readonly onMessage: (worker: PoolWorker<Job>, message: unknown) => void;
  readonly onExit: (worker: PoolWorker<Job>, how: string) => void;
  readonly onFailed: (worker: PoolWorker<Job>, error: unknown) => void;
}

export type Found<Job> =
  | { readonly type: 'found'; readonly worker: PoolWorker<Job> }
  /** No worker is idle; ask again when one is, or after `ms` when it is defined. */
  | { readonly type: 'wait'; readonly ms: number | undefined };

interface Idle<Job> {
  readonly worker: PoolWorker<Job>;
  readonly since: number;
}

export class WorkerPool<Job> {
  readonly #options: PoolOptions<Job>;
  readonly #workers = new Set<PoolWorker<Job>>();
  #idle: readonly Idle<Job>[] = [];
  #backoffUntil = -Infinity;
  #onGone = (): void => {};

  constructor(options: PoolOptions<Job>) {
    this.#options = options;
  }

  get size(): number {
    return this.#workers.size;
  }

  pids(): readonly number[] {
    return [...this.#workers].flatMap(({ pid }) => (pid === undefined ? [] : [pid]));
  }

  /** An idle worker, or one that is just starting. */
  find(): Found<Job> {
    const idle = this.#idle.findLast(({ worker }) => worker.isConnected())?.worker;
    if (idle !== undefined) {
      this.#forgetIdle(idle);
      return { type: 'found', worker: idle };
    }
    const { workersMax, clock } = this.#options;
    const backoffMs = this.#backoffUntil - clock.monotonic();
    if (this.size >= workersMax) return { type: 'wait', ms: undefined };
    return backoffMs > 0 ? { type: 'wait', ms: backoffMs } : { type: 'found', worker: this.#start() };
  }

  /** The worker is done with its job, and idle while it is connected. */
  release(worker: PoolWorker<Job>): void {
    worker.job = undefined;
    if (!this.#workers.has(worker) || !worker.isConnected()) return;
    this.#idle = [...this.#idle, { worker, since: this.#options.clock.monotonic() }];
  }

  /** Releases workers that have been idle for long; returns whether idle ones are left. */
  trim(): boolean {
    const longAgo = this.#options.clock.monotonic() - IDLE_MS;
    for (const { worker, since } of this.#idle) if (since <= longAgo) this.#letGo(worker);
    return this.#idle.length > 0;
  }

  /** Releases busy workers, and ends idle ones: they hold nothing, and to let them exit takes longer than a short step. */
  async close(): Promise<void> {
    const leaving = [...this.#workers].filter(({ job }) => job === undefined);
    for (const worker of this.#workers) this.#letGo(worker);
    for (const worker of leaving) worker.kill();
    const remaining = (): readonly PoolWorker<Job>[] => leaving.filter((worker) => this.#workers.has(worker));
    await new Promise<void>((resolve) => {
      const late = setTimeout(resolve, EXIT_WAIT_MS);
      this.#onGone = () => {
        if (remaining().length > 0) return;
        clearTimeout(late);
        resolve();
      };
      this.#onGone();
    });
  }

  #start(): PoolWorker<Job> {
    const { program, cwd, environment, errors, clock, onMessage, onExit, onFailed } = this.#options;
    const process = startInBackground(program, {
      cwd,
      environment,
      stdout: 'ignore',
      stderr: errors,
      onMessage: (message) => onMessage(worker, message),
      onExit: (end) => {
        this.#remove(worker);
        onExit(worker, textOf(end));
      },
      onFailed: (error) => {
        this.#backoffUntil = clock.monotonic() + BACKOFF_MS;
        this.#remove(worker);
        onFailed(worker, error);
      },
    });
    const worker: PoolWorker<Job> = { ...process, job: undefined };
    this.#workers.add(worker);
    return worker;
  }

  /** Closes the channel: an idle worker exits, a busy one finishes its claim first. */
  #letGo(worker: PoolWorker<Job>): void {
    this.#forgetIdle(worker);
    worker.disconnect();
  }

  #forgetIdle(worker: PoolWorker<Job>): void {
    this.#idle = this.#idle.filter((one) => one.worker !== worker);
  }

  #remove(worker: PoolWorker<Job>): void {
    this.#workers.delete(worker);
    this.#forgetIdle(worker);
    this.#onGone();
  }
}

const textOf = (end: BackgroundEnd): string =>
  end.type === 'exited' ? `exited with code ${end.code}` : `was ended by ${end.signal}`;

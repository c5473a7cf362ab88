// A host over real workers, with a coordinator that a test drives by hand or leaves to itself.
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { claimKey, type Assignment, type ClaimRef, type Work } from '../../core/protocol/assignment.ts';
import type { Reply, Sync } from '../../core/protocol/sync.ts';
import type { WorkOutcome } from '../../core/protocol/work-outcome.ts';
import { ATTEMPT_FILES, attemptFolder } from './attempt-folder.ts';
import type { Clock } from '../ports/clock.ts';
import { isAlive } from '../exec/process.ts';
import { readJson } from './read-json.ts';
import { isObject } from '../../core/plan/json-fields.ts';
import { readAttempt } from './read-attempt.ts';
import { startHost, type Host, type HostOptions } from './host.ts';
import { openReaper } from './reap-orphans.ts';
import { PATIENCE_MS } from '../../../test/patience.given.ts';

export const WORKER_PROGRAM = [process.execPath, join(import.meta.dirname, '../../app/worker-main.ts')];
/** Prints its process, waits for a file and says its task. */
export const waitingFor = (file: string): string =>
  `echo $$ > ${file}.pid; until [ -e ${file} ]; do sleep 0.02; done; echo "$HEDDLE_TASK"`;

export const HOOK_MS = 2 * PATIENCE_MS;

/** Waits for something to become true; the bound is for a broken program, not for a slow machine. */
export async function until<Value>(what: string, look: () => Value | undefined | false): Promise<Value> {
  for (const end = performance.now() + PATIENCE_MS; ;) {
    const value = look();
    if (value !== undefined && value !== false) return value;
    if (performance.now() > end) throw new Error(`Waited in vain: ${what}.`);
    await setTimeout(10);
  }
}

export const stepRef = (task: string, attempt = 1): ClaimRef => ({ work: 'step', task, step: 'main', attempt });

export function assignment(claim: ClaimRef, work: string | Work, timeoutMs = 600_000): Assignment {
  const command: Work = typeof work === 'string' ? { type: 'command', command: work, environment: {} } : work;
  return { claim, work: command, limits: { timeoutMs, idleTimeoutMs: 600_000 }, output: undefined, sandbox: undefined };
}

/** A clock that a test can put forward. */
export function skippingClock(): Clock & { readonly skip: (ms: number) => void } {
  let skippedMs = 0;
  return {
    now: () => Date.now() + skippedMs,
    monotonic: () => performance.now() + skippedMs,
    skip: (ms) => {
      skippedMs += ms;
    },
  };
}

export interface HostPlace {
  readonly home: string;
  readonly cwd: string;
  readonly file: (name: string) => string;
  readonly folderOf: (claim: ClaimRef) => string;
  readonly pidIn: (name: string) => Promise<number>;
  readonly workerOf: (claim: ClaimRef) => Promise<number>;
}

export const makeRoot = (): string => realpathSync(mkdtempSync(join(tmpdir(), 'heddle-host-')));

export function givenPlace(root = makeRoot()): HostPlace {
  const home = join(root, 'home');
  const cwd = join(root, 'cwd');
  for (const folder of [home, cwd]) mkdirSync(folder, { recursive: true });
  const file = (name: string): string => join(cwd, name);
  const folderOf = (claim: ClaimRef): string => attemptFolder(home, 'run-1', claim);
  return {
    home,
    cwd,
    file,
    folderOf,
    pidIn: (name) =>
      until(`${name} holds a number`, () => {
        const text = existsSync(file(name)) ? readFileSync(file(name), 'utf8') : '';
        return text.endsWith('\n') ? Number(text) : undefined;
      }),
    workerOf: (claim) =>
      until(`a worker has ${claimKey(claim)}`, () => {
        const read = readAttempt(folderOf(claim), claim);
        return read.type === 'attempt' ? read.attempt.pid : undefined;
      }),
  };
}

/** Closes hosts and clears up after them, also when one of them cannot be closed. */
export async function end(place: HostPlace, driven: readonly Driven[]): Promise<void> {
  const closing = Promise.all(driven.map(({ host }) => host.close())).then(() => true);
  const isClosed = await Promise.race([closing, setTimeout(PATIENCE_MS, false, { ref: false })]);
  await clear(place);
  if (!isClosed) throw new Error('A host could not be closed.');
}

/** Ends whatever a failed test has left, by the attempt files of its workers and the tags of their steps. */
async function clear({ home }: HostPlace): Promise<void> {
  for (const path of globSync(join(home, 'runs', '**', ATTEMPT_FILES.attempt))) {
    const read = readJson(path);
    if (read.type !== 'value' || !isObject(read.value)) continue;
    const { pid, startedAt } = read.value;
    if (typeof pid !== 'number' || typeof startedAt !== 'string' || pid === process.pid) continue;
    if (isAlive({ pid, startedAt })) killIfThere(pid);
  }
  await openReaper({ home, run: 'run-1', isOver: () => true, spared: () => new Set([process.pid]) }).reap();
  rmSync(join(home, '..'), { recursive: true, force: true, maxRetries: 10 });
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has just ended by itself.
    return;
  }
}

export interface Driven {
  readonly host: Host;
  readonly syncs: readonly Sync[];
  readonly latest: () => Sync;
  /** Answers the latest message. */
  readonly reply: (reply: Partial<Reply>) => void;
  /** Offers these from here on, as long as they are not done, and receives what is done. */
  readonly offer: (...assignments: readonly Assignment[]) => void;
  readonly cancel: (claim: ClaimRef) => void;
  /** How a claim ended, once the coordinator has received it. */
  readonly outcome: (claim: ClaimRef) => Promise<WorkOutcome>;
  readonly outcomes: () => readonly string[];
  readonly heldKeys: () => readonly string[];
}

/** A coordinator that answers as the real one does: when there is something to say. */
export function drive(place: HostPlace, options: Partial<HostOptions> = {}): Driven {
  const syncs: Sync[] = [];
  const offered = new Map<string, Assignment>();
  const cancelled = new Map<string, ClaimRef>();
  const received = new Map<string, WorkOutcome>();
  let isByHand = true;
  const answer = (sync: Sync): void => {
    for (const outcome of sync.done) received.set(claimKey(outcome), outcome);
    const held = new Set(sync.held.map(({ claim }) => claimKey(claim)));
    const isOpen = (key: string): boolean => !received.has(key) && !held.has(key);
    const start = [...offered].filter(([key]) => isOpen(key) && !cancelled.has(key)).map(([, one]) => one);
    const cancel = [...cancelled].filter(([key]) => !received.has(key)).map(([, claim]) => claim);
    if (start.length + cancel.length + sync.done.length === 0) return;
    host.receive({ number: sync.number, start: start.slice(0, sync.want), cancel });
  };
  const latest = (): Sync => syncs.at(-1) ?? { host: '', number: 0, done: [], held: [], want: 0, does: [] };
  const takePart = (): void => {
    isByHand = false;
    setImmediate(() => answer(latest()));
  };
  const host = startHost({
    name: 'here',
    run: 'run-1',
    home: place.home,
    cwd: place.cwd,
    environment: { PATH: process.env['PATH'] ?? '' },
    claimsMax: 8,
    workerProgram: WORKER_PROGRAM,
    clock: { now: () => Date.now(), monotonic: () => performance.now() },
    graceMs: 1_000,
    send: (sync) => {
      syncs.push(sync);
      if (!isByHand) setImmediate(() => answer(sync));
    },
    ...options,
  });
  return {
    host,
    syncs,
    latest,
    reply: (reply) => host.receive({ number: latest().number, start: [], cancel: [], ...reply }),
    offer: (...assignments) => {
      for (const one of assignments) offered.set(claimKey(one.claim), one);
      takePart();
    },
    cancel: (claim) => {
      cancelled.set(claimKey(claim), claim);
      takePart();
    },
    outcome: (claim) => {
      takePart();
      return until(`${claimKey(claim)} has ended`, () => received.get(claimKey(claim)));
    },
    outcomes: () => [...received].map(([key, outcome]) => `${key} ${outcome.type}`).sort(),
    heldKeys: () => latest().held.map(({ claim }) => claimKey(claim)),
  };
}

/** Whether a process is there at all, and not merely waiting to be reaped. */
export function isPidThere(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return !['Z', 'X'].includes(stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3));
  } catch {
    return false;
  }
}

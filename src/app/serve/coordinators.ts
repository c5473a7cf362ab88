// The coordinators of all runs of a project, in one process.
//
// coordinators/C1. An error in one run ends no other: that run is tried again later.
// coordinators/C2. A run that another process has is left to it, and taken up when that process dies.
// coordinators/C3. When the server ends, every run goes on where it is running, and the next server takes it up.
import type { RunOver, RunRecord } from '../../shell/ports/log.ts';
import type { Awaitable } from '../../shell/ports/awaitable.ts';
import type { Clock } from '../../shell/ports/clock.ts';
import type { RemoteHosts } from '../../shell/ports/host-link.ts';
import type { Owned } from '../../shell/ports/ownership.ts';
import type { LoopLeft } from '../../shell/loop/loop.ts';
import { isAlive, thisProcess } from '../../shell/exec/process.ts';
import { kindsHere } from '../agent-parts.ts';
import { CLOCK } from '../local-parts.ts';
import type { OpenProject } from '../open-project.ts';
import { refusalOf } from '../refused.ts';
import { coordinateOwned, type ServedBy } from '../run/coordinate.ts';
import { landNow } from '../run/lander-for.ts';
import type { Observer } from '../run/observer.ts';
import type { RunStanding } from './gateway.ts';
import type { ServerNote } from './server-note.ts';
import { hasEnded, isToTakeUp, stampOf } from '../run/take-up.ts';

/** Who may write the log of a run: the store here, or an engine on other machines. */
export interface RunKeeping {
  readonly own: (run: string, how: { readonly takesOver: boolean }) => Awaitable<Owned>;
  /** Whether no living process has the run. This one does not count. */
  readonly isVacant: (run: string) => boolean;
  /** Other servers have runs too, of which this one may know less than they do. */
  readonly isShared: boolean;
  /** Undefined where the commits of runs are on this machine alone. */
  readonly share?: ServedBy['share'];
}

export const keepingOf = ({ store }: Pick<OpenProject, 'store'>): RunKeeping => ({
  isShared: false,
  own: store.own,
  isVacant: (run) => {
    const owner = store.ownerOf(run);
    return owner === undefined || !isAlive(owner) || isThisProcess(owner);
  },
});

const isThisProcess = ({ pid, startedAt }: { readonly pid: number; readonly startedAt: string }): boolean => {
  const own = thisProcess();
  return own.pid === pid && own.startedAt === startedAt;
};

export interface CoordinatorsOptions extends OpenProject {
  readonly keeping: RunKeeping;
  readonly remote: RemoteHosts;
  readonly width: number | undefined;
  readonly leaseMs: number;
  /** For leases of hosts. */
  readonly clock: Clock;
  readonly onNote: (note: ServerNote) => void;
}

export interface Coordinators {
  readonly standingOf: (run: string) => RunStanding;
  readonly runs: () => readonly string[];
  /** Lets go of all runs; returns those that go on. */
  readonly close: () => Promise<readonly RunLeft[]>;
}

/** What goes on of a run that nobody coordinates. */
export interface RunLeft {
  readonly run: string;
  readonly here: number;
  readonly there: number;
}

interface Going {
  ring: () => void;
  readonly over: Promise<void>;
}

interface Pool extends CoordinatorsOptions {
  /** The kinds of agents that can have turns on this machine. */
  readonly agents: Promise<readonly string[]>;
  readonly going: Map<string, Going>;
  /** Runs that were looked at and left alone, with their stamps. */
  readonly passed: Map<string, string>;
  readonly retries: Map<string, { readonly at: number; readonly tries: number }>;
  readonly left: RunLeft[];
  isClosing: boolean;
}

const LOOK_EVERY_MS = 200;
const RETRY_MS = 2_000;
const RETRY_MS_MAX = 60_000;

export function openCoordinators(options: CoordinatorsOptions): Coordinators {
  const pool: Pool = {
    ...options,
    agents: kindsHere(),
    going: new Map(),
    passed: new Map(),
    retries: new Map(),
    left: [],
    isClosing: false,
  };
  const look = looker(pool);
  look();
  const looking = setInterval(look, LOOK_EVERY_MS);
  return {
    standingOf: (run) => standingOf(pool, run),
    runs: () => [...pool.going.keys()],
    close: async () => {
      clearInterval(looking);
      pool.isClosing = true;
      for (const { ring } of pool.going.values()) ring();
      await Promise.all([...pool.going.values()].map(({ over }) => over));
      return pool.left;
    },
  };
}

/** Nothing is read while nothing has changed: a run that was passed is due again when its owner dies or its stamp changes. */
function looker(pool: Pool): () => void {
  const { store, going, retries } = pool;
  let version: number | undefined;
  let owned: readonly string[] = [];
  let lastFailure = '';
  return () => {
    try {
      const found = store.version();
      const isRetried = retries.values().some(({ at }) => at <= CLOCK.monotonic());
      if (found === version && !isRetried && owned.every((run) => !pool.keeping.isVacant(run))) return;
      const others: string[] = [];
      for (const record of store.runs()) {
        if (going.has(record.run)) continue;
        if (!pool.keeping.isVacant(record.run)) others.push(record.run);
        else if (isDue(pool, record)) takeUp(pool, record);
      }
      owned = others;
      version = found;
      lastFailure = '';
    } catch (cause) {
      const refusal = refusalOf(cause);
      if (refusal === undefined) throw cause;
      const text = JSON.stringify(refusal);
      if (text !== lastFailure) pool.onNote({ code: 'store-away', refusal });
      lastFailure = text;
    }
  };
}

function isDue({ store, passed, retries }: Pool, record: RunRecord): boolean {
  const { run } = record;
  const retry = retries.get(run);
  if (retry !== undefined && retry.at > CLOCK.monotonic()) return false;
  const stamp = stampOf(store, record);
  if (passed.get(run) === stamp) return false;
  if (isToTakeUp(store, record, true)) return true;
  passed.set(run, stamp);
  retries.delete(run);
  return false;
}

function takeUp(pool: Pool, record: RunRecord): void {
  const { run } = record;
  const going: Going = { ring: () => undefined, over: coordinateHere(pool, record, (ring) => (going.ring = ring)) };
  pool.going.set(run, going);
}

async function coordinateHere(pool: Pool, record: RunRecord, onLoop: (ring: () => void) => void): Promise<void> {
  const { run } = record;
  // The entry of the run is made before anything can go wrong.
  await Promise.resolve();
  try {
    const over = await coordinateOne(pool, record, onLoop);
    if (over?.type === 'failed') retryLater(pool, run);
    else pool.retries.delete(run);
    if (over !== undefined) pool.onNote({ code: 'run-over', run, over });
  } catch (cause) {
    // One run's trouble is not the others' (coordinators/C1).
    retryLater(pool, run);
    pool.onNote({ code: 'run-failed', run, refusal: refusalOf(cause), cause });
  } finally {
    pool.going.delete(run);
  }
}

function retryLater({ retries }: Pool, run: string): void {
  const tries = (retries.get(run)?.tries ?? 0) + 1;
  const waitMs = Math.min(RETRY_MS_MAX, RETRY_MS * 2 ** (tries - 1));
  retries.set(run, { at: CLOCK.monotonic() + waitMs, tries });
}

/** Agents that are files of the project. */
const OF_CHECKOUT = 'module';

/** Undefined when another process was quicker. */
async function coordinateOne(
  pool: Pool,
  record: RunRecord,
  onLoop: (ring: () => void) => void,
): Promise<RunOver | LoopLeft | undefined> {
  const { project, store, keeping, remote, width, leaseMs, clock } = pool;
  const { run } = record;
  // An owner that could not write, and so could not release the run either, was this process.
  const owner = store.ownerOf(run);
  const takesOver = owner !== undefined && isThisProcess(owner);
  const owned = await keeping.own(run, { takesOver });
  if (owned.type === 'refused') return undefined;
  const observer = observerFor(pool, record, onLoop);
  const options = { project, store, record, compiled: undefined, observer, takesOver, waitMs: Infinity };
  const agents = [...(await pool.agents), OF_CHECKOUT];
  const served = { remote, width, agents, leaseMs, clock, isLeaving: () => pool.isClosing, share: keeping.share };
  try {
    const { over } = await coordinateOwned(options, owned, served);
    // This process goes on living, so nobody else would take the run.
    if (over.type === 'failed' && keeping.isShared && owned.type === 'owned') await owned.release();
    if (over.type === 'left') pool.left.push(leftIn(run, over));
    if (over.type === 'ended') await landAtEnd(pool, record, over);
    return over;
  } catch (cause) {
    if (owned.type === 'owned') await owned.release();
    throw cause;
  }
}

function observerFor({ onNote }: Pool, { run }: RunRecord, onLoop: Observer['onLoop']): Observer {
  return {
    onStart: () => onNote({ code: 'taken-up', run }),
    onEvents: () => undefined,
    onNote: (note) => onNote({ code: 'of-run', run, note }),
    onLoop,
  };
}

function leftIn(run: string, { state }: LoopLeft): RunLeft {
  const claims = [...state.claims.values()];
  const there = claims.filter(({ host }) => host !== undefined).length;
  return { run, here: claims.length - there, there };
}

/** As the command that started the run does, where its plan lands by itself. */
async function landAtEnd(
  { project, store, onNote }: Pool,
  record: RunRecord,
  { state }: Extract<RunOver, { readonly type: 'ended' }>,
): Promise<void> {
  const { auto } = state.compiled.plan.settings.merge;
  if (auto !== 'auto' || state.run.base === undefined) return;
  const { whatLands } = await import('../git/what-to-land.ts');
  if (!whatLands(state).isWhole) return;
  const { run } = record;
  const outcome = await landNow({ project, store, record });
  onNote({ code: 'of-run', run, note: { code: 'landed', run, outcome } });
}

function standingOf({ store, going, keeping }: Pool, run: string): RunStanding {
  const record = store.find(run);
  if (record === undefined) return keeping.isShared ? 'elsewhere' : 'over';
  if (going.has(run) || !keeping.isVacant(run)) return 'elsewhere';
  if (isToTakeUp(store, record, true)) return 'elsewhere';
  if (hasEnded(store, run)) return 'over';
  return keeping.isShared ? 'elsewhere' : 'idle';
}

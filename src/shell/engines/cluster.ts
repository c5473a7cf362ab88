// One of several machines that stand by for the runs of an engine: it follows all of them, and takes those without an owner.
//
// cluster/C1. The engine is the truth: an append is done when the engine has it, and the copy here follows.
// cluster/C2. While the engine is away nothing ends: appends wait, and what is wrong is told once until it changes.
// cluster/C3. A lease ends at its moment and not at a look, as long as the last look is much younger than a lease: an owner
//     that was heard in time before it cannot lose its run between two looks.
import { setTimeout } from 'node:timers/promises';
import type { StoreFailure } from '../../core/protocol/store-failure.ts';
import type { Clock } from '../ports/clock.ts';
import type { Head } from '../ports/engine.ts';
import type { Log, RunRecord } from '../ports/log.ts';
import type { Owned } from '../ports/ownership.ts';
import type { Store } from '../ports/store.ts';
import { EngineError } from './engine-error.ts';
import type { EngineStore } from './engine-store.ts';
import { mirrorRun, type RunMirror } from './run-mirror.ts';

export interface Cluster {
  /**
   * Whether the run, over or not, has no owner: it was released at the last look, or its owner is silent for its lease; and
   * the copy here is as long as the log was at that look.
   */
  readonly isVacant: (run: string) => boolean;
  /** Whether the engine had the run at the last look. */
  readonly has: (run: string) => boolean;
  /** Makes this process the run's one writer. A run that only this machine knows becomes one of the engine. */
  readonly own: (run: string) => Promise<Owned>;
  /** Looks once more; it is done regularly anyway. */
  readonly look: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface ClusterOptions {
  readonly engine: EngineStore;
  readonly store: Store;
  /** The name of this machine's copy, which stays the same when its process is started again. */
  readonly name: string;
  readonly lookMs: number;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Undefined when the trouble is over. */
  readonly onTrouble: (failure: StoreFailure | undefined) => void;
}

/** What this process knows of the runs. */
interface Known {
  /** Runs that this process owns. */
  readonly ours: Set<string>;
  readonly mirrors: Map<string, RunMirror>;
  /** The state of each run that the copy has. */
  readonly seen: Map<string, number>;
  /** As of the last look that was answered. */
  heads: ReadonlyMap<string, Head>;
  /** When it was answered, by the monotonic clock; undefined when the engine is away since. */
  lookedAt: number | undefined;
}

export function openCluster(options: ClusterOptions): Cluster {
  const { engine, lookMs, clock } = options;
  const known: Known = { ours: new Set(), mirrors: new Map(), seen: new Map(), heads: new Map(), lookedAt: undefined };
  const closing = new AbortController();
  const tell = reportOnce(options.onTrouble);
  const look = async (): Promise<void> => {
    try {
      const heads = await engine.heads();
      known.heads = new Map(heads.map((head) => [head.run, head]));
      known.lookedAt = clock.monotonic();
      let failure: StoreFailure | undefined;
      for (const head of heads) failure = (await follow(options, known, head)) ?? failure;
      tell(failure ?? engine.waitsFor());
    } catch (error) {
      // What was seen before the trouble may be otherwise by now.
      known.lookedAt = undefined;
      tell(failureIn(engine, error));
    }
  };
  const looking = (async () => {
    while (!closing.signal.aborted) {
      await look();
      // The end of the wait is all that an abort is for.
      await setTimeout(lookMs, undefined, { ref: false, signal: closing.signal }).catch(() => undefined);
    }
  })();
  return {
    isVacant: (run) => isVacant(options, known, run),
    has: (run) => known.heads.has(run),
    look,
    own: (run) => own(options, known, run),
    close: async () => {
      closing.abort();
      await looking;
      for (const mirror of known.mirrors.values()) mirror.release();
    },
  };
}

/** Owners beat three times in a lease, so one that was heard in time has more than this left after a look. */
const freshMs = ({ holder }: Head): number => (holder === undefined ? Infinity : holder.leaseMs / 3);

function isVacant({ engine, store, clock }: ClusterOptions, known: Known, run: string): boolean {
  const { ours, seen, heads, lookedAt } = known;
  const head = heads.get(run);
  if (head === undefined || lookedAt === undefined || ours.has(run)) return false;
  const isFree = head.holder?.isGone === true || engine.isSilent(head);
  if (!isFree || clock.monotonic() - lookedAt > freshMs(head)) return false;
  return seen.get(run) === head.changed && store.endOf(run) === head.end;
}

async function follow(options: ClusterOptions, known: Known, head: Head): Promise<StoreFailure | undefined> {
  const { store } = options;
  const { ours, seen } = known;
  const { run, changed, end, holder } = head;
  // One that nobody has owned yet is about to be, and who follows it here would see an owner go.
  const isGoing = holder?.isGone !== true;
  const isSeen = seen.get(run) === changed;
  if (isSeen && !isGoing) return undefined;
  const record = store.find(run) ?? (await copyRecord(options, run));
  if (!('createdAt' in record)) return record;
  const mirror = mirrorOf(options, known, record);
  if (store.endOf(run) > end && !ours.has(run)) return { code: 'mirror-ahead', run };
  const failure = (isSeen ? undefined : await mirror.pull()) ?? (await mirror.forward());
  if (failure !== undefined) return failure;
  seen.set(run, changed);
  // This process may have taken the run since the look began.
  if (!isGoing && !ours.has(run)) mirror.release();
  return undefined;
}

async function own(options: ClusterOptions, known: Known, run: string): Promise<Owned> {
  const owned = await ownThere(options, run);
  if (owned.type !== 'owned') return owned;
  const record = options.store.find(run) ?? (await copyRecord(options, run));
  if (!('createdAt' in record)) {
    await owned.release();
    return { type: 'failed', failure: record };
  }
  known.ours.add(run);
  const forget = (): void => {
    known.ours.delete(run);
    known.seen.delete(run);
  };
  const release = async (): Promise<void> => {
    forget();
    await owned.release();
  };
  return { ...owned, log: mirroredLog(owned.log, mirrorOf(options, known, record), forget), release };
}

function mirrorOf(options: ClusterOptions, { mirrors }: Known, record: RunRecord): RunMirror {
  const mirror = mirrors.get(record.run) ?? mirrorRun({ ...options, record });
  mirrors.set(record.run, mirror);
  return mirror;
}

const failureIn = (engine: EngineStore, error: unknown): StoreFailure => {
  if (!(error instanceof EngineError)) throw error;
  return engine.failureOf(error);
};

/** The same trouble is told once. */
function reportOnce(onTrouble: ClusterOptions['onTrouble']): ClusterOptions['onTrouble'] {
  let told = '';
  return (failure) => {
    const text = failure === undefined ? '' : JSON.stringify(failure);
    if (text !== told) onTrouble(failure);
    told = text;
  };
}

/** A run of another machine gets its place here, under the id that it has there. */
async function copyRecord({ engine, store }: ClusterOptions, run: string): Promise<RunRecord | StoreFailure> {
  const record = await engine.find(run);
  const { events, failure } = await engine.eventsFrom(run, 0, 1);
  const [started] = events;
  if (record === undefined || started === undefined) return failure ?? { code: 'log-empty', run };
  const created = store.adopt(record, started);
  return created.type === 'created' ? created.record : created.failure;
}

/** Events that were written before there was an engine go along. */
async function ownThere({ engine, store }: ClusterOptions, run: string): Promise<Owned> {
  const record = store.find(run);
  const { events } = store.eventsFrom(run, 0);
  const [started, ...later] = events;
  if (record !== undefined && started !== undefined) {
    const adopted = await engine.adopt(record, started);
    if (adopted.type === 'failed') return adopted;
  }
  const owned = await engine.own(run, { takesOver: false });
  if (owned.type !== 'owned' || later.length === 0 || owned.log.read().length > 1) return owned;
  const appended = await owned.log.append(later, []);
  if (appended.type === 'appended') return owned;
  await owned.release();
  return appended.type === 'failed' ? appended : { type: 'failed', failure: { code: 'log-empty', run } };
}

function mirroredLog(log: Log, mirror: RunMirror, onLost: () => void): Log {
  let end = log.read().length;
  return {
    ...log,
    append: async (events, answers) => {
      const appended = await log.append(events, answers);
      // A coordinator that cannot write ends without a release.
      if (appended.type !== 'appended') onLost();
      else mirror.add(end, events);
      end += appended.type === 'appended' ? events.length : 0;
      return appended;
    },
  };
}

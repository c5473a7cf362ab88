// The host: starts workers on this machine, reattaches to the workers of a coordinator that died, runs the merge queue,
// and speaks `sync`. It does not know whether the coordinator is in its own process. All of its memory may be lost: the
// next host restores it from the attempt files of the workers, and is offered the merges again.
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { ClaimRef } from '../../core/protocol/assignment.ts';
import type { Spend } from '../../core/protocol/result.ts';
import type { Reply } from '../../core/protocol/sync.ts';
import type { ClaimTrace } from '../ports/agents.ts';
import type { ArtifactUpload } from '../ports/artifact-upload.ts';
import type { Clock } from '../ports/clock.ts';
import type { OpenMergeQueue } from '../ports/merge-request.ts';
import type { ObjectTransfer } from '../ports/object-transfer.ts';
import { dispatch, returnClaim } from './dispatch.ts';
import { openHeldMerges } from './held-merges.ts';
import type { HeldBy, HeldClaim, HostState, TimerName } from './host-state.ts';
import type { LeasePlace } from './lease-file.ts';
import { openOutbox } from './outbox.ts';
import { openReaper, type Reaper } from './reap-orphans.ts';
import { reattachClaims, silentMs, watchReattached } from './reattach.ts';
import { onWorkerExit, receiveFromWorker } from './receive-worker.ts';
import { checkWorkers, forceEnd, stopAll } from './stop.ts';
import { receiveReply, sendLive, sendSync, sendSyncIfFree, type SyncLink } from './sync-link.ts';
import { startTimers, type Timers } from './timers.ts';
import { IDLE_MS, WorkerPool } from './worker-pool.ts';

export interface HostOptions extends SyncLink {
  readonly run: string;
  /** The store's folder. */
  readonly home: string;
  /** The working folder of steps. */
  readonly cwd: string;
  /** The environment of steps, besides their tags. */
  readonly environment: Readonly<Record<string, string>>;
  /** The most claims held at once. */
  readonly claimsMax: number;
  /** The command line of a worker. */
  readonly workerProgram: readonly string[];
  readonly clock: Clock;
  readonly graceMs: number;
  /** Undefined for a host that cannot merge. */
  readonly openMergeQueue?: OpenMergeQueue | undefined;
  /** Set where commits have to travel between this host and the machine that has the log. */
  readonly transfer?: ObjectTransfer | undefined;
  /** Set where the files of attempts have to travel there. */
  readonly artifacts?: ArtifactUpload | undefined;
  /** Set where the claims of this host have leases. */
  readonly leases?: LeasePlace | undefined;
  /** Whether there is room for one more claim, where hosts of several runs share it. */
  readonly hasRoom?: (() => boolean) | undefined;
  /** What this machine lacks for any work, as room on its disk; set where another machine may have the claim instead. */
  readonly lacks?: (() => string | undefined) | undefined;
  /** Called with claims whose outcomes the coordinator has. */
  readonly onReported?: ((claims: readonly ClaimRef[]) => void) | undefined;
  /** Set where the run is traced. */
  readonly traceOf?: ((claim: ClaimRef) => ClaimTrace) | undefined;
}

/** A held claim, for people. */
export interface ClaimStatus {
  readonly claim: ClaimRef;
  readonly spend: Spend;
  /** Undefined while no worker has the claim. */
  readonly pid: number | undefined;
  readonly isReattached: boolean;
  readonly isStopping: boolean;
  /** Time since the worker's last heartbeat. */
  readonly silentMs: number;
}

export interface Host {
  readonly receive: (reply: Reply) => void;
  /** Sends a message now. */
  readonly speak: () => void;
  /** Whether nothing is held here and every outcome was heard. */
  readonly isIdle: () => boolean;
  /** How many claims are held, merges aside. */
  readonly heldCount: () => number;
  /** Called at the start with the claims that are running according to the log. */
  readonly recover: (claims: readonly ClaimRef[]) => void;
  /** Ends all claims and accepts no more. */
  readonly stopAll: (how: { readonly now: boolean }) => void;
  readonly claims: () => readonly ClaimStatus[];
  /** Ends the held claims, unless they are left running for the next host; and releases all workers. */
  readonly close: (how?: { readonly leave: boolean }) => Promise<void>;
}

/** Not a valid id of a task. */
const ERRORS_FILE = '@workers.log';

export function startHost(options: HostOptions): Host {
  const errors = openErrors(options);
  const state = openState(options, errors);
  state.timers.within('renew', 0);
  let closing: Promise<void> | undefined;
  return {
    receive: (reply) => receiveReply(state, reply),
    speak: () => sendSync(state, options),
    isIdle: () => state.held.size === 0 && state.merges.claims().length === 0 && state.outbox.isEmpty(),
    heldCount: () => state.held.size,
    recover: (claims) => reattachClaims(state, claims),
    stopAll: ({ now }) => stopAll(state, now ? 0 : state.graceMs),
    claims: () => [...state.held.values()].map((held) => statusOf(state, held)),
    close: (how) => {
      closing ??= close(state, how?.leave ?? false).then(() => closeErrors(errors));
      return closing;
    },
  };
}

/** A worker runs even when it cannot log its errors. */
function openErrors({ home, run }: HostOptions): number | 'ignore' {
  const folder = join(home, 'runs', run);
  try {
    mkdirSync(folder, { recursive: true });
    return openSync(join(folder, ERRORS_FILE), 'a');
  } catch {
    return 'ignore';
  }
}

function closeErrors(errors: number | 'ignore'): void {
  if (errors !== 'ignore') closeSync(errors);
}

function openState(options: HostOptions, errors: number | 'ignore'): HostState {
  const { home, run, cwd, claimsMax, graceMs, clock } = options;
  let isSending = false;
  const sendSoon = (): void => {
    if (isSending) return;
    isSending = true;
    // Claims that end in the same moment are reported together.
    setImmediate(() => {
      isSending = false;
      sendSyncIfFree(state, options);
    });
  };
  const state: HostState = {
    home,
    run,
    cwd,
    claimsMax,
    graceMs,
    clock,
    traceOf: options.traceOf,
    transfer: options.transfer,
    artifacts: options.artifacts,
    leases: options.leases,
    hasRoom: options.hasRoom ?? (() => true),
    lacks: options.lacks ?? (() => undefined),
    onReported: options.onReported ?? (() => {}),
    sendSoon,
    held: new Map(),
    merges: openHeldMerges(options.openMergeQueue, (outcomes) => {
      for (const outcome of outcomes) state.outbox.add(outcome);
      sendSoon();
      state.onSettled();
    }),
    known: new Set(),
    outbox: openOutbox(),
    pool: poolFor(options, errors, () => state),
    reaper: reaperFor(options, () => state),
    timers: timersFor(options, () => state),
    onSettled: () => {},
    hasLiveChange: false,
    isStopping: false,
    isClosed: false,
  };
  return state;
}

function poolFor(options: HostOptions, errors: number | 'ignore', state: () => HostState): WorkerPool<HeldClaim> {
  const { workerProgram: program, home, environment, claimsMax: workersMax, clock } = options;
  return new WorkerPool<HeldClaim>({
    program,
    // The folder of the store, because folders of steps may be deleted.
    cwd: home,
    environment,
    errors,
    workersMax,
    clock,
    onMessage: (worker, message) => receiveFromWorker(state(), worker, message),
    onExit: (worker, how) => onWorkerExit(state(), worker, how),
    onFailed: (worker, error) => {
      if (worker.job !== undefined) returnClaim(state(), worker.job, error);
    },
  });
}

/** Of claims that are begun: what is left of their processes is left over. */
const NOT_AT_WORK: ReadonlySet<HeldBy['type']> = new Set(['orphans', 'delivering']);

function reaperFor({ home, run }: HostOptions, state: () => HostState): Reaper {
  return openReaper({
    home,
    run,
    isOver: (key) => state().known.has(key) && NOT_AT_WORK.has(state().held.get(key)?.by.type ?? 'orphans'),
    spared: () => new Set([...state().pool.pids(), ...[...state().held.values()].flatMap(pidsOf)]),
  });
}

function timersFor(options: HostOptions, state: () => HostState): Timers<TimerName> {
  return startTimers(options.clock, {
    renew: () => sendSync(state(), options),
    resend: () => sendSync(state(), options),
    reopen: () => sendSyncIfFree(state(), options),
    live: () => sendLive(state(), options),
    dispatch: () => dispatch(state()),
    watch: () => watchReattached(state()),
    check: () => checkWorkers(state()),
    force: () => forceEnd(state()),
    reap: () => void state().reaper.reap(),
    trim: () => {
      if (state().pool.trim()) state().timers.within('trim', IDLE_MS);
    },
  });
}

/** Leaves no process of a settled claim running, and touches no claim that is to be left running. */
async function close(state: HostState, leave: boolean): Promise<void> {
  if (!leave) {
    stopAll(state, 0);
    await allSettled(state);
  }
  state.isClosed = true;
  state.timers.close();
  await state.merges.close();
  await state.reaper.reap();
  await state.pool.close();
}

/** Always resolves: a worker that does not answer is killed, and its claim is declared lost. */
function allSettled(state: HostState): Promise<void> {
  return new Promise((resolve) => {
    state.onSettled = () => {
      if (state.held.size + state.merges.claims().length === 0) resolve();
    };
    state.onSettled();
  });
}

function statusOf(state: HostState, held: HeldClaim): ClaimStatus {
  const { claim, spend, by, ending } = held;
  return {
    claim,
    spend,
    pid: pidsOf(held)[0],
    isReattached: by.type === 'reattached',
    isStopping: ending !== undefined,
    silentMs: by.type === 'waiting' || by.type === 'bringing' ? 0 : silentMs(state, held),
  };
}

function pidsOf({ by }: HeldClaim): readonly number[] {
  const pid = by.type === 'worker' ? by.worker.pid : by.type === 'reattached' ? by.process?.pid : undefined;
  return pid === undefined ? [] : [pid];
}

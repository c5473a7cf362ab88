// The host: starts workers on this machine, reattaches to those of a coordinator that died, and speaks `sync`. It does not
// know whether the coordinator is in its own process. Everything that it remembers can be lost: the next host reads it
// from the attempt files that workers wrote.
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { ClaimRef } from '../../core/protocol/assignment.ts';
import type { Spend } from '../../core/protocol/result.ts';
import type { Reply } from '../../core/protocol/sync.ts';
import type { Clock } from '../ports/clock.ts';
import { dispatch, returnClaim } from './dispatch.ts';
import type { HeldClaim, HostState, TimerName } from './host-state.ts';
import { openOutbox } from './outbox.ts';
import { openReaper, type Reaper } from './reap-orphans.ts';
import { recover, silentMs, watchReattached } from './reattach.ts';
import { onWorkerExit, receiveFromWorker } from './receive-worker.ts';
import { checkWorkers, forceEnd, stopAll } from './stop.ts';
import { receiveReply, sendLive, sendSync, sendSyncIfFree, type SyncLink } from './sync-link.ts';
import { startTimers, type Timers } from './timers.ts';
import { IDLE_MS, WorkerPool } from './worker-pool.ts';

export interface HostOptions extends SyncLink {
  readonly run: string;
  /** The store's folder. */
  readonly home: string;
  /** Where steps work. */
  readonly cwd: string;
  /** The environment of steps, besides their tags. */
  readonly environment: Readonly<Record<string, string>>;
  /** The most claims held at once. */
  readonly claimsMax: number;
  /** The program that a worker is, and its arguments. */
  readonly workerProgram: readonly string[];
  readonly clock: Clock;
  readonly graceMs: number;
}

/** A held claim, for people. */
export interface ClaimStatus {
  readonly claim: ClaimRef;
  readonly spend: Spend;
  /** Undefined while no worker has it. */
  readonly pid: number | undefined;
  readonly isReattached: boolean;
  readonly isStopping: boolean;
  /** For how long its worker has written no heartbeat. */
  readonly silentMs: number;
}

export interface Host {
  readonly receive: (reply: Reply) => void;
  /** To be called at the start with the claims that the log says are running. */
  readonly recover: (claims: readonly ClaimRef[]) => void;
  /** Ends all claims and takes no more. */
  readonly stopAll: (how: { readonly now: boolean }) => void;
  readonly claims: () => readonly ClaimStatus[];
  /** Ends what is still held, unless it is to be left running for the next host; and lets all workers go. */
  readonly close: (how?: { readonly leave: boolean }) => Promise<void>;
}

/** No task has this id. */
const ERRORS_FILE = '@workers.log';

export function startHost(options: HostOptions): Host {
  const errors = openErrors(options);
  const state = openState(options, errors);
  state.timers.within('renew', 0);
  let closing: Promise<void> | undefined;
  return {
    receive: (reply) => receiveReply(state, reply),
    recover: (claims) => recover(state, claims),
    stopAll: ({ now }) => stopAll(state, now ? 0 : state.graceMs),
    claims: () => [...state.held.values()].map((held) => statusOf(state, held)),
    close: (how) => {
      closing ??= close(state, how?.leave ?? false).then(() => closeErrors(errors));
      return closing;
    },
  };
}

/** A worker that cannot log its errors works all the same. */
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
    sendSoon,
    held: new Map(),
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
    // The folder of the store, so that a folder of steps may come and go.
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

function reaperFor({ home, run }: HostOptions, state: () => HostState): Reaper {
  return openReaper({
    home,
    run,
    isOver: (key) => state().known.has(key) && (state().held.get(key)?.by.type ?? 'orphans') === 'orphans',
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

/** Nothing of what was settled is left running, and nothing of what is to be left is touched. */
async function close(state: HostState, leave: boolean): Promise<void> {
  if (!leave) {
    stopAll(state, 0);
    await allSettled(state);
  }
  state.isClosed = true;
  state.timers.close();
  await state.reaper.reap();
  await state.pool.close();
}

/** It resolves: a worker that does not answer is killed, and the claim of a killed one is declared lost. */
function allSettled(state: HostState): Promise<void> {
  return new Promise((resolve) => {
    state.onSettled = () => {
      if (state.held.size === 0) resolve();
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
    silentMs: by.type === 'waiting' ? 0 : silentMs(state, held),
  };
}

function pidsOf({ by }: HeldClaim): readonly number[] {
  const pid = by.type === 'worker' ? by.worker.pid : by.type === 'reattached' ? by.process?.pid : undefined;
  return pid === undefined ? [] : [pid];
}

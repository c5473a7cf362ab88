// The host: what starts workers on this machine, takes over those of a coordinator that died, and speaks `sync`. It
// does not know whether the coordinator is in its own process. Everything that it remembers can be lost: the next host
// finds it in what workers left of their attempts.
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { ClaimRef } from '../../core/protocol/assignment.ts';
import type { Spend } from '../../core/protocol/result.ts';
import type { Reply } from '../../core/protocol/sync.ts';
import type { Clock } from '../ports.ts';
import { recover, silentMs, watch } from './reattach.ts';
import { startTimers, type Timers } from './timers.ts';
import { dispatch, giveBack } from './dispatch.ts';
import { close } from './close.ts';
import type { Deed, Floor } from './host-state.ts';
import { hearWorker, missWorker } from './receive-worker.ts';
import type { HeldClaim } from './held-claim.ts';
import { openOutbox } from './outbox.ts';
import { Crew } from './worker-pool.ts';
import { openReaper, type Reaper } from './reap-orphans.ts';
import { hear, speak, speakIfFree, tellLive, type Speaking } from './sync-link.ts';
import { force, look, stopAll } from './stop.ts';
import { reapNow, trim } from './tidy-up.ts';

export interface HostOptions extends Speaking {
  readonly run: string;
  /** The store's folder. */
  readonly home: string;
  /** Where steps work. */
  readonly cwd: string;
  /** What steps see besides their marks. */
  readonly environment: Readonly<Record<string, string>>;
  /** The most claims held at once. */
  readonly width: number;
  /** The program that a worker is, and its arguments. */
  readonly workerProgram: readonly string[];
  readonly clock: Clock;
  readonly graceMs: number;
}

/** A claim at work, for people. */
export interface AtWork {
  readonly claim: ClaimRef;
  readonly spend: Spend;
  /** Undefined while no worker has it. */
  readonly pid: number | undefined;
  readonly isAdopted: boolean;
  readonly isStopping: boolean;
  /** For how long its worker has not shown that it lives. */
  readonly silentMs: number;
}

export interface Host {
  readonly hear: (reply: Reply) => void;
  /** To be called at the start with the claims that the log says are at work. */
  readonly recover: (claims: readonly ClaimRef[]) => void;
  /** Ends all that is held and takes nothing more. */
  readonly stopAll: (how: { readonly now: boolean }) => void;
  readonly holds: () => readonly AtWork[];
  /** Ends what is still held, unless it is to be left at work for the next host; and lets all workers go. */
  readonly close: (how?: { readonly leave: boolean }) => Promise<void>;
}

/** No task has this id. */
const ERRORS_FILE = '@workers.log';

export function startHost(options: HostOptions): Host {
  const errors = openErrors(options);
  const floor = openFloor(options, errors);
  floor.timers.within('renew', 0);
  let closing: Promise<void> | undefined;
  return {
    hear: (reply) => hear(floor, reply),
    recover: (claims) => recover(floor, claims),
    stopAll: ({ now }) => stopAll(floor, now ? 0 : floor.graceMs),
    holds: () => [...floor.held.values()].map((held) => atWork(floor, held)),
    close: (how) => {
      closing ??= close(floor, how?.leave ?? false).then(() => closeErrors(errors));
      return closing;
    },
  };
}

/** A worker that cannot say what is wrong with it works all the same. */
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

function openFloor(options: HostOptions, errors: number | 'ignore'): Floor {
  const { home, run, cwd, width, graceMs, clock } = options;
  let isSpeaking = false;
  const speakSoon = (): void => {
    if (isSpeaking) return;
    isSpeaking = true;
    // What ends in the same moment is told together.
    setImmediate(() => {
      isSpeaking = false;
      speakIfFree(floor, options);
    });
  };
  const floor: Floor = {
    home,
    run,
    cwd,
    width,
    graceMs,
    clock,
    speakSoon,
    held: new Map(),
    known: new Set(),
    outbox: openOutbox(),
    crew: crewFor(options, errors, () => floor),
    reaper: reaperFor(options, () => floor),
    timers: timersFor(options, () => floor),
    onSettled: () => {},
    hasLiveNews: false,
    isStopping: false,
    isClosed: false,
  };
  return floor;
}

function crewFor(options: HostOptions, errors: number | 'ignore', floor: () => Floor): Crew<HeldClaim> {
  const { workerProgram: program, home, environment, width, clock } = options;
  return new Crew<HeldClaim>({
    program,
    // The folder of the store, so that a folder of steps may come and go.
    cwd: home,
    environment,
    errors,
    width,
    clock,
    onMessage: (member, message) => hearWorker(floor(), member, message),
    onExit: (member, how) => missWorker(floor(), member, how),
    onFailed: (member, error) => {
      if (member.job !== undefined) giveBack(floor(), member.job, error);
    },
  });
}

function reaperFor({ home, run }: HostOptions, floor: () => Floor): Reaper {
  return openReaper({
    home,
    run,
    isOver: (key) => floor().known.has(key) && (floor().held.get(key)?.by.type ?? 'leftovers') === 'leftovers',
    spared: () => new Set([process.pid, ...floor().crew.pids(), ...[...floor().held.values()].flatMap(pidsOf)]),
  });
}

function timersFor(options: HostOptions, floor: () => Floor): Timers<Deed> {
  return startTimers(options.clock, {
    renew: () => speak(floor(), options),
    resend: () => speak(floor(), options),
    reopen: () => speakIfFree(floor(), options),
    live: () => tellLive(floor(), options),
    dispatch: () => dispatch(floor()),
    watch: () => watch(floor()),
    look: () => look(floor()),
    force: () => force(floor()),
    reap: () => reapNow(floor()),
    trim: () => trim(floor()),
  });
}

function atWork(floor: Floor, held: HeldClaim): AtWork {
  const { claim, spend, by, ending } = held;
  return {
    claim,
    spend,
    pid: pidsOf(held)[0],
    isAdopted: by.type === 'adopted',
    isStopping: ending !== undefined,
    silentMs: by.type === 'waiting' ? 0 : silentMs(floor, held),
  };
}

function pidsOf({ by }: HeldClaim): readonly number[] {
  const pid = by.type === 'worker' ? by.member.pid : by.type === 'adopted' ? by.process?.pid : undefined;
  return pid === undefined ? [] : [pid];
}

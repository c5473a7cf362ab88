// The runs that a host program works for: a host of `shell/host` for each, all of which share the width of the program.
//
// host-runs/R1. A message is composed of what every host says at that moment, so a reply to it is a reply to each of them.
// host-runs/R2. A run that is over is closed before its files are removed, and is not opened again until they are.
import type { ClaimRef } from '../../core/protocol/assignment.ts';
import type { HostMessageReply, HostRun } from '../../core/protocol/host-message.ts';
import type { Reply, Sync } from '../../core/protocol/sync.ts';
import { startHost, type Host, type HostOptions } from '../../shell/host/host.ts';
import type { Urgency } from '../../shell/link/server-link.ts';
import type { ObjectTransfer } from '../../shell/ports/object-transfer.ts';
import { leftClaims, leftRuns, markReported } from './left-claims.ts';
import type { WarmBases } from './warm-bases.ts';

export interface HostRunsOrder extends Pick<HostOptions, 'home' | 'cwd' | 'environment' | 'workerProgram'> {
  readonly width: number;
  readonly clock: HostOptions['clock'];
  readonly graceMs: number;
  readonly transfer: ObjectTransfer | undefined;
  readonly artifacts: HostOptions['artifacts'];
  readonly warm: WarmBases;
  readonly onNews: (urgency: Urgency) => void;
  /** Removes what the host has of a run. */
  readonly clean: (run: string) => Promise<void>;
}

export interface HostRuns {
  /** Takes up what an earlier program of this host has left; returns the number of its claims. */
  readonly takeUp: () => number;
  readonly say: (number: number) => readonly HostRun[];
  readonly hear: (reply: HostMessageReply) => void;
  readonly claims: () => readonly HeldByRun[];
  /** Whether nothing is held and every outcome was heard. */
  readonly isIdle: () => boolean;
  readonly stopAll: (how: { readonly now: boolean }) => void;
  readonly close: (how: { readonly leave: boolean }) => Promise<void>;
}

export interface HeldByRun {
  readonly run: string;
  readonly claim: ClaimRef;
}

interface OpenRun {
  readonly run: string;
  readonly host: Host;
  latest: Sync | undefined;
  /** By the number of a message to the server, that of what this host said in it. */
  readonly numbers: Map<number, number>;
  /** The claims and costs of the latest message to the server. */
  said: string;
}

interface RunsState extends HostRunsOrder {
  readonly open: Map<string, OpenRun>;
  readonly closing: Map<string, Promise<void>>;
  isComposing: boolean;
}

/** Replies to older messages say nothing that a later one does not. */
const NUMBERS_MAX = 32;

export function openHostRuns(order: HostRunsOrder): HostRuns {
  const state: RunsState = { ...order, open: new Map(), closing: new Map(), isComposing: false };
  return {
    takeUp: () => {
      for (const run of leftRuns(state.home)) openRun(state, run);
      return heldIn(state).length;
    },
    say: (number) => say(state, number),
    hear: (reply) => hear(state, reply),
    claims: () => heldIn(state),
    isIdle: () => state.closing.size === 0 && state.open.values().every(({ host }) => host.isIdle()),
    stopAll: (how) => {
      for (const { host } of state.open.values()) host.stopAll(how);
    },
    close: async (how) => {
      await Promise.all(state.open.values().map(({ host }) => host.close(how)));
      await Promise.all(state.closing.values());
    },
  };
}

const heldIn = ({ open }: RunsState): readonly HeldByRun[] =>
  [...open.values()].flatMap(({ run, latest }) => latest?.held.map(({ claim }) => ({ run, claim })) ?? []);

function openRun(state: RunsState, run: string): OpenRun {
  const { home, cwd, environment, workerProgram, width, clock, graceMs, artifacts } = state;
  const host = startHost({
    name: '',
    run,
    home,
    cwd,
    environment,
    workerProgram,
    claimsMax: width,
    clock,
    graceMs,
    transfer: state.transfer,
    artifacts,
    hasRoom: () => countOf(state) < width,
    onReported: (claims) => {
      markReported(home, run, claims);
      state.warm.refresh();
    },
    send: (sync) => spoken(state, one, sync),
  });
  const one: OpenRun = { run, host, latest: undefined, numbers: new Map(), said: '' };
  state.open.set(run, one);
  host.recover(leftClaims(home, run));
  return one;
}

/** Hosts count their own claims as they take them. */
const countOf = ({ open }: RunsState): number => open.values().reduce((count, { host }) => count + host.heldCount(), 0);

function spoken(state: RunsState, one: OpenRun, sync: Sync): void {
  one.latest = sync;
  if (state.isComposing) return;
  if (sync.done.length > 0) state.onNews('urgent');
  else if (fingerprint(sync) !== one.said) state.onNews('live');
}

const fingerprint = ({ held }: Sync): string => JSON.stringify(held);

function say(state: RunsState, number: number): readonly HostRun[] {
  state.isComposing = true;
  for (const { host } of state.open.values()) host.speak();
  state.isComposing = false;
  const warm = state.warm.list();
  return [...state.open.values()].flatMap((one) => {
    const { latest, numbers, run } = one;
    if (latest === undefined) return [];
    numbers.set(number, latest.number);
    numbers.delete(number - NUMBERS_MAX);
    one.said = fingerprint(latest);
    return [{ run, done: latest.done, held: latest.held, warm }];
  });
}

function hear(state: RunsState, { number, runs, over }: HostMessageReply): void {
  for (const { run, reply } of runs) hearOf(state, { run, number, reply });
  for (const run of over) end(state, run);
}

interface Heard {
  readonly run: string;
  readonly number: number;
  readonly reply: Reply;
}

function hearOf(state: RunsState, { run, number, reply }: Heard): void {
  // What is being removed is offered again.
  if (state.closing.has(run)) return;
  const known = state.open.get(run);
  for (const { sandbox } of reply.start) if (sandbox !== undefined) state.warm.note(sandbox.base);
  const { host, numbers } = known ?? openRun(state, run);
  // A host that has not spoken yet has sent message 0.
  host.receive({ ...reply, number: numbers.get(number) ?? 0 });
}

function end(state: RunsState, run: string): void {
  const known = state.open.get(run);
  if (known === undefined) return;
  state.open.delete(run);
  const closed = known.host
    .close()
    .then(() => state.clean(run))
    .finally(() => state.closing.delete(run));
  state.closing.set(run, closed);
}

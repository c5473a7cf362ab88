// The runs that a host program works for: a host of `shell/host` for each, all of which share the width of the program.
//
// host-runs/R1. A message is composed of what every host says at that moment, so a reply to it is a reply to each of them.
//     Of several servers only the one that a run was last heard of from makes its host speak, so that the others do not make
//     replies to it late (sync/H3).
// host-runs/R2. A run that is over is closed before its files are removed, and is not opened again until they are.
import type { ClaimRef } from '../../core/protocol/assignment.ts';
import type { HostMessageReply, HostRun } from '../../core/protocol/host-message.ts';
import type { Reply, Sync } from '../../core/protocol/sync.ts';
import { startHost, type Host, type HostOptions } from '../../shell/host/host.ts';
import type { Urgency } from '../../shell/link/server-link.ts';
import type { Leases } from './leases.ts';
import type { FarCommits } from './far-commits.ts';
import { leftClaims, leftRuns, markReported } from './left-claims.ts';
import type { WarmBases } from './warm-bases.ts';

export interface HostRunsOptions extends Pick<HostOptions, 'home' | 'cwd' | 'environment' | 'workerProgram'> {
  readonly width: number;
  readonly clock: HostOptions['clock'];
  readonly graceMs: number;
  readonly commits: FarCommits;
  readonly lacks: HostOptions['lacks'];
  /** Whether a server answers. */
  readonly isUp: (server: number) => boolean;
  readonly artifacts: HostOptions['artifacts'];
  readonly leases: Leases;
  readonly warm: WarmBases;
  readonly onNews: (urgency: Urgency) => void;
  /** Removes what the host has of a run. */
  readonly clean: (run: string) => Promise<void>;
  /** It could not be removed, as on a full disk; the next program of this host tries again. */
  readonly onUnclean: (run: string, cause: unknown) => void;
}

export interface HostRuns {
  /** Takes up what an earlier program of this host has left; returns the number of its claims. */
  readonly takeUp: () => number;
  /** A server is known by its place among those that the host has joined. */
  readonly say: (server: number, number: number) => readonly HostRun[];
  /** Returns the runs that are over. */
  readonly hear: (server: number, reply: HostMessageReply) => readonly string[];
  readonly claims: () => readonly HeldByRun[];
  /** Those of the runs that this server was the last to answer for. */
  readonly claimsOf: (server: number) => readonly HeldByRun[];
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
  /** By server and the number of a message to it, that of what this host said in it. */
  readonly numbers: Map<number, Map<number, number>>;
  /** The claims and costs of the latest message to the server. */
  said: string;
}

interface RunsState extends HostRunsOptions {
  readonly open: Map<string, OpenRun>;
  readonly closing: Map<string, Promise<void>>;
  isComposing: boolean;
}

/** Replies to older messages say nothing that a later one does not. */
const NUMBERS_MAX = 32;

export function openHostRuns(options: HostRunsOptions): HostRuns {
  const state: RunsState = { ...options, open: new Map(), closing: new Map(), isComposing: false };
  return {
    takeUp: () => {
      for (const run of leftRuns(state.home)) openRun(state, run);
      return countOf(state);
    },
    say: (server, number) => say(state, server, number),
    hear: (server, reply) => hear(state, server, reply),
    claims: () => heldIn(state),
    claimsOf: (server) => heldIn(state).filter(({ run }) => (state.commits.homeOf(run) ?? server) === server),
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
  const { home, cwd, environment, workerProgram, width, clock, graceMs, artifacts, lacks, leases } = state;
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
    transfer: state.commits,
    artifacts,
    leases: leases.place,
    hasRoom: () => countOf(state) < width,
    lacks,
    onReported: (claims) => {
      markReported(home, run, claims);
      state.commits.noteReported(run, claims);
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

function say(state: RunsState, server: number, number: number): readonly HostRun[] {
  const { commits, leases } = state;
  leases.saying(server, number);
  state.isComposing = true;
  for (const { run, host } of state.open.values()) if ((commits.homeOf(run) ?? server) === server) host.speak();
  state.isComposing = false;
  const warm = state.warm.list();
  return [...state.open.values()].flatMap((one) => {
    const { latest, numbers, run } = one;
    if (latest === undefined) return [];
    const there = numbers.get(server) ?? new Map<number, number>();
    numbers.set(server, there);
    const { done, held, isWhole } = commits.tellable(server, run, latest);
    if (isWhole) there.set(number, latest.number);
    there.delete(number - NUMBERS_MAX);
    one.said = fingerprint(latest);
    return [{ run, done, held, warm }];
  });
}

function hear(state: RunsState, server: number, { number, runs, heard, over }: HostMessageReply): readonly string[] {
  // Before anything begins that needs a lease.
  state.leases.answered(server, number, heard);
  for (const { run, reply } of runs) hearOf(state, { server, run, number, reply });
  const ended = over.filter((run) => isBelieved(state, server, run));
  for (const run of ended) end(state, run);
  return ended;
}

/** A server that did not have the run last may not know yet that it goes on. */
function isBelieved({ commits, isUp }: RunsState, server: number, run: string): boolean {
  const home = commits.homeOf(run) ?? server;
  return home === server || !isUp(home);
}

interface Heard {
  readonly server: number;
  readonly run: string;
  readonly number: number;
  readonly reply: Reply;
}

function hearOf(state: RunsState, { server, run, number, reply }: Heard): void {
  // What is being removed is offered again.
  if (state.closing.has(run)) return;
  const known = state.open.get(run);
  for (const { sandbox } of reply.start) if (sandbox !== undefined) state.warm.note(sandbox.base);
  state.commits.noteHome(run, server);
  const { host, numbers } = known ?? openRun(state, run);
  // A host that has not spoken yet, or not of all, has sent message 0 (far-commits/J3).
  host.receive({ ...reply, number: numbers.get(server)?.get(number) ?? 0 });
}

function end(state: RunsState, run: string): void {
  const known = state.open.get(run);
  if (known === undefined) return;
  state.open.delete(run);
  state.leases.forget(run);
  const closed = known.host
    .close()
    .then(() => state.clean(run))
    .catch((cause: unknown) => state.onUnclean(run, cause))
    .finally(() => state.closing.delete(run));
  state.closing.set(run, closed);
}

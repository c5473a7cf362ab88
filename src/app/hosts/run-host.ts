// Runs a host program: joins a server, works for its runs, and leaves.
//
// run-host/P1. A claim outlives this program: what is not reported when it ends is found and reported by the next one.
// run-host/P2. It leaves when it is asked to, and when the server refuses it. A server that is away is waited for.
import { setTimeout } from 'node:timers/promises';
import { assert } from '../../core/assert.ts';
import { isClockOff, type HostMessageReply } from '../../core/protocol/host-message.ts';
import type { HostOutput } from '../../shell/host/copies/host-output.ts';
import type { ServerClient } from '../../shell/link/server-client.ts';
import type { HostNews, LinkChange, Urgency } from '../../shell/link/server-link.ts';
import { CLOCK } from '../local-parts.ts';
import { programVersion } from '../package-root.ts';
import type { Refused } from '../refused.ts';
import { DISK_LEAST_BYTES, freeRoom } from './free-room.ts';
import type { HostNote } from './host-note.ts';
import type { HostRuns } from './host-runs.ts';
import { refusedFor } from './link-refusal.ts';
import { openServerLinks, type ServerLinks } from './server-links.ts';

export interface HostProgramOptions {
  /** The servers: one, or those of a cluster. */
  readonly urls: readonly URL[];
  /** One for each server. */
  readonly clients: readonly ServerClient[];
  readonly home: string;
  readonly instance: string;
  readonly follows: readonly string[];
  readonly width: number;
  readonly labels: readonly string[];
  readonly agents: readonly string[];
  readonly output: HostOutput;
  readonly openRuns: (told: RunsContext) => HostRuns;
  readonly onNote: (note: HostNote) => void;
}

export interface RunsContext {
  readonly onNews: (urgency: Urgency) => void;
  readonly isUp: (server: number) => boolean;
}

export interface HostProgram {
  /** Takes nothing new, and leaves when its claims are over. */
  readonly drain: () => void;
  /** Ends its claims, with their grace, and leaves. */
  readonly end: () => void;
  /** Goes at once, and leaves its workers running for the next program. */
  readonly abandon: () => void;
  /** Rejects with `Refused` when the server does not take this host. */
  readonly ended: Promise<void>;
}

interface ProgramState extends HostProgramOptions {
  readonly startedAt: number;
  readonly runs: HostRuns;
  link: ServerLinks | undefined;
  stage: 'here' | 'draining' | 'leaving' | 'gone';
  hasJoined: boolean;
  lostAt: number | undefined;
  isDiskLow: boolean;
  isNameAwaited: boolean;
  claims: string;
  readonly whole: PromiseWithResolvers<void>;
}

const LOOK_EVERY_MS = 250;
const LISTEN_EVERY_MS = 1_000;
/** To end claims and to report them. */
const END_WITHIN_MS = 20_000;
const LAST_WITHIN_MS = 5_000;
/** An earlier program of this host counts as connected for a whole lease. */
const NAME_WITHIN_MS = 120_000;

export function runHost(options: HostProgramOptions): HostProgram {
  const state: ProgramState = {
    ...options,
    startedAt: CLOCK.monotonic(),
    runs: options.openRuns({
      onNews: (urgency) => state.link?.ring(urgency),
      isUp: (server) => state.link?.isUp(server) ?? false,
    }),
    link: undefined,
    stage: 'here',
    hasJoined: false,
    lostAt: undefined,
    isDiskLow: false,
    isNameAwaited: false,
    claims: '',
    whole: Promise.withResolvers(),
  };
  const { urls, home, width, labels, agents, onNote } = options;
  onNote({ code: 'started', url: urls.map(({ href }) => href).join(', '), home, width, labels, agents });
  const claims = state.runs.takeUp();
  if (claims > 0) onNote({ code: 'taken-over', claims });
  state.link = openServerLinks({
    clients: options.clients,
    clock: CLOCK,
    chance: Math.random,
    compose: (server, number) => newsOf(state, server, number),
    onReply: (server, reply) => hear(state, server, reply),
    onChange: (change, server) => onLink(state, change, urls[server]),
  });
  const listening = setInterval(() => listen(state), LISTEN_EVERY_MS).unref();
  return {
    drain: () => void drain(state),
    end: () => void end(state),
    abandon: () => void abandon(state),
    ended: state.whole.promise.finally(() => clearInterval(listening)),
  };
}

/** Workers write their output to files, and do not say so. */
function listen({ output, runs, link }: ProgramState): void {
  if (output.hasNews(runs.claims())) link?.ring('live');
}

function newsOf(state: ProgramState, server: number, number: number): HostNews {
  const { instance, follows, labels, agents, width, home, runs, output, stage } = state;
  const room = freeRoom(home);
  noteDisk(state, room.diskBytes);
  noteClaims(state);
  return {
    version: programVersion(),
    instance,
    follows,
    labels,
    agents,
    // A full disk fails every claim that begins, and those that run may still free some of it.
    width: state.isDiskLow ? runs.claims().length : width,
    isDraining: stage !== 'here',
    isLeaving: stage === 'leaving',
    room,
    at: CLOCK.now(),
    runs: runs.say(server, number),
    tails: output.tails(numberAmongAll(state, server, number), runs.claimsOf(server)),
  };
}

function noteDisk(state: ProgramState, freeBytes: number): void {
  const isLow = freeBytes < DISK_LEAST_BYTES;
  if (isLow && !state.isDiskLow) state.onNote({ code: 'disk-low', freeBytes });
  state.isDiskLow = isLow;
}

function noteClaims(state: ProgramState): void {
  const held = state.runs.claims();
  const runs = new Set(held.map(({ run }) => run)).size;
  const claims = `${held.length} ${runs}`;
  if (claims !== state.claims && state.hasJoined) state.onNote({ code: 'claims', claims: held.length, runs });
  state.claims = claims;
}

/** Each server counts its messages for itself. */
const numberAmongAll = ({ urls }: ProgramState, server: number, number: number): number =>
  number * urls.length + server;

function hear(state: ProgramState, server: number, reply: HostMessageReply): void {
  state.output.answered(numberAmongAll(state, server, reply.number), reply.asks);
  for (const run of state.runs.hear(server, reply)) {
    state.onNote({ code: 'run-over', run });
    state.output.forget(run);
  }
}

function onLink(state: ProgramState, change: LinkChange, url: URL | undefined): void {
  const { onNote } = state;
  assert(url !== undefined, 'Each server has an address.');
  if (change.type === 'up') {
    if (!state.hasJoined) joined(state, change.at, url);
    else if (state.lostAt !== undefined) onNote({ code: 'link-back', afterMs: CLOCK.monotonic() - state.lostAt });
    state.hasJoined = true;
    state.lostAt = undefined;
    return;
  }
  if (state.stage === 'gone') return;
  const refused = isNameAwaited(state, change) ? undefined : refusedFor(change, { url, hasJoined: state.hasJoined });
  if (refused !== undefined) {
    void refuse(state, refused);
    return;
  }
  if (change.type !== 'down' || state.lostAt !== undefined) return;
  state.lostAt = CLOCK.monotonic();
  onNote({ code: 'link-lost', url: url.href, error: change.code });
}

function joined({ onNote }: ProgramState, serverAt: number | undefined, url: URL): void {
  onNote({ code: 'joined', url: url.href });
  const byMs = serverAt === undefined ? 0 : CLOCK.now() - serverAt;
  if (isClockOff(byMs)) onNote({ code: 'clock-off', byMs });
}

/** The server takes an earlier program of this host for connected until a lease is over. */
function isNameAwaited(state: ProgramState, change: LinkChange): boolean {
  if (change.type !== 'refused' || change.refusal.type !== 'name-taken') return false;
  if (state.hasJoined || CLOCK.monotonic() - state.startedAt > NAME_WITHIN_MS) return false;
  if (!state.isNameAwaited) state.onNote({ code: 'name-awaited', host: change.refusal.host });
  state.isNameAwaited = true;
  return true;
}

/** Nobody hears of its claims any more, so they are ended; the next program of this host reports them. */
async function refuse(state: ProgramState, refused: Refused): Promise<void> {
  if (state.stage === 'gone') return;
  state.stage = 'gone';
  state.link?.close();
  state.runs.stopAll({ now: false });
  await until(() => state.runs.claims().length === 0, END_WITHIN_MS);
  await state.runs.close({ leave: true });
  state.whole.reject(refused);
}

async function drain(state: ProgramState): Promise<void> {
  if (state.stage !== 'here') return;
  state.stage = 'draining';
  state.onNote({ code: 'draining', claims: state.runs.claims().length });
  state.link?.ring('urgent');
  await until(() => state.runs.isIdle() || state.stage !== 'draining', Infinity);
  await leave(state);
}

async function end(state: ProgramState): Promise<void> {
  if (state.stage === 'gone' || state.stage === 'leaving') return;
  state.stage = 'draining';
  state.onNote({ code: 'ending', claims: state.runs.claims().length });
  state.runs.stopAll({ now: false });
  await until(() => state.runs.isIdle(), END_WITHIN_MS);
  await leave(state);
}

/** With unreported claims it only falls silent: the server keeps them for a lease, in which the next program may come. */
async function leave(state: ProgramState): Promise<void> {
  if (state.stage === 'gone' || state.stage === 'leaving') return;
  state.stage = 'leaving';
  const unreported = state.runs.isIdle() ? 0 : state.runs.claims().length;
  if (unreported === 0 && state.hasJoined) await state.link?.sayLast(LAST_WITHIN_MS);
  await abandon(state);
  state.onNote({ code: 'left', unreported });
}

async function abandon(state: ProgramState): Promise<void> {
  if (state.stage === 'gone') return;
  state.stage = 'gone';
  state.link?.close();
  await state.runs.close({ leave: true });
  state.whole.resolve();
}

/** Resolves when something is so, or after this time. */
async function until(isSo: () => boolean, withinMs: number): Promise<void> {
  const end = CLOCK.monotonic() + withinMs;
  while (!isSo() && CLOCK.monotonic() < end) await setTimeout(LOOK_EVERY_MS);
}

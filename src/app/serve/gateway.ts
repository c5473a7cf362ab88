// Passes messages between the hosts that join a server and the runs that it coordinates.
//
// gateway/G1. A message of a host becomes one message for each run. What only the server can know is set here: the name of
//     the host, that it is remote, what it does, and its room.
// gateway/G2. A reply goes out while the message that it answers waits, and else not at all: the run offers it again.
// gateway/G3. A name belongs to one program at a time: another is refused while the first is connected, or was a lease ago.
//     One that follows it in its home is no other: refused for a lease, it would lose the claims that it has there.
// gateway/G4. It keeps nothing that a restart could miss: hosts say again what they hold, and logs where claims are.
import type { ClaimRef } from '../../core/protocol/assignment.ts';
import type {
  HeardRun,
  HostAsk,
  HostMessage,
  HostMessageReply,
  HostRun,
  HostTail,
} from '../../core/protocol/host-message.ts';
import type { RefusedReport } from '../../core/protocol/placement.ts';
import type { Reply, Sync } from '../../core/protocol/sync.ts';
import type { Clock } from '../../shell/ports/clock.ts';
import type { RemoteHosts, RunEars, RunLink } from '../../shell/ports/host-link.ts';
import { HERE } from '../local-parts.ts';
import { openSharedRoom, type SharedRoom } from './shared-room.ts';
import { emptyReply, openPoll, type OpenPoll } from './open-poll.ts';
import { syncFor } from './sync-for.ts';

/** What a host has to know of a run that this server does not coordinate now. */
export type RunStanding =
  /** It has ended, or there is no such run. */
  | 'over'
  /** No claim of it is running anywhere. */
  | 'idle'
  /** It may be taken up, or another process has it. */
  | 'elsewhere';

export interface OpenGatewayOptions {
  readonly clock: Clock;
  readonly leaseMs: number;
  readonly pollMs: number;
  /** For all runs on the coordinator's machine together; undefined leaves that to the plans. */
  readonly width: number | undefined;
  readonly standingOf: (run: string) => RunStanding;
  readonly onTails: (host: string, tails: readonly HostTail[]) => void;
  readonly onChange: (change: HostChange) => void;
}

/** News for people. */
export type HostChange =
  | { readonly type: 'joined' | 'left' | 'heard'; readonly host: string }
  | { readonly type: 'refused'; readonly host: string; readonly run: string; readonly refused: RefusedReport };

export type GatewayReply =
  | { readonly type: 'replied'; readonly reply: HostMessageReply }
  | { readonly type: 'name-taken'; readonly host: string };

export interface Gateway extends RemoteHosts {
  /** Resolves when there is something to say, or the poll is over. `gone` is aborted when the caller has hung up. */
  readonly hear: (host: string, message: HostMessage, gone: AbortSignal) => Promise<GatewayReply>;
  /** Whether the log of a run that is coordinated here places the claim on the host. */
  readonly holdsClaim: (run: string, claim: ClaimRef, host: string) => boolean;
  /** Whether the run is coordinated here at this moment. */
  readonly hears: (run: string) => boolean;
  /** False when the host does not listen. */
  readonly ask: (host: string, ask: HostAsk) => boolean;
  readonly hosts: () => readonly HostHere[];
  readonly close: () => void;
}

/** A host that has spoken since this server started. */
export interface HostHere {
  readonly name: string;
  readonly latest: HostMessage;
  /** By the monotonic clock, and by the other one. */
  readonly heardAt: number;
  readonly heardTime: number;
  readonly hasLeft: boolean;
  readonly left: number;
}

interface Speaker {
  readonly name: string;
  readonly room: SharedRoom;
  latest: HostMessage;
  heardAt: number;
  heardTime: number;
  poll: OpenPoll | undefined;
  /** It hung up while its message waited. */
  hasHungUp: boolean;
  hasLeft: boolean;
}

interface GatewayState extends OpenGatewayOptions {
  readonly speakers: Map<string, Speaker>;
  readonly runs: Map<string, RunEars>;
  /** Runs that have ended here, as their coordinators said last. */
  readonly over: Set<string>;
  /** Of the hosts inside the coordinators of all runs; undefined without a width for all of them together. */
  readonly here: SharedRoom | undefined;
}

export function openGateway(options: OpenGatewayOptions): Gateway {
  const here = options.width === undefined ? undefined : openSharedRoom(options.width);
  const state: GatewayState = { ...options, speakers: new Map(), runs: new Map(), over: new Set(), here };
  return {
    attach: (run) => linkOf(state, run),
    hear: (host, message, gone) => hear(state, { host, message, gone }),
    holdsClaim: (run, claim, host) => state.runs.get(run)?.placedOn(claim) === host,
    hears: (run) => state.runs.has(run),
    ask: (host, ask) => {
      const poll = state.speakers.get(host)?.poll;
      poll?.ask(ask);
      return poll !== undefined;
    },
    hosts: () => [...state.speakers.values()].map(viewOf),
    close: () => {
      for (const { poll } of state.speakers.values()) poll?.end();
    },
  };
}

const viewOf = ({ name, latest, heardAt, heardTime, hasLeft, room }: Speaker): HostHere => ({
  name,
  latest,
  heardAt,
  heardTime,
  hasLeft,
  left: room.left(),
});

const FIRST_POLL_MS = 100;

interface Message {
  readonly host: string;
  readonly message: HostMessage;
  readonly gone: AbortSignal;
}

function hear(state: GatewayState, { host, message, gone }: Message): Promise<GatewayReply> {
  const known = state.speakers.get(host);
  const isSame = known?.latest.instance === message.instance;
  if (known !== undefined && !isSame && isPresent(state, known, message))
    return Promise.resolve({ type: 'name-taken', host } as const);
  // A network may repeat an old message, which says nothing.
  if (isSame && message.number <= known.latest.number)
    return Promise.resolve({ type: 'replied', reply: emptyReply(message.number) } as const);
  known?.poll?.end();
  const { promise, resolve } = Promise.withResolvers<GatewayReply>();
  const speaker = speakerFor(state, known, { host, message });
  const poll = openPoll({
    number: message.number,
    // So that a host that joins knows at once that it has.
    waitMs: message.number === 1 ? Math.min(FIRST_POLL_MS, state.pollMs) : state.pollMs,
    isMoreComing: speaker.room.isAwaited,
    heard: (replied) => heardIn(state, speaker, new Set([...replied, ...message.runs.map(({ run }) => run)])),
    send: (reply) => resolve({ type: 'replied', reply }),
  });
  speaker.poll = poll;
  gone.addEventListener('abort', () => hangUp(speaker, poll), { once: true });
  if (message.tails.length > 0) state.onTails(host, message.tails);
  const said = new Map(message.runs.map((each) => [each.run, each]));
  for (const [run, ears] of inTurn(state)) ears.deliver(syncFor(speaker, said.get(run)));
  for (const each of message.runs) if (!state.runs.has(each.run)) replyWithout(state, poll, each);
  if (message.isLeaving) poll.end();
  return promise;
}

/** A run that was taken up while the message waited has counted from a later moment, and counts from this one for the host. */
function heardIn({ runs, clock }: GatewayState, { heardAt }: Speaker, named: ReadonlySet<string>): readonly HeardRun[] {
  const sinceMs = clock.monotonic() - heardAt;
  return [...runs].flatMap(([run, { uncertainMs }]) =>
    named.has(run) ? [{ run, uncertainMs: Math.ceil(Math.max(0, uncertainMs() - sinceMs)) }] : [],
  );
}

/** Another program with its name is refused, unless this one has hung up or left. */
function isPresent({ clock, leaseMs }: GatewayState, speaker: Speaker, { follows = [] }: HostMessage): boolean {
  const { latest, poll, heardAt, hasHungUp, hasLeft } = speaker;
  if (hasLeft || hasHungUp || follows.includes(latest.instance)) return false;
  return poll?.isOpen() === true || clock.monotonic() - heardAt < leaseMs;
}

function speakerFor(
  state: GatewayState,
  known: Speaker | undefined,
  { host, message }: Pick<Message, 'host' | 'message'>,
): Speaker {
  const speaker: Speaker = {
    name: host,
    room: known?.room ?? openSharedRoom(),
    latest: message,
    heardAt: state.clock.monotonic(),
    heardTime: state.clock.now(),
    poll: undefined,
    hasHungUp: false,
    hasLeft: message.isLeaving,
  };
  speaker.room.hear(message.width, new Map(message.runs.map(({ run, held }) => [run, held.length])));
  state.speakers.set(host, speaker);
  const hasJoined = known === undefined || known.hasLeft || known.latest.instance !== message.instance;
  state.onChange({ type: message.isLeaving ? 'left' : hasJoined ? 'joined' : 'heard', host });
  return speaker;
}

function hangUp(speaker: Speaker, poll: OpenPoll): void {
  if (!poll.isOpen()) return;
  poll.end();
  speaker.hasHungUp = true;
}

/** The run with the fewest claims on hosts takes first. */
function inTurn({ runs, speakers }: GatewayState): readonly (readonly [string, RunEars])[] {
  if (runs.size < 2) return [...runs];
  const held = new Map<string, number>();
  for (const { latest } of speakers.values())
    for (const each of latest.runs) held.set(each.run, (held.get(each.run) ?? 0) + each.held.length);
  return [...runs].toSorted(([one], [other]) => (held.get(one) ?? 0) - (held.get(other) ?? 0));
}

/** No coordinator here hears of the run. */
function replyWithout(state: GatewayState, poll: OpenPoll, { run, done, held }: HostRun): void {
  const standing = state.over.has(run) ? 'over' : state.standingOf(run);
  if (standing === 'over') poll.tellOver(run);
  if (standing === 'idle' && done.length + held.length > 0)
    poll.reply(run, { number: poll.number, start: [], cancel: held.map(({ claim }) => claim) });
}

function linkOf(state: GatewayState, run: string): RunLink {
  return {
    listen: (ears) => {
      state.runs.set(run, ears);
      state.over.delete(run);
      for (const speaker of state.speakers.values()) {
        const said = speaker.latest.runs.find((each) => each.run === run);
        if (speaker.poll?.isOpen() === true) ears.deliver(syncFor(speaker, said));
      }
    },
    rooms: () => roomsIn(state),
    reserve: (replies) => {
      for (const { host, reply } of replies) roomOf(state, host)?.reserve(run, startsIn(reply));
    },
    send: (host, reply) => send(state, run, { host, reply }),
    hearHere: (sync) => hearHere(state, run, sync),
    noteRefused: (reports) => {
      for (const refused of reports) state.onChange({ type: 'refused', host: refused.host, run, refused });
    },
    close: ({ isOver }) => detach(state, run, isOver),
  };
}

/** Merges take no room. */
const startsIn = ({ start }: Reply): number => start.filter(({ claim }) => claim.work !== 'merge').length;

const roomOf = ({ speakers, here }: GatewayState, host: string): SharedRoom | undefined =>
  host === HERE ? here : speakers.get(host)?.room;

function roomsIn({ speakers, here }: GatewayState): ReadonlyMap<string, number> {
  const rooms = new Map<string, number>();
  for (const { name, poll, room } of speakers.values()) if (poll?.isOpen() === true) rooms.set(name, room.left());
  if (here !== undefined) rooms.set(HERE, here.left());
  return rooms;
}

function send(
  state: GatewayState,
  run: string,
  { host, reply }: { readonly host: string; readonly reply: Reply },
): void {
  const poll = state.speakers.get(host)?.poll;
  const isSent = host === HERE || (poll?.isOpen() === true && poll.number === reply.number);
  roomOf(state, host)?.settle(run, isSent ? 'sent' : 'dropped');
  if (isSent) poll?.reply(run, reply);
  else if (startsIn(reply) > 0) ringOthers(state, run);
}

/** The host inside the coordinator of the run has spoken. */
function hearHere(state: GatewayState, run: string, { held }: Sync): void {
  const { here } = state;
  if (here === undefined || !state.runs.has(run)) return;
  const before = here.left();
  here.hearOf(run, held.filter(({ claim }) => claim.work !== 'merge').length);
  if (here.left() > before) ringOthers(state, run);
}

/** Room has come free, for which they may wait. */
function ringOthers({ runs }: GatewayState, run: string): void {
  for (const [other, { ring }] of runs) if (other !== run) ring();
}

function detach(state: GatewayState, run: string, isOver: boolean): void {
  state.runs.delete(run);
  if (isOver) state.over.add(run);
  state.here?.settle(run, 'dropped');
  state.here?.hearOf(run, 0);
  for (const { room, poll, latest } of state.speakers.values()) {
    room.settle(run, 'dropped');
    if (isOver && latest.runs.some((each) => each.run === run)) poll?.tellOver(run);
  }
  ringOthers(state, run);
}

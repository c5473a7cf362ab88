// The link of a host to its server: one message for all runs at a time, and its reply, by long poll.
//
// server-link/L1. A reply is acted on only when it is to the latest message; a reply to an earlier one says merely what was
//     heard (sync/H3).
// server-link/L2. A message with outcomes is certain to be answered, so news wait for that answer, within bounds. Otherwise
//     news that come faster than answers would make every answer a late one.
// server-link/L3. When the server is away, the latest message is sent again, at longer and longer intervals that no two
//     hosts share. It is far less than a lease, so a server that comes back finds every claim.
import {
  HOST_PROTOCOL,
  readHostMessageReply,
  readHostRefusal,
  type HostMessage,
  type HostMessageReply,
  type HostRefusal,
} from '../../core/protocol/host-message.ts';
import type { Clock } from '../ports/clock.ts';
import type { ServerAnswer, ServerClient } from './server-client.ts';

/** What is to be said at this moment. */
export type HostNews = Omit<HostMessage, 'protocol' | 'number'>;

export interface ServerLinkOptions {
  readonly client: ServerClient;
  readonly clock: Clock;
  /** Between 0 and 1, for the intervals. */
  readonly chance: () => number;
  /** Called for each message; what it returns counts as sent. */
  readonly compose: (number: number) => HostNews;
  readonly onReply: (reply: HostMessageReply, how: { readonly isLatest: boolean }) => void;
  readonly onChange: (change: LinkChange) => void;
}

export type LinkChange =
  /** `at` is the time by the clock of the server, when it says so. */
  | { readonly type: 'up'; readonly at: number | undefined }
  /** `code` says why, as in `ServerAnswer`; or is the status of another program's answer. */
  | { readonly type: 'down'; readonly code: string }
  /** The server does not take this host; `tries` counts from 1 since it last did. */
  | { readonly type: 'refused'; readonly refusal: HostRefusal };

/** `urgent`: there are outcomes, or what the host accepts has changed; `live`: only costs and output. */
export type Urgency = 'urgent' | 'live';

export interface ServerLink {
  /** There is something to say. */
  readonly ring: (urgency: Urgency) => void;
  /** Says what there is, at once, and resolves when it was answered, or after this time. */
  readonly sayLast: (withinMs: number) => Promise<void>;
  readonly close: () => void;
}

/** A server without news answers after 15 s. */
const ANSWER_WITHIN_MS = 45_000;
/** For the answer to a message with outcomes. */
const CERTAIN_WITHIN_MS = 10_000;
const LIVE_EVERY_MS = 2_000;
/** After an answer; news of what it started come within that time, so that short steps need one message and not two. */
const NEXT_MS = 10;
/** After an answer that says nothing and came at once: no loop with a server that has no patience. */
const NEXT_QUIETLY_MS = 250;
const AT_ONCE_MS = 1_000;
const RETRY_FIRST_MS = 500;
const RETRY_LONGEST_MS = 15_000;

interface Message {
  readonly number: number;
  readonly sentAt: number;
  readonly hasOutcomes: boolean;
  readonly call: AbortController;
}

interface LinkState extends ServerLinkOptions {
  number: number;
  latest: Message | undefined;
  /** When the next message is due, by the monotonic clock. */
  dueAt: number;
  timer: NodeJS.Timeout | undefined;
  failures: number;
  isUp: boolean | undefined;
  isClosed: boolean;
  onAnswer: () => void;
}

export function openServerLink(options: ServerLinkOptions): ServerLink {
  const state: LinkState = {
    ...options,
    number: 0,
    latest: undefined,
    dueAt: Infinity,
    timer: undefined,
    failures: 0,
    isUp: undefined,
    isClosed: false,
    onAnswer: () => {},
  };
  within(state, 0);
  return {
    ring: (urgency) => ring(state, urgency),
    sayLast: (withinMs) => sayLast(state, withinMs),
    close: () => {
      state.isClosed = true;
      clearTimeout(state.timer);
      state.latest?.call.abort();
    },
  };
}

/** Sends a message within this time; an earlier one that is due stays due. */
function within(state: LinkState, ms: number): void {
  const at = state.clock.monotonic() + ms;
  if (state.isClosed || at >= state.dueAt) return;
  state.dueAt = at;
  clearTimeout(state.timer);
  state.timer = setTimeout(() => void send(state), Math.ceil(ms));
}

function ring(state: LinkState, urgency: Urgency): void {
  // The next message says it. One that is sent to a server that was away may wait there already, as a poll.
  if (state.latest === undefined || (state.failures > 0 && urgency === 'live')) return;
  const { sentAt, hasOutcomes } = state.latest;
  const ageMs = state.clock.monotonic() - sentAt;
  if (hasOutcomes) within(state, Math.max(0, CERTAIN_WITHIN_MS - ageMs));
  else within(state, urgency === 'urgent' ? 0 : Math.max(0, LIVE_EVERY_MS - ageMs));
}

async function send(state: LinkState): Promise<void> {
  state.dueAt = Infinity;
  state.number += 1;
  const { number, client, clock } = state;
  const message: HostMessage = { protocol: HOST_PROTOCOL, number, ...state.compose(number) };
  const hasOutcomes = message.runs.some(({ done }) => done.length > 0);
  const mine: Message = { number, sentAt: clock.monotonic(), hasOutcomes, call: new AbortController() };
  const before = state.latest;
  state.latest = mine;
  const answer = client.post({
    path: 'hosts/sync',
    body: JSON.stringify(message),
    contentType: 'application/json',
    timeoutMs: ANSWER_WITHIN_MS,
    signal: mine.call.signal,
  });
  // The server ends the wait of an earlier message when it has this one; one that does not is not waited for.
  if (before !== undefined) setTimeout(() => before.call.abort(), CERTAIN_WITHIN_MS).unref();
  receive(state, mine, await answer);
}

function receive(state: LinkState, mine: Message, answer: ServerAnswer): void {
  if (state.isClosed) return;
  const isLatest = state.latest === mine;
  if (isLatest) state.latest = undefined;
  const reply = readAnswer(answer);
  if (reply.type === 'reply') {
    heard(state, mine, { reply: reply.reply, at: reply.at, isLatest });
    return;
  }
  if (!isLatest) return;
  state.failures += 1;
  state.isUp = false;
  state.onChange(reply);
  within(state, retryMs(state));
  state.onAnswer();
}

/** At least half of the interval, so that a server that is up again is found soon, and not by all at once. */
const retryMs = ({ failures, chance }: LinkState): number =>
  Math.min(RETRY_FIRST_MS * 2 ** (failures - 1), RETRY_LONGEST_MS) * (0.5 + 0.5 * chance());

interface Heard {
  readonly reply: HostMessageReply;
  readonly at: number | undefined;
  readonly isLatest: boolean;
}

function heard(state: LinkState, { number, sentAt }: Message, { reply, at, isLatest }: Heard): void {
  // An answer to another message than the one that was sent is of no use, and neither is a server that gives it.
  if (reply.number !== number) {
    if (isLatest) within(state, NEXT_QUIETLY_MS);
    return;
  }
  if (state.isUp !== true) state.onChange({ type: 'up', at });
  state.isUp = true;
  state.failures = 0;
  state.onReply(reply, { isLatest });
  if (!isLatest) return;
  const isEmpty = reply.runs.length + reply.over.length + reply.asks.length === 0;
  const wasQuick = state.clock.monotonic() - sentAt < AT_ONCE_MS;
  within(state, isEmpty && wasQuick ? NEXT_QUIETLY_MS : NEXT_MS);
  state.onAnswer();
}

type Read =
  | { readonly type: 'reply'; readonly reply: HostMessageReply; readonly at: number | undefined }
  | Exclude<LinkChange, { type: 'up' }>;

function readAnswer(answer: ServerAnswer): Read {
  if (answer.type === 'away') return { type: 'down', code: answer.code };
  const { status, text } = answer;
  if (status !== 200) {
    const refusal = readHostRefusal(text);
    return refusal === undefined ? { type: 'down', code: String(status) } : { type: 'refused', refusal };
  }
  const read = readHostMessageReply(text);
  switch (read.type) {
    case 'message':
      return { type: 'reply', reply: read.message, at: answer.at };
    case 'protocol':
      return { type: 'refused', refusal: { type: 'protocol', protocol: read.protocol ?? 0, version: '' } };
    case 'malformed':
    case 'too-large':
      return { type: 'down', code: read.type };
  }
}

async function sayLast(state: LinkState, withinMs: number): Promise<void> {
  if (state.isClosed) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const late = setTimeout(resolve, withinMs);
  state.latest?.call.abort();
  state.latest = undefined;
  state.failures = 0;
  state.onAnswer = resolve;
  clearTimeout(state.timer);
  void send(state);
  await promise;
  clearTimeout(late);
}

// What a host on another machine and its server send each other: one message for all runs, and its reply, by long poll.
// `POST /hosts/sync` with `Authorization: Bearer TOKEN`; bodies are JSON, compressed by gzip. A server without news answers
// after 15 s.
//
// host-message/M1. The protocol number is read first: nothing else of a message of another protocol is looked at.
// host-message/M2. A message is read whole or refused whole, with a code. Whatever is in it, reading never throws.
// host-message/M3. A reply is to the message with its number; to that of a later or an earlier program of the host it means
//     nothing. A newer message ends the wait of the one before: the server answers that one at once, without runs.
// host-message/M4. Nothing is decided from a time of a clock that is far off: a provider's limit then lasts as long as one whose
//     end the provider does not say.
import {
  isObject,
  listOf,
  maybe,
  number,
  object,
  oneOf,
  text,
  truth,
  variants,
  WRONG,
  type Field,
} from '../plan/json-fields.ts';
import { LABEL_PATTERN, LABELS_MAX } from '../plan/host-labels.ts';
import type { ClaimRef } from './assignment.ts';
import { assignmentField, claimField, commit, countField, safeName } from './assignment-field.ts';
import { isTooDeep } from './json-depth.ts';
import { parseOutcome, parseSpend } from './parse-outcome.ts';
import type { Held, Reply } from './sync.ts';
import type { WorkOutcome } from './work-outcome.ts';

/** A change after which an older host or server would misread a message raises it. */
export const HOST_PROTOCOL = 2;

/** Of a message or a reply, not compressed. */
export const HOST_BYTES_MAX = 64 * 1024 * 1024;

/** Of the live output of one claim in one message. */
export const TAIL_BYTES_MAX = 4 * 1024;

/** Entries of one list in a message. */
const ENTRIES_MAX = 10_000;
const WORDS_MAX = 64;
const WORD_CHARACTERS_MAX = 200;

export interface HostMessage {
  readonly protocol: number;
  /** The version of Heddle, for people. */
  readonly version: string;
  /** Differs each time that the program of the host starts. */
  readonly instance: string;
  /** Programs that had the home of this one before it, and are dead: only who has that home knows how they were called. */
  readonly follows?: readonly string[] | undefined;
  readonly number: number;
  readonly labels: readonly string[];
  /** The kinds of agents whose programs are installed there; undefined when unknown. */
  readonly agents: readonly string[] | undefined;
  /** The most claims that it holds at once, of all runs. */
  readonly width: number;
  readonly isDraining: boolean;
  readonly isLeaving: boolean;
  readonly room: HostRoom;
  /** By the clock of the host. */
  readonly at: number;
  readonly runs: readonly HostRun[];
  readonly tails: readonly HostTail[];
}

/** What is free on the machine, for people. */
export interface HostRoom {
  readonly diskBytes: number;
  readonly memoryBytes: number;
}

/** What `Sync` says of one run; the rest of `Sync` is for the server to set. */
export interface HostRun {
  readonly run: string;
  readonly done: readonly WorkOutcome[];
  readonly held: readonly Held[];
  readonly warm: readonly string[];
}

/** Live output: what follows the byte `from` of the output of a claim; each character of the text is one byte. */
export interface HostTail {
  readonly run: string;
  readonly claim: ClaimRef;
  readonly from: number;
  readonly text: string;
}

export interface HostMessageReply {
  readonly protocol: number;
  readonly number: number;
  /** A run that the host does not know yet begins with its first assignment. */
  readonly runs: readonly { readonly run: string; readonly reply: Reply }[];
  /** The runs of the message that are coordinated here: their leases go on. */
  readonly heard: readonly HeardRun[];
  /** Runs that have ended: the host closes and cleans them. */
  readonly over: readonly string[];
  readonly asks: readonly HostAsk[];
}

/** A run whose coordinator has the message. */
export interface HeardRun {
  readonly run: string;
  /** It was certain for the last time so long before the message came that no other server had the run: the lease counts from then. */
  readonly uncertainMs: number;
}

/** Output on demand: the host uploads what there is now. */
export interface HostAsk {
  readonly run: string;
  readonly claim: ClaimRef;
  readonly name: 'attempt' | 'turn' | 'output' | 'transcript';
}

/** The body of every error of the routes for hosts. */
export type HostRefusal =
  /** `wrong` is a token that the server does not know; `role` is one that is not for hosts. */
  | { readonly type: 'token'; readonly why: 'wrong' | 'expired' | 'revoked' | 'role' }
  /** The protocol of the server, and its version for people. */
  | { readonly type: 'protocol'; readonly protocol: number; readonly version: string }
  /** Another program of a host with the same token is connected. */
  | { readonly type: 'name-taken'; readonly host: string }
  | { readonly type: 'malformed' }
  | { readonly type: 'too-large'; readonly bytesMax: number }
  /** The claim is not one that this host holds. */
  | { readonly type: 'not-held' }
  /** The server could not write the file, and may later. */
  | { readonly type: 'not-kept' };

export type ReadHostMessage<Message> =
  | { readonly type: 'message'; readonly message: Message }
  | { readonly type: 'protocol'; readonly protocol: number | undefined }
  | { readonly type: 'malformed' }
  | { readonly type: 'too-large'; readonly bytesMax: number };

export const readHostMessage = (json: string): ReadHostMessage<HostMessage> => readAs(hostMessageField, json);

export const readHostMessageReply = (json: string): ReadHostMessage<HostMessageReply> => readAs(replyField, json);

/** Less is not worth a word, and limits of providers last longer. */
const CLOCK_OFF_MS = 300_000;

export const isClockOff = (byMs: number): boolean => Math.abs(byMs) > CLOCK_OFF_MS;

/** The outcomes of a host whose clock is ahead of ours by so much. */
export const withTimes = (runs: readonly HostRun[], aheadMs: number): readonly HostRun[] =>
  isClockOff(aheadMs) ? runs.map((each) => ({ ...each, done: each.done.map(withoutTime) })) : runs;

const withoutTime = (outcome: WorkOutcome): WorkOutcome =>
  outcome.type === 'limited' ? { ...outcome, until: undefined } : outcome;

/** Undefined for the error of another program, such as a proxy. */
export function readHostRefusal(json: string): HostRefusal | undefined {
  const read = refusalField(valueOf(json));
  return read === WRONG ? undefined : read;
}

function readAs<Message>(field: Field<Message>, json: string): ReadHostMessage<Message> {
  if (json.length > HOST_BYTES_MAX) return { type: 'too-large', bytesMax: HOST_BYTES_MAX };
  const value = valueOf(json);
  if (!isObject(value)) return { type: 'malformed' };
  const protocol = number(value['protocol']);
  if (protocol !== HOST_PROTOCOL) return { type: 'protocol', protocol: protocol === WRONG ? undefined : protocol };
  const message = field(value);
  return message === WRONG ? { type: 'malformed' } : { type: 'message', message };
}

function valueOf(json: string): unknown {
  if (isTooDeep(json)) return undefined;
  try {
    return JSON.parse(json);
  } catch {
    // No JSON is no message, like any other value of a wrong form.
    return undefined;
  }
}

const atMost =
  <Value>(most: number, field: Field<readonly Value[]>): Field<readonly Value[]> =>
  (value) =>
    Array.isArray(value) && value.length > most ? WRONG : field(value);

const word: Field<string> = (value) =>
  typeof value === 'string' && value.length <= WORD_CHARACTERS_MAX && !/\p{Cc}/u.test(value) ? value : WRONG;

const words = atMost(WORDS_MAX, listOf(word));

const LABEL = new RegExp(LABEL_PATTERN);

const label: Field<string> = (value) => (typeof value === 'string' && LABEL.test(value) ? value : WRONG);

const heldField: Field<Held> = (value) => {
  const claim = isObject(value) ? claimField(value['claim']) : WRONG;
  const spend = isObject(value) ? parseSpend(value['spend']) : undefined;
  return claim === WRONG || spend === undefined ? WRONG : { claim, spend };
};

const outcomeField: Field<WorkOutcome> = (value) => {
  const claim = claimField(value);
  return claim === WRONG ? WRONG : (parseOutcome(value, claim) ?? WRONG);
};

const tailText: Field<string> = (value) =>
  typeof value === 'string' && value.length <= TAIL_BYTES_MAX && !/[^\0-\xff]/.test(value) ? value : WRONG;

const hostMessageField = object<HostMessage>({
  protocol: number,
  version: word,
  instance: word,
  follows: maybe(words),
  number: countField,
  labels: atMost(LABELS_MAX, listOf(label)),
  agents: maybe(words),
  width: countField,
  isDraining: truth,
  isLeaving: truth,
  room: object<HostRoom>({ diskBytes: countField, memoryBytes: countField }),
  at: number,
  runs: atMost(
    ENTRIES_MAX,
    listOf(
      object<HostRun>({
        run: safeName,
        done: atMost(ENTRIES_MAX, listOf(outcomeField)),
        held: atMost(ENTRIES_MAX, listOf(heldField)),
        warm: atMost(ENTRIES_MAX, listOf(commit)),
      }),
    ),
  ),
  tails: atMost(
    ENTRIES_MAX,
    listOf(object<HostTail>({ run: safeName, claim: claimField, from: countField, text: tailText })),
  ),
});

const replyField = object<HostMessageReply>({
  protocol: number,
  number: countField,
  runs: listOf(
    object<HostMessageReply['runs'][number]>({
      run: safeName,
      reply: object<Reply>({ number: countField, start: listOf(assignmentField), cancel: listOf(claimField) }),
    }),
  ),
  heard: listOf(object<HeardRun>({ run: safeName, uncertainMs: countField })),
  over: listOf(safeName),
  asks: listOf(
    object<HostAsk>({
      run: safeName,
      claim: claimField,
      name: oneOf<HostAsk['name']>({ attempt: true, turn: true, output: true, transcript: true }),
    }),
  ),
});

const refusalField = variants<HostRefusal>({
  token: { why: oneOf({ wrong: true, expired: true, revoked: true, role: true }) },
  protocol: { protocol: number, version: text },
  'name-taken': { host: text },
  malformed: {},
  'too-large': { bytesMax: number },
  'not-held': {},
  'not-kept': {},
});

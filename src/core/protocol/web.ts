// What the web server and the dashboard send each other: paths, lines of the stream, replies. Types and parsers only.
//
// The larger replies are JSON of types elsewhere in core; every undefined field is absent, and every map is an object:
// - an event of the stream is what `writeEvent` writes, and `eventIn` of core/engine/events/event-format.ts reads it;
// - `status` is `RunStatusReply` with a `Status` of core/view/run/run-status.ts in `status`;
// - `explain` is `{ now, explanation }` with an `Explanation` of core/view/run/explain-task.ts;
// - `report` is an HTML page, `plan` is text, `diff` is text, `output` is bytes;
// - a reply to a command holds a `CommandReply` of core/engine/commands/reply.ts.
// A link in a notification is `/answer#TICKET`. `GET /api/answer` with `Authorization: Ticket TICKET` is `TicketReply`, and a
// POST of `{ answer }`, a word of `answers` or the text, is a reply to a command; both answer 410 once the ticket is used.
// Every error is a `WebError`: a status of HTTP and a code with facts. The page makes the words.
import { isObject, type Fields } from '../plan/json-fields.ts';
import type { ClaimRef } from './assignment.ts';
import type { Spend } from './result.ts';

/**
 * The header of every call below `/api` is `Authorization: Bearer TOKEN`. The token is in the fragment of the page's
 * address, `#token=TOKEN`, and `&to=/p/PROJECT/r/RUN` after it is the page to show first.
 */
export const TOKEN_IN_FRAGMENT = 'token';

export interface WebError {
  readonly code: string;
  /** What a message needs besides; `like` is the nearest name that exists. */
  readonly [fact: string]: unknown;
}

/** `GET /api/runs`. */
export interface RunsReply {
  /** Commands are refused. */
  readonly isReadOnly: boolean;
  readonly projects: readonly WebProject[];
}

export interface WebProject {
  /** Short, stable, safe in a path. */
  readonly id: string;
  readonly name: string;
  readonly folder: string;
  /** The latest last. */
  readonly runs: readonly WebRun[];
  /** Why its store cannot be read; then there are no runs. */
  readonly error: WebError | undefined;
}

export interface WebRun {
  readonly run: string;
  /** The name of the plan. */
  readonly name: string;
  readonly file: string;
  readonly stage: 'new' | 'going' | 'paused' | 'ended';
  readonly createdAt: number;
  readonly endedAt: number | undefined;
  /** By state of a task: pending, running, completed, failed, cancelled, skipped. */
  readonly counts: Readonly<Record<string, number>>;
  readonly total: number;
  /** Open questions of any kind. */
  readonly questions: number;
  readonly spend: WebSpend;
  /** Whether a coordinator is up. */
  readonly isUp: boolean;
  /** The position after its last event. */
  readonly position: number;
  /** Why its log cannot be read to its end. */
  readonly error: WebError | undefined;
}

export interface WebSpend {
  readonly usd: number;
  readonly tokens: number;
  readonly reservedUsd: number;
  readonly ceilingUsd: number | undefined;
}

/** `GET /api/inbox`: everything that waits for a person, over all runs. */
export interface InboxReply {
  readonly items: readonly InboxItem[];
}

export interface InboxItem {
  readonly project: string;
  readonly run: string;
  /** A ceiling stops a run or a part of it; the others are questions. */
  readonly type: 'gate' | 'question' | 'permission' | 'judgement' | 'conflict' | 'ceiling';
  /** Undefined for the ceiling of a run. */
  readonly task: string | undefined;
  readonly step: string | undefined;
  readonly attempt: number | undefined;
  /** The question in full; empty for a ceiling. */
  readonly text: string;
  readonly until: number | undefined;
  readonly permission: { readonly tool: string; readonly about: string } | undefined;
  /** The answers of core/view/run/open-question.ts; empty for a ceiling, which an amendment raises. */
  readonly answers: readonly string[];
  /** Tasks that cannot start before it is answered, the first of them, and how many there are. */
  readonly blocks: readonly string[];
  readonly blocksCount: number;
  /** What the task, or the run for a ceiling, has cost so far. */
  readonly usd: number;
  readonly ceilingUsd: number | undefined;
  readonly isUp: boolean;
}

/** `GET /api/answer`: the question of a ticket. */
export interface TicketReply {
  readonly item: InboxItem;
}

/**
 * One line of `GET /api/stream?project=&run=&from=`, as NDJSON. Without a project and a run it has `inbox`, `runs` and
 * `beat` only.
 */
export type StreamLine =
  /** `position` is the one after the event: `from` with the last seen position goes on without a gap or a repeat. */
  | { readonly type: 'event'; readonly position: number; readonly event: unknown }
  /** Everything up to here was sent; events from here on arrive as they are appended. */
  | { readonly type: 'caught-up'; readonly position: number }
  | { readonly type: 'coordinator'; readonly isUp: boolean }
  | { readonly type: 'inbox'; readonly count: number }
  | { readonly type: 'runs' }
  /** The live cost of running turns; each line replaces the one before. */
  | { readonly type: 'spent'; readonly claims: readonly LiveSpend[] }
  /**
   * The log reads up to the position and no further. `log-shortened`: it once had more events than it has. `failure` says
   * why the store cannot be read.
   */
  | { readonly type: 'damaged'; readonly position: number; readonly code: DamageCode; readonly failure?: WebError }
  | { readonly type: 'beat' };

export type DamageCode = 'store' | 'log-shortened' | 'run-gone';

export interface LiveSpend extends ClaimRef {
  readonly spend: Spend;
}

const LINE_TYPES: ReadonlySet<unknown> = new Set<StreamLine['type']>([
  'event',
  'caught-up',
  'coordinator',
  'inbox',
  'runs',
  'spent',
  'damaged',
  'beat',
]);

/** Undefined for a line of a type that this page does not know, and for one that is cut off. */
export function readStreamLine(line: string): StreamLine | undefined {
  const fields = fieldsIn(line);
  // The server of the same build wrote the line; only its type has to be known.
  return fields !== undefined && LINE_TYPES.has(fields['type']) ? (fields as unknown as StreamLine) : undefined;
}

function fieldsIn(line: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** `outputs?task=`: every claim of a task, in the order in which they were made. */
export interface OutputsReply {
  readonly claims: readonly (ClaimRef & { readonly at: number; readonly parts: readonly OutputPartRef[] })[];
}

/** Long output is kept in parts, the oldest first; the last one grows. */
export interface OutputPartRef {
  readonly id: string;
  readonly bytes: number;
  readonly changedAt: number;
}

/** `output` returns at most this many bytes a call, from `from` on. */
export const OUTPUT_BYTES_MAX = 1 << 20;

/** `merge-checks?task=`: the output of the latest check of each merge, the end of it; of all tasks without a task. */
export interface MergeChecksReply {
  readonly checks: readonly { readonly task: string; readonly output: string }[];
}

/** The reply of `merge-prefixes`: what of the merge queue is under check at this moment, the shortest first. */
export interface MergePrefixesReply {
  readonly prefixes: readonly PrefixCheck[];
}

export interface PrefixCheck {
  /** In the order of their merges. */
  readonly tasks: readonly string[];
  readonly startedAt: number;
}

/** A line of `petrinaut`: the net, the marking, then what fired. Three types of events set a marking instead. */
export type PetrinautLine =
  | { readonly type: 'definition'; readonly definition: PetrinautNet }
  /** By id of a place; places without tokens are left out. */
  | { readonly type: 'marking'; readonly position: number; readonly at: number; readonly marking: Marking }
  | { readonly type: 'firing'; readonly position: number; readonly at: number; readonly transition: string };

type Marking = Readonly<Record<string, number>>;

/** A net in the form of the Petrinaut editor, without colours and dynamics. */
export interface PetrinautNet {
  readonly title: string;
  readonly places: readonly { readonly id: string; readonly name: string }[];
  readonly transitions: readonly {
    readonly id: string;
    readonly name: string;
    readonly inputArcs: readonly PetrinautArc[];
    readonly outputArcs: readonly PetrinautArc[];
  }[];
}

export interface PetrinautArc {
  readonly placeId: string;
  readonly weight: number;
}

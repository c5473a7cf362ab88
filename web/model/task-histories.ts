// What the tasks of a run went through up to the position that is looked at: their claims, their waits and their conflicts.
//
// task-histories/H1. At every position they are what the log up to it says, as `claimSpans` and `conflictSummaries` read it.
// task-histories/H2. A step, forward or back, looks only at the tasks that the events between the two positions name; all other
//     histories stay the same values. The whole log is read once.
import type { Compiled } from '../../src/core/compile/compiled.ts';
import type { RunEvent } from '../../src/core/engine/event.ts';
import { startsClaim } from '../../src/core/engine/events/claim-events.ts';
import { claimSpans, type ClaimSpan } from '../../src/core/view/report/claim-spans.ts';
import {
  conflictSummaries,
  tellsOfConflict,
  type ConflictSummary,
} from '../../src/core/view/report/conflict-summaries.ts';
import { countUpTo } from './count-up-to.ts';
import { waitsOf, type TaskWaits } from './task-waits.ts';

export interface TaskHistory {
  readonly task: string;
  readonly spans: readonly ClaimSpan[];
  readonly waits: TaskWaits;
}

export interface Histories {
  /** Of tasks that the log names, in the order in which it names them first; of tasks too that an amendment removed. */
  readonly all: readonly TaskHistory[];
  readonly of: (task: string) => TaskHistory | undefined;
  /** The claims of all tasks, in the order in which they began. */
  readonly spans: readonly ClaimSpan[];
}

/** Of the whole log: which of its events are of which task. It grows with the log. */
interface LogIndex {
  seen: number;
  readonly byTask: Map<string, OwnEvents>;
  /** Positions after the first event of each task. */
  readonly named: number[];
  /** Positions after the start of each claim. */
  readonly starts: number[];
  /** Positions after each event that tells of a conflict. */
  readonly conflicts: number[];
}

interface OwnEvents {
  /** The place of the task among those that the log names. */
  readonly at: number;
  readonly positions: number[];
  /** The places of its claims among all claims of the log. */
  readonly claims: number[];
}

interface Latest extends Histories {
  readonly position: number;
  readonly compiled: Compiled;
}

interface Followed {
  readonly index: LogIndex;
  latest: Latest | undefined;
}

/** By log, which grows in place: pages of one run share what one of them has followed. */
const followedLogs = new WeakMap<readonly RunEvent[], Followed>();

export function historiesAt(events: readonly RunEvent[], position: number, compiled: Compiled): Histories {
  const followed = followedIn(events);
  const { latest } = followed;
  if (latest?.position === position && latest.compiled === compiled) return latest;
  // Another plan may name other agents for the same claims.
  const before = latest?.compiled === compiled ? latest : undefined;
  const next = moved(events, followed.index, { position, compiled, before });
  followed.latest = next;
  return next;
}

/** The conflicts up to a position: few events tell of them. */
export function conflictsAt(events: readonly RunEvent[], position: number): readonly ConflictSummary[] {
  const { conflicts } = followedIn(events).index;
  return conflictSummaries(eventsAt(events, conflicts.slice(0, countUpTo(conflicts, position))));
}

function followedIn(events: readonly RunEvent[]): Followed {
  const known = followedLogs.get(events);
  const followed = known ?? {
    index: { seen: 0, byTask: new Map(), named: [], starts: [], conflicts: [] },
    latest: undefined,
  };
  if (known === undefined) followedLogs.set(events, followed);
  readOn(followed.index, events);
  return followed;
}

function readOn(index: LogIndex, events: readonly RunEvent[]): void {
  for (; index.seen < events.length; index.seen += 1) {
    const event = events[index.seen];
    if (event === undefined || !('task' in event)) continue;
    const position = index.seen + 1;
    const own = index.byTask.get(event.task) ?? { at: index.named.length, positions: [], claims: [] };
    if (own.at === index.named.length) index.named.push(position);
    index.byTask.set(event.task, own);
    own.positions.push(position);
    if (tellsOfConflict(event)) index.conflicts.push(position);
    if (!('work' in event) || !startsClaim(event)) continue;
    own.claims.push(index.starts.length);
    index.starts.push(position);
  }
}

interface Move {
  readonly position: number;
  readonly compiled: Compiled;
  readonly before: Latest | undefined;
}

function moved(events: readonly RunEvent[], index: LogIndex, { position, compiled, before }: Move): Latest {
  const [from, to] = [before?.position ?? 0, position].toSorted((one, other) => one - other);
  const all = before?.all.slice(0, countUpTo(index.named, position)) ?? [];
  const spans = before?.spans.slice(0, countUpTo(index.starts, position)) ?? [];
  for (const task of namedBetween(events, from ?? 0, to ?? 0)) {
    const own = index.byTask.get(task);
    const count = own === undefined ? 0 : countUpTo(own.positions, position);
    if (own === undefined || count === 0) continue;
    const shown = eventsAt(events, own.positions.slice(0, count));
    const history = { task, spans: claimSpans(compiled, shown), waits: waitsOf(shown) };
    all[own.at] = history;
    for (const [nth, span] of history.spans.entries()) spans[own.claims[nth] ?? 0] = span;
  }
  const of = (task: string): TaskHistory | undefined => all[index.byTask.get(task)?.at ?? -1];
  return { position, compiled, all, of, spans };
}

function namedBetween(events: readonly RunEvent[], from: number, to: number): ReadonlySet<string> {
  const named = new Set<string>();
  for (let at = from; at < to; at += 1) {
    const event = events[at];
    if (event !== undefined && 'task' in event) named.add(event.task);
  }
  return named;
}

/** After the first event of the log, from which times are counted. */
const eventsAt = (events: readonly RunEvent[], positions: readonly number[]): readonly RunEvent[] =>
  [1, ...positions].flatMap((position) => events[position - 1] ?? []);

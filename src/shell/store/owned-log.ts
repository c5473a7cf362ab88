// A run's log, as its one writer uses it.
//
// store/W1. An append is one transaction: the epoch is checked, the events are added, the commands are answered
//     (store/O1, store/C1).
// store/W2. Unacknowledged events are not remembered: after a failure the end of the log is read again.
import type { RunEvent } from '../../core/engine/event.ts';
import type { ReplyToCommand } from '../../core/engine/step/step.ts';
import type { Posted } from '../ports/inbox.ts';
import type { Appended, LocalLog, Owner } from '../ports/log.ts';
import { addLinks, type End } from './chain.ts';
import { keepPlace } from './keep-place.ts';
import type { CommandReply } from '../../core/engine/commands/reply.ts';
import { answerCommands, openCommands } from './command-rows.ts';
import { failureFor, type OpenedStore } from './opened-store.ts';
import { ownerEntry } from './owners.ts';
import { lastEnd, readLog, type LogRead } from './read-log.ts';
import { writeHighWaterMark } from './high-water-mark.ts';

export interface OwnedLogOptions {
  readonly run: string;
  readonly owner: Owner;
  /** The log as it was when ownership was taken. */
  readonly found: LogRead<RunEvent>;
  readonly onFenced: () => void;
}

export function ownedLog(opened: OpenedStore, owning: OwnedLogOptions): LocalLog {
  const writing: Writing = { opened, owning, end: owning.found.end, found: owning.found, inbox: undefined };
  return {
    read: () => readAll(writing),
    append: (events, answers) => append(writing, events, answers),
    commands: () => commands(writing),
  };
}

/** The writer's cache; all of it can be read again. */
interface Writing {
  readonly opened: OpenedStore;
  readonly owning: OwnedLogOptions;
  end: End | undefined;
  found: LogRead<RunEvent> | undefined;
  inbox: { readonly version: string; readonly posted: readonly Posted[] } | undefined;
}

function readAll({ opened, owning, found }: Writing): readonly RunEvent[] {
  const { items: events, error } = found ?? readLog(opened, owning.run);
  if (error !== undefined) throw error;
  return events;
}

function append(writing: Writing, events: readonly RunEvent[], answers: readonly ReplyToCommand[]): Appended {
  const { opened, owning } = writing;
  try {
    const failure = keepPlace(opened);
    if (failure !== undefined) return { type: 'failed', failure };
    const written = write(writing, events, answers);
    if (written.type === 'fenced') {
      owning.onFenced();
      return written;
    }
    remember(writing, written.end);
    return { type: 'appended' };
  } catch (error) {
    writing.end = undefined;
    return { type: 'failed', failure: failureFor(opened, error) };
  }
}

type Written = { readonly type: 'written'; readonly end: End } | Extract<Appended, { type: 'fenced' }>;

function write(
  { opened, owning, end }: Writing,
  events: readonly RunEvent[],
  answers: readonly ReplyToCommand[],
): Written {
  const { connection } = opened;
  const { run, owner } = owning;
  return connection.transaction(() => {
    const present = ownerEntry(connection, run);
    const isOurs = present?.owner.epoch === owner.epoch && !present.isGone;
    if (!isOurs) return { type: 'fenced', by: present?.isGone === true ? undefined : present?.owner };
    const next = addLinks(connection, run, { end: end ?? lastEnd(connection, run), events });
    answerCommands(connection, run, answers);
    return { type: 'written', end: next };
  });
}

function remember(writing: Writing, end: End): void {
  const { opened, owning } = writing;
  writing.end = end;
  writing.found = undefined;
  writing.inbox = undefined;
  try {
    writeHighWaterMark(opened.home, owning.run, end);
  } catch (error) {
    // The events are committed. Without the mark, only the proof is missing that the log was not shortened.
    opened.warn({ code: 'mark-unwritten', run: owning.run, failure: failureFor(opened, error) });
  }
}

/** Called about twice a second, so it queries only when another connection has written. */
function commands(writing: Writing): readonly Posted[] {
  const { opened, owning, inbox } = writing;
  try {
    const version = `${opened.connection.dataVersion()} ${opened.posts}`;
    if (inbox !== undefined && inbox.version === version) return inbox.posted;
    const { posted, unknown } = openCommands(opened.connection, owning.run);
    if (unknown.length > 0) refuseUnknown(writing, unknown);
    writing.inbox = { version, posted };
    return posted;
  } catch (error) {
    // A failed read is repeated at the next call; a store that stays broken fails the next append.
    opened.warn({ code: 'failed', failure: failureFor(opened, error) });
    return [];
  }
}

function refuseUnknown({ opened, owning }: Writing, ids: readonly number[]): void {
  const reply: CommandReply = { takesEffect: false, notes: [{ code: 'command.unknown' }] };
  opened.connection.transaction(() =>
    answerCommands(
      opened.connection,
      owning.run,
      ids.map((id) => ({ id, reply })),
    ),
  );
}

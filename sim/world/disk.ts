// The durable store of the world: it keeps exactly what was written, as text, and hands out one run's log.
//
// S1. An append is written whole or not at all. By the dice the coordinator crashes before it, or after it and before it
//     hears that it was written.
// S2. Only the latest owner may append, also when its append arrives late.
import type { Command } from '../../src/core/engine/command.ts';
import { readEvent, writeEvent } from '../../src/core/engine/events/event-format.ts';
import type { RunEvent } from '../../src/core/engine/event.ts';
import type { ReplyToCommand } from '../../src/core/engine/step/step.ts';
import type { Posted } from '../../src/shell/ports/inbox.ts';
import type { Appended, Log } from '../../src/shell/ports/log.ts';

export interface Disk {
  readonly events: () => readonly RunEvent[];
  readonly text: () => string;
  readonly post: (command: Command, at: number) => void;
  readonly commands: () => readonly Posted[];
  /** A log for the next coordinator; those of earlier ones are fenced. */
  readonly own: (watch: Watch) => Log;
}

/** What the world does around the log of one coordinator; each may throw, as a crash does. */
export interface Watch {
  readonly reading: () => void;
  /** Nothing is written when it says that the append does not succeed. */
  readonly before: () => Appended | undefined;
  /** How an append gets to the store, which may take time; `write` may be called later, and then has no other owner or is fenced. */
  readonly carry: (write: () => Appended) => Appended;
  /** Everything is written, and the answer is lost. */
  readonly written: (events: readonly RunEvent[], answers: readonly AnswerTo[]) => void;
  readonly after: () => void;
}

export interface AnswerTo extends ReplyToCommand {
  /** Undefined when there is no such command, or it has been answered. */
  readonly command: Command | undefined;
}

export function disk(first: RunEvent): Disk {
  const rows: Row[] = [rowOf(writeEvent(first))];
  const posted = new Map<number, Posted>();
  let epoch = 0;
  let ids = 0;
  const own = (watch: Watch): Log => {
    epoch += 1;
    const mine = epoch;
    return {
      read: () => {
        watch.reading();
        return rows.map(({ event }) => event);
      },
      commands: () => {
        watch.reading();
        return [...posted.values()];
      },
      append: (events, answers) => {
        if (mine !== epoch) return { type: 'fenced', by: undefined };
        const refused = watch.before();
        if (refused !== undefined) return refused;
        // The coordinator's own events may change while its append is on the way, as what it holds in memory may.
        const written = events.map(writeEvent);
        const write = (): Appended => {
          if (mine !== epoch) return { type: 'fenced', by: undefined };
          const answered = answers.map((answer) => ({ ...answer, command: posted.get(answer.id)?.command }));
          const added = written.map(rowOf);
          rows.push(...added);
          for (const { id } of answers) posted.delete(id);
          watch.written(
            added.map(({ event }) => event),
            answered,
          );
          return { type: 'appended' };
        };
        const appended = watch.carry(write);
        if (appended.type === 'appended') watch.after();
        return appended;
      },
    };
  };
  return {
    events: () => rows.map(({ event }) => event),
    text: () => rows.map(({ text }) => text).join('\n'),
    post: (command, at) => {
      ids += 1;
      posted.set(ids, { id: ids, command, at });
    },
    commands: () => [...posted.values()],
    own,
  };
}

interface Row {
  readonly text: string;
  /** As it is read from the text: once, because whoever would change it fails. */
  readonly event: RunEvent;
}

function rowOf(text: string): Row {
  const read = readEvent(text);
  if (read.type === 'failed') throw new Error(`An event that was written cannot be read. ${read.message} ${text}`);
  return { text, event: frozen(read.event) };
}

function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const each of Object.values(value)) frozen(each);
  return Object.freeze(value);
}

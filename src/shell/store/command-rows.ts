// The inbox of commands: people post commands; the coordinator answers each together with the events that it caused.
import { readCommand, writeCommand } from '../../core/engine/events/command-format.ts';
import type { CommandReply } from '../../core/engine/commands/reply.ts';
import type { ReplyToCommand } from '../../core/engine/step/step.ts';
import type { Posted } from '../ports/inbox.ts';
import { numberIn, textOfColumn, type Connection } from './connection.ts';

export function postCommand(connection: Connection, run: string, { command, at }: Omit<Posted, 'id'>): number {
  const json = writeCommand(command);
  return connection.transaction(
    () => connection.change('INSERT INTO commands (run, json, at) VALUES (?, ?, ?)', run, json, at).id,
  );
}

/** Inside the caller's transaction. The first answer counts. */
export function answerCommands(connection: Connection, run: string, answers: readonly ReplyToCommand[]): void {
  for (const { id, reply } of answers) {
    const json = JSON.stringify(reply);
    connection.change('UPDATE commands SET answer = ? WHERE id = ? AND run = ? AND answer IS NULL', json, id, run);
  }
}

export function replyTo(connection: Connection, id: number): CommandReply | undefined {
  const json = connection.row('SELECT answer FROM commands WHERE id = ?', id)?.['answer'];
  // Only `answerCommands` writes the column.
  return typeof json === 'string' ? (JSON.parse(json) as CommandReply) : undefined;
}

export const countOpen = (connection: Connection, run: string): number =>
  numberIn(
    connection.row('SELECT count(*) AS open FROM commands WHERE run = ? AND answer IS NULL', run) ?? { open: 0 },
    'open',
  );

export interface InboxRead {
  readonly posted: readonly Posted[];
  /** Ids of commands that only a newer Heddle knows. */
  readonly unknown: readonly number[];
}

export function openCommands(connection: Connection, run: string): InboxRead {
  const rows = connection.rows('SELECT id, json, at FROM commands WHERE run = ? AND answer IS NULL ORDER BY id', run);
  const read = rows.map((row) => ({
    id: numberIn(row, 'id'),
    at: numberIn(row, 'at'),
    command: readCommand(textOfColumn(row, 'json')),
  }));
  return {
    posted: read.flatMap(({ id, at, command }) => (command === undefined ? [] : [{ id, at, command }])),
    unknown: read.flatMap(({ id, command }) => (command === undefined ? [id] : [])),
  };
}

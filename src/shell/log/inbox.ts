// The inbox of commands: people put them in, the coordinator answers them together with the events they caused.
import type { Command } from '../../core/engine/command.ts';
import type { CommandReply } from '../../core/engine/commands/reply.ts';
import type { Answer, Posted } from '../ports.ts';
import { numberIn, textIn, type Connection, type Row } from './database/connection.ts';

export function postCommand(connection: Connection, run: string, { command, at }: Omit<Posted, 'id'>): number {
  const json = JSON.stringify(command);
  return connection.transaction(
    () => connection.change('INSERT INTO commands (run, json, at) VALUES (?, ?, ?)', run, json, at).id,
  );
}

/** Inside the transaction of the caller. The first answer stands. */
export function answerCommands(connection: Connection, run: string, answers: readonly Answer[]): void {
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

export interface Inbox {
  readonly posted: readonly Posted[];
  /** Commands that only a newer Heddle knows. */
  readonly unknown: readonly number[];
}

export function openCommands(connection: Connection, run: string): Inbox {
  const rows = connection.rows('SELECT id, json, at FROM commands WHERE run = ? AND answer IS NULL ORDER BY id', run);
  const read = rows.map((row) => ({ id: numberIn(row, 'id'), at: numberIn(row, 'at'), command: commandIn(row) }));
  return {
    posted: read.flatMap(({ id, at, command }) => (command === undefined ? [] : [{ id, at, command }])),
    unknown: read.flatMap(({ id, command }) => (command === undefined ? [id] : [])),
  };
}

/** Undefined when it is none that this Heddle knows. */
function commandIn(row: Row): Command | undefined {
  const value: unknown = JSON.parse(textIn(row, 'json'));
  if (typeof value !== 'object' || value === null || !('type' in value)) return undefined;
  return ofTasks(value) ?? ofAnswer(value) ?? ofTask(value) ?? ofPlan(value);
}

const OF_TASKS = { pause: true, resume: true, stop: true, cancel: true, retry: true, skip: true } satisfies Record<
  OfTasks['type'],
  true
>;
type OfTasks = Extract<Command, { readonly tasks: unknown }>;
const isOfTasks = (type: unknown): type is OfTasks['type'] => typeof type === 'string' && Object.hasOwn(OF_TASKS, type);

function ofTasks(value: object & { readonly type: unknown }): Command | undefined {
  if (!isOfTasks(value.type) || !('tasks' in value) || !Array.isArray(value.tasks)) return undefined;
  const tasks = value.tasks.filter((task) => typeof task === 'string');
  return tasks.length === value.tasks.length ? { type: value.type, tasks } : undefined;
}

function ofAnswer(value: object & { readonly type: unknown }): Command | undefined {
  if (value.type !== 'approve' && value.type !== 'reject') return undefined;
  if (!('task' in value) || typeof value.task !== 'string') return undefined;
  const step = 'step' in value && typeof value.step === 'string' ? value.step : undefined;
  return { type: value.type, task: value.task, step };
}

function ofTask(value: object & { readonly type: unknown }): Command | undefined {
  if (!('task' in value) || typeof value.task !== 'string') return undefined;
  const { task } = value;
  if (value.type === 'rollback')
    return 'step' in value && typeof value.step === 'string' ? { type: 'rollback', task, step: value.step } : undefined;
  const step = 'step' in value && typeof value.step === 'string' ? value.step : undefined;
  if (value.type === 'answer')
    return 'text' in value && typeof value.text === 'string'
      ? { type: 'answer', task, step, text: value.text }
      : undefined;
  const commit = 'commit' in value && typeof value.commit === 'string' ? value.commit : undefined;
  return value.type === 'merge' ? { type: 'merge', task, commit } : undefined;
}

function ofPlan(value: object & { readonly type: unknown }): Command | undefined {
  if (value.type !== 'amend' || !('plan' in value) || typeof value.plan !== 'string') return undefined;
  if (!('expects' in value) || typeof value.expects !== 'object' || value.expects === null) return undefined;
  const { plan, expects } = value;
  const listIn = (name: string): readonly string[] => {
    const list: unknown = Object.entries(expects).find(([key]) => key === name)?.[1];
    return Array.isArray(list) ? list.filter((path) => typeof path === 'string') : [];
  };
  const shown = { restarted: listIn('restarted'), added: listIn('added'), cancelled: listIn('cancelled') };
  return { type: 'amend', plan, expects: shown };
}

// The JSON form of a command, as stored in an inbox.
import { listOf, maybe, number, text, object, variants, WRONG } from '../../plan/json-fields.ts';
import { planField, writePlan } from '../../plan/plan-json.ts';
import type { Command, ExpectedChanges } from '../command.ts';
import { prioritiesField } from './event-fields.ts';

export const writeCommand = (command: Command): string =>
  JSON.stringify(command.type === 'amend' ? { ...command, plan: writePlan(command.plan) } : command);

/** Undefined for a command that this version of Heddle does not know. */
export function readCommand(json: string): Command | undefined {
  return commandIn(JSON.parse(json));
}

/** The same of a value that was parsed already. */
export function commandIn(value: unknown): Command | undefined {
  const read = command(value);
  return read === WRONG ? undefined : read;
}

/** What a person has confirmed of an amendment; undefined for anything else. */
export function expectedIn(value: unknown): ExpectedChanges | undefined {
  const read = expected(value);
  return read === WRONG ? undefined : read;
}

const expected = object<ExpectedChanges>({ restarted: listOf(text), added: listOf(text), cancelled: listOf(text) });

const tasks = { tasks: listOf(text) };
const question = { task: text, step: maybe(text), attempt: maybe(number) };

const command = variants<Command>({
  pause: tasks,
  resume: tasks,
  stop: tasks,
  cancel: tasks,
  retry: { ...tasks, text: maybe(text) },
  skip: tasks,
  rollback: { task: text, step: text },
  amend: {
    plan: planField,
    priorities: prioritiesField,
    expects: expected,
  },
  merge: { task: text, commit: maybe(text) },
  answer: { ...question, text },
  approve: question,
  reject: question,
});

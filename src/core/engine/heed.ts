// What a person's command means for a run: outcomes for the engine, and one sentence for the person.
//
// Q1. It only reads the state. The outcomes are decided like any others, so a command that comes too late does nothing.
// Q2. A command that names a task which the plan does not have does nothing at all: the rest may be a mistake too.
import { nearest } from '../plan/language/nearest-name.ts';
import type { Command, ControlCommand } from './command.ts';
import { amendByHand } from './heed/amend-words.ts';
import { answerAgent, answerQuestion, mergeByHand, type Answering } from './heed/answer-question.ts';
import { commandToRun } from './heed/command-to-run.ts';
import { commandToTasks } from './heed/command-to-tasks.ts';
import { rollBackByHand } from './heed/rollback-words.ts';
import type { Outcome } from './outcome.ts';
import type { State } from './state.ts';

export interface Heeded {
  readonly outcomes: readonly Outcome[];
  /** What the command does, or why it does nothing. */
  readonly answer: string;
}

export function heed(state: State, command: Command): Heeded {
  const names = namesIn(command);
  const unknown = names.find((name) => !state.compiled.indexOf.has(name));
  if (unknown !== undefined) return { outcomes: [], answer: unknownTask(state, unknown) };
  if (!('tasks' in command)) {
    const { outcome, says } = heedOne(state, command);
    return { outcomes: outcome === undefined ? [] : [outcome], answer: `${says}.` };
  }
  const { type, tasks } = command;
  const named = [...new Set(tasks)].flatMap((path) => state.compiled.indexOf.get(path) ?? []);
  const clauses = named.length === 0 ? [commandToRun(state, type)] : commandToTasks(state, type, named);
  const isOfUse = clauses.some(({ does }) => does);
  return { outcomes: isOfUse ? [command] : [], answer: `${clauses.map(({ says }) => says).join('; ')}.` };
}

/** The tasks that a command names. */
export function namesIn(command: Command): readonly string[] {
  if (command.type === 'amend') return [];
  return 'tasks' in command ? command.tasks : [command.task];
}

function heedOne(state: State, command: Exclude<Command, ControlCommand>): Answering {
  switch (command.type) {
    case 'approve':
    case 'reject':
      return answerQuestion(state, command);
    case 'answer':
      return answerAgent(state, command);
    case 'merge':
      return mergeByHand(state, command);
    case 'rollback':
      return rollBackByHand(state, command);
    case 'amend':
      return amendByHand(state, command);
  }
}

function unknownTask({ compiled }: State, name: string): string {
  const meant = nearest(name, compiled.indexOf.keys());
  return meant === undefined ? `The plan has no task ${name}.` : `The plan has no task ${name}; did you mean ${meant}?`;
}

// Handles a person's command: outcomes for the engine, and a reply for the person.
//
// commands/Q1. Handling only reads the state. The outcomes are decided like any others, so a command that arrives too
//     late has no effect.
// commands/Q2. A command that names a task unknown to the plan has no effect: its other names may be wrong too.
import { nearest } from '../../plan/language/nearest-name.ts';
import type { AmendCommand, Command, ControlCommand } from '../command.ts';
import type { State } from '../state.ts';
import { answerAgent, answerQuestion, mergeByHand } from './handle-answer.ts';
import { handleForRun, handleForTasks } from './handle-control.ts';
import { rollBackByHand } from './rollback.ts';
import type { UnknownNote } from './reply.ts';
import { accepted, refused, type Handled } from './handled.ts';
import { compile } from '../../compile/compile.ts';
import { amendmentOf } from '../amendment.ts';
import { expectedOf, isAsShown } from '../decide/decide-amend.ts';

export function handle(state: State, command: Command): Handled {
  const unknown = taskNamesIn(command).find((name) => !state.compiled.indexOf.has(name));
  if (unknown !== undefined) return refused(unknownTask(state, unknown));
  if (!('tasks' in command)) return handleOne(state, command);
  const { type, tasks } = command;
  const named = [...new Set(tasks)].flatMap((path) => state.compiled.indexOf.get(path) ?? []);
  const parts = named.length === 0 ? [handleForRun(state, type)] : handleForTasks(state, type, named);
  const notes = parts.map(({ note }) => note);
  return parts.some(({ does }) => does) ? accepted(command, ...notes) : refused(...notes);
}

/** The tasks that a command names. */
export function taskNamesIn(command: Command): readonly string[] {
  if (command.type === 'amend') return [];
  return 'tasks' in command ? command.tasks : [command.task];
}

function handleOne(state: State, command: Exclude<Command, ControlCommand>): Handled {
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

const unknownTask = ({ compiled }: State, task: string): UnknownNote => ({
  code: 'task.unknown',
  task,
  nearest: nearest(task, compiled.indexOf.keys()),
});

function amendByHand(state: State, command: AmendCommand): Handled {
  const amendment = amendmentOf(state, compile(command.plan));
  if (amendment.refused.length > 0) return refused(...amendment.refused);
  const actual = expectedOf(state, amendment);
  if (!isAsShown(actual, command.expects)) return refused({ code: 'amend.outdated', shown: command.expects, actual });
  return accepted(command, { code: 'plan.amended', ...actual, claims: amendment.toStop.length });
}

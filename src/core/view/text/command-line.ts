// The command line that does the same as a button of the dashboard, ready to be pasted into a shell.
//
// command-line/Q1. Every word is quoted for a POSIX shell, so that a text with `$(…)` or a quote stays a text.
import type { AmendCommand, Command } from '../../engine/command.ts';

/** A plan is amended from a file, whose name the page does not know. */
export type ShortCommand = Exclude<Command, AmendCommand>;

export const commandLine = (run: string, command: ShortCommand): string =>
  shellLine(['heddle', ...wordsOf(run, command)]);

export const shellLine = (words: readonly string[]): string => words.map(shellWord).join(' ');

function wordsOf(run: string, command: ShortCommand): readonly string[] {
  switch (command.type) {
    case 'pause':
    case 'resume':
    case 'stop':
    case 'cancel':
    case 'skip':
      return [command.type, ...tasksOf(run, command.tasks)];
    case 'retry':
      return ['retry', ...tasksOf(run, command.tasks), ...(command.text === undefined ? [] : ['--tell', command.text])];
    case 'rollback':
      return ['rollback', command.task, command.step, '--run', run];
    case 'merge':
      return ['merge', command.task, '--run', run];
    case 'approve':
    case 'reject':
      return [command.type, command.task, ...stepOf(command.step), '--run', run];
    case 'answer':
      // Whatever follows the dashes is no option, however it begins.
      return ['answer', '--run', run, ...stepOf(command.step), '--', command.task, command.text];
  }
}

/** A run and a task may have the same name, so the run is named by its option beside tasks. */
const tasksOf = (run: string, tasks: readonly string[]): readonly string[] =>
  tasks.length === 0 ? [run] : [...tasks, '--run', run];

/** The only step of a task without steps goes by the name of the task. */
const stepOf = (step: string | undefined): readonly string[] =>
  step === undefined || step === 'main' ? [] : ['--step', step];

const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;

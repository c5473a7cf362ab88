// Pieces of commands that several files of commands share.
import { InvalidArgumentError, type Command } from '@commander-js/extra-typings';
import { SETTINGS_FLAGS, type SettingsFlags } from './settings-flags.ts';

/** Adds the flags that override settings of the plan. */
export function withSettings(command: Command): Command<[], SettingsFlags> {
  for (const [flag, meaning] of SETTINGS_FLAGS) command.option(flag, meaning);
  return command;
}

export const PLAN_ARGUMENT = ['[plan]', 'the plan file; - for standard input, plan.yaml by default'] as const;

export const examples = (...lines: readonly string[]): string =>
  `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`;

export function wholeNumber(word: string): number {
  const value = Number(word);
  if (!Number.isSafeInteger(value) || value < 0) throw new InvalidArgumentError('Give a whole number from 0 up.');
  return value;
}

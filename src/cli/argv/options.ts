// Pieces of commands that several files of commands share.
import { InvalidArgumentError, Option, type Command } from '@commander-js/extra-typings';
import { SETTINGS_FLAGS, type SettingsFlags } from '../../app/plan/settings-flags.ts';

/** Adds the flags that override settings of the plan. */
export function withSettings(command: Command): Command<[], SettingsFlags> {
  for (const [flag, meaning] of SETTINGS_FLAGS)
    command.addOption(new Option(flag, meaning).helpGroup("Settings that override the plan's:"));
  return command;
}

export const PLAN_ARGUMENT = ['[plan]', 'the plan file; - for standard input, plan.yaml by default'] as const;

export const RUN_OPTION = ['--run <run>', 'the run; the latest when none is named'] as const;
export const WAIT_OPTION = [
  '--wait <duration>',
  'how long to wait for your answer when the run needs one, as 10m; 0 exits at once',
] as const;

export const PLAIN_OPTION = ['--plain', 'print a line for each event, as when piped', false] as const;

export type GoingOnFlags = {
  readonly run?: string | undefined;
  readonly detach: boolean;
  readonly takeOver: boolean;
  readonly wait?: number | undefined;
  readonly plain: boolean;
  readonly json: boolean;
};

/** Adds the flags of commands that resume a run. */
export function withGoingOn(command: Command): Command<[], GoingOnFlags> {
  return command
    .option(...RUN_OPTION)
    .option('-d, --detach', 'continue in the background', false)
    .option('--take-over', 'take the run over from a coordinator that is alive but does not respond', false)
    .option(...WAIT_OPTION, durationOption)
    .option(...PLAIN_OPTION)
    .option('--json', 'print one line of JSON for each event', false);
}

const UNITS_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;

export function durationOption(word: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(word);
  const unit = match?.[2];
  if (match === null) throw new InvalidArgumentError('Give a time such as 30s, 10m or 2h.');
  const factor = unit === 'ms' || unit === 's' || unit === 'm' || unit === 'h' ? UNITS_MS[unit] : UNITS_MS.s;
  return Number(match[1]) * factor;
}

export const examples = (...lines: readonly string[]): string =>
  `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`;

export function wholeNumber(word: string): number {
  const value = Number(word);
  if (!Number.isSafeInteger(value) || value < 0) throw new InvalidArgumentError('Give a whole number from 0 up.');
  return value;
}

export function atLeastOne(word: string): number {
  const value = wholeNumber(word);
  if (value === 0) throw new InvalidArgumentError('Give a whole number from 1 up.');
  return value;
}

/** Of `heddle graph`: three pictures, and the net for other tools. */

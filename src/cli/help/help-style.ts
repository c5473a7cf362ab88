// The style of help: only the information for a choice, so that it fits on a screen of 80 columns.
import type { Command, HelpConfiguration, Option } from '@commander-js/extra-typings';
import { paint, type Terminal } from '../terminal/terminal.ts';
import { inOrder } from './command-groups.ts';
import { visibleIn, type AnyCommand } from './command-tree.ts';

export const helpStyle = (terminal: Terminal): HelpConfiguration => ({
  // Narrow columns are read more easily than lines that the terminal breaks.
  minWidthToWrap: 20,
  visibleCommands: (command) => inOrder(visibleIn(command)),
  subcommandTerm: (command) => command.name(),
  commandDescription: (command) => sentence(command.description()),
  optionDescription: describeOption,
  groupItems: (_, items, groupOf) => new Map([...Map.groupBy(items, groupOf)].toSorted(ownFirst)),
  styleTitle: (text) => paint(terminal, 'strong', text),
  styleCommandText: (text) => paint(terminal, 'strong', text),
});

/** A command's own options before shared options. */
const ownFirst = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  Number(other === 'Options:') - Number(one === 'Options:');

/** That something is off unless it is asked for goes without saying. */
function describeOption(option: Option): string {
  const { description, argChoices: choices, defaultValue: value } = option;
  const notes = [
    ...(choices === undefined ? [] : [choices.join(', ')]),
    ...(value === undefined || typeof value === 'boolean' ? [] : [`default: ${String(value)}`]),
  ];
  return notes.length === 0 ? description : `${description} (${notes.join('; ')})`;
}

const sentence = (text: string): string => {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return whole === '' || whole.endsWith('.') ? whole : `${whole}.`;
};

/** Adds a pointer to the right usage after each usage error. */
export function pointToHelp(program: Command): void {
  program.showHelpAfterError('heddle --help lists the commands.');
  const point = (command: AnyCommand, path: string): void => {
    command.showHelpAfterError(`heddle help ${path} shows how it is called.`);
    for (const inner of command.commands) point(inner, `${path} ${inner.name()}`);
  };
  for (const command of program.commands) point(command, command.name());
}

// The page that lists every command, made from the commands themselves.
import { Help } from '@commander-js/extra-typings';
import { inOrder, commandsOf, type AnyCommand, type Walked } from '../../src/cli/argv/command-tree.ts';
import { makeProgram } from '../../src/cli/program.ts';
import type { Terminal } from '../../src/cli/terminal/terminal.ts';
import { table } from './table.ts';

const INTRODUCTION = `# Commands

Generated from the commands by \`npm run reference\`. \`heddle help COMMAND\` prints the same in a terminal. See also
[exit-codes.md](exit-codes.md) and [environment.md](environment.md).

Every command takes \`--help\`. \`--json\` prints output for programs: one value, or one line for each event where the command
coordinates a run.
`;

export function commandsPage(): string {
  const program = makeProgram(silent, () => undefined);
  const outer = inOrder(program.commands).flatMap((command) =>
    commandsOf(program).filter((one) => one.command === command),
  );
  const groups = Map.groupBy(outer, ({ command }) => command.helpGroup());
  const parts = [...groups].map(([heading, commands]) =>
    [`## ${heading.replace(/:$/, '')}`, ...commands.flatMap((walked) => sectionsOf(walked))].join('\n\n'),
  );
  return `${[INTRODUCTION.trimEnd(), ...parts].join('\n\n')}\n`;
}

/** Help is only read here, so nothing is ever written. */
const silent: Terminal = {
  out: () => undefined,
  write: () => undefined,
  writeBytes: () => undefined,
  err: () => undefined,
  width: 100,
  size: () => ({ width: 100, height: 40 }),
  isTty: false,
  isInteractive: false,
  colour: false,
  unicode: true,
  far: undefined,
};

function sectionsOf({ command, path }: Walked): readonly string[] {
  const inner = command.commands.flatMap((other) => sectionsOf({ command: other, path: [...path, other.name()] }));
  // A command without options and arguments of its own only groups its subcommands.
  const isGroup = inner.length > 0 && command.options.length + command.registeredArguments.length === 0;
  return isGroup ? inner : [sectionOf(command, path), ...inner];
}

function sectionOf(command: AnyCommand, path: readonly string[]): string {
  const shown = Object.assign(new Help(), command.configureHelp());
  const options = shown.visibleOptions(command).filter(({ long }) => long !== '--help');
  return [
    `### heddle ${path.join(' ')}`,
    shown.commandDescription(command),
    `    ${shown.commandUsage(command)}`,
    table(
      ['Argument', 'Means'],
      shown.visibleArguments(command).map((argument) => [code(argument.name()), shown.argumentDescription(argument)]),
    ),
    table(
      ['Option', 'Means'],
      options.map((option) => [code(option.flags), shown.optionDescription(option)]),
    ),
    examplesOf(command),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

const code = (text: string): string => `\`${text}\``;

/** Examples are written after the help, where only the whole of it can be had. */
function examplesOf(command: AnyCommand): string {
  const said: string[] = [];
  command.configureOutput({ writeOut: (text) => void said.push(text) }).outputHelp();
  const [, text = ''] = said.join('').split('\nExamples:\n');
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.length === 0 ? '' : ['```sh', ...lines.map((line) => line.trim()), '```'].join('\n');
}

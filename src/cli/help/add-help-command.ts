// `heddle help`: the usage of a command, the meaning of a code, or a page of the bundled documents.
import type { Command } from '@commander-js/extra-typings';
import { examples } from '../argv/options.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { AnyCommand } from './command-tree.ts';

export function addHelpCommand(program: Command, terminal: Terminal): void {
  program
    .command('help')
    .description('show how a command is called, what a code means, or a page of the documents')
    .argument('[topic...]', 'a command, a code such as unknown-need, or a page; topics lists the pages')
    .addHelpText(
      'after',
      examples('heddle help run', 'heddle help net check', 'heddle help unknown-need', 'heddle help topics'),
    )
    .action(async (topic) => {
      const command = findCommand(program, topic);
      if (command !== undefined) return command.outputHelp();
      const { printTopic } = await import('./print-topic.ts');
      printTopic(terminal, program, topic);
    });
}

function findCommand(from: AnyCommand, [name, ...rest]: readonly string[]): AnyCommand | undefined {
  if (name === undefined) return from;
  const inner = from.commands.find((command) => command.name() === name);
  return inner === undefined ? undefined : findCommand(inner, rest);
}

// The commands of the first minute. Their work is loaded only when they are called.
import type { Command } from '@commander-js/extra-typings';
import type { ExitCode } from '../exit-code.ts';
import { examples } from './options.ts';
import type { Terminal } from '../terminal.ts';

type Say = (code: ExitCode) => void;

export function addFirstCommands(program: Command, terminal: Terminal, say: Say): void {
  addDemo(program, terminal, say);
  addInit(program, terminal, say);
}

function addDemo(program: Command, terminal: Terminal, say: Say): void {
  program
    .command('demo')
    .description('show a real run on a small project of its own: no key, no network, nothing to set up but git')
    .option('--in <folder>', 'where to put the project; a folder that is empty or not there yet')
    .option('--remove', 'remove the project when it is over', false)
    .option('--json', 'print what was shown as JSON', false)
    .addHelpText('after', examples('heddle demo', 'heddle demo --in ~/heddle-demo', 'heddle demo --remove'))
    .action(async ({ in: folder, remove: isRemoved, json }) =>
      say(await (await import('../commands/demo.ts')).demo(terminal, { folder, isRemoved, json })),
    );
}

function addInit(program: Command, terminal: Terminal, say: Say): void {
  program
    .command('init')
    .description('find the agents, the tests and the packages of a repository, and propose settings and a first plan')
    .argument('[folder]', 'the repository; the one we are in by default')
    .option('-y, --yes', 'write the files without asking', false)
    .option('--json', 'print what was found and proposed as JSON; writes only with --yes', false)
    .addHelpText(
      'after',
      `${examples('heddle init', 'heddle init --yes', 'heddle init ../shop --json')}\n\nNothing that is there is ever overwritten.`,
    )
    .action(async (folder, flags) => say(await (await import('../commands/init.ts')).init(terminal, folder, flags)));
}

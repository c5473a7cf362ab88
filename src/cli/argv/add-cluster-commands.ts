// The commands of the trial cluster. Their work is loaded only when they are called.
import { Option, type Command } from '@commander-js/extra-typings';
import type { ExitCode } from '../terminal/exit-code.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { atLeastOne, examples } from './options.ts';

export function addClusterCommands(program: Command, terminal: Terminal, say: (code: ExitCode) => void): void {
  const cluster = program
    .command('cluster')
    .description('try a cluster on this machine: an engine, two servers and hosts, as real processes')
    .addHelpText('after', examples('heddle cluster up', 'heddle cluster status', 'heddle cluster down'));
  cluster
    .command('up')
    .description('start a trial of a cluster, made of a clone of this repository')
    .option('--hosts <number>', 'how many hosts', atLeastOne, 3)
    .addOption(
      new Option('--engine <name>', 'PostgreSQL of this system, or a Restate server from npm')
        .choices(['postgres', 'restate'])
        .default('postgres'),
    )
    .option('--width <number>', 'steps at once on each host', atLeastOne, 2)
    .option('--home <folder>', 'the folder of the trial; ~/.heddle-cluster by default')
    .option('--yes', 'fetch the server of Restate without a question', false)
    .addHelpText('after', examples('heddle cluster up', 'heddle cluster up --engine restate --yes'))
    .action(async (flags) =>
      say(await (await import('../commands/trial-cluster.ts')).up(terminal, { ...flags, home: flags.home })),
    );
  cluster
    .command('status')
    .description('show the parts of the trial, and which of them run')
    .option('--home <folder>', 'the folder of the trial; ~/.heddle-cluster by default')
    .option('--json', 'print as JSON', false)
    .addHelpText('after', examples('heddle cluster status', 'heddle cluster status --json'))
    .action(async ({ home, json }) =>
      say((await import('../commands/trial-cluster.ts')).showCluster(terminal, { home, json })),
    );
  cluster
    .command('down')
    .description('end everything that the trial started, and nothing else; its folder stays')
    .option('--home <folder>', 'the folder of the trial; ~/.heddle-cluster by default')
    .addHelpText('after', examples('heddle cluster down'))
    .action(async ({ home }) => say(await (await import('../commands/trial-cluster.ts')).down(terminal, home)));
}

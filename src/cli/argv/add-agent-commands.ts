// The commands about agents. Their work is loaded only when they are called.
import type { Command } from '@commander-js/extra-typings';
import type { ExitCode } from '../exit-code.ts';
import { examples } from './options.ts';
import type { Terminal } from '../terminal.ts';

export function addAgentCommands(program: Command, terminal: Terminal, say: (code: ExitCode) => void): void {
  program
    .command('agents')
    .description('list the agents on this machine: version, login, and how each is called')
    .option('--try <agent>', 'let one of them answer, which costs what a small turn costs')
    .option('--json', 'print as JSON', false)
    .addHelpText('after', examples('heddle agents', 'heddle agents --try claude', 'heddle agents --json'))
    .action(async ({ try: use, json }) =>
      say(await (await import('../commands/agents.ts')).agents(terminal, { try: use, json })),
    );
}

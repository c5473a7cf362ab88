// The command that stores the token of a server on another machine.
import type { Command } from '@commander-js/extra-typings';
import type { ExitCode } from '../terminal/exit-code.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { examples } from '../argv/options.ts';

export function addLoginCommand(program: Command, terminal: Terminal, say: (code: ExitCode) => void): void {
  program
    .command('login')
    .description('try your token for a heddle serve on another machine, and store it for --on')
    .argument('<address>', 'the address of the server, as https://host:port')
    .option('--token-file <file>', 'a file with the token; by default it is asked for, or read from standard input')
    .option('--ca <file>', 'the certificate of who signed that of the server, where this machine does not know them')
    .option('--insecure', 'go without encryption to a machine other than this one', false)
    .option('--json', 'print as JSON', false)
    .addHelpText(
      'after',
      examples('heddle login https://build.example:7433', 'heddle login https://build.example:7433 --token-file token'),
    )
    .action(async (address, { tokenFile, ca, insecure, json }) => {
      const { login } = await import('./login.ts');
      say(await login(terminal, address, { tokenFile, ca, insecure, json }));
    });
}

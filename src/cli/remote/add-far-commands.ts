// The commands that concern a server on another machine from here: its token, and the branches of its runs.
import type { Command } from '@commander-js/extra-typings';
import type { ExitCode } from '../terminal/exit-code.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { examples } from '../argv/options.ts';

type Say = (code: ExitCode) => void;

export function addFarCommands(program: Command, terminal: Terminal, say: Say): void {
  addLogin(program, terminal, say);
  addFetch(program, terminal, say);
}

function addLogin(program: Command, terminal: Terminal, say: Say): void {
  program
    .command('login')
    .description('try your token for a heddle serve on another machine, and store it for --on')
    .argument('<address>', 'the address of the server, as https://host:port')
    .option('--token-file <file>', 'a file with the token; by default it is asked for, or read from standard input')
    .option('--tls-ca <file>', 'certificates to trust besides those of the system, as PEM')
    .option('--insecure', 'go without encryption to a machine other than this one', false)
    .option('--json', 'print as JSON', false)
    .addHelpText(
      'after',
      examples('heddle login https://build.example:7433', 'heddle login https://build.example:7433 --token-file token'),
    )
    .action(async (address, { tokenFile, tlsCa, insecure, json }) => {
      const { login } = await import('./login.ts');
      say(await login(terminal, address, { tokenFile, tlsCa, insecure, json }));
    });
}

function addFetch(program: Command, terminal: Terminal, say: Say): void {
  program
    .command('fetch')
    .description('bring the branch of a run from a heddle serve on another machine into this repository')
    .argument('<run>', 'the run')
    .option('--token-file <file>', 'a file with your token; by default what heddle login stored')
    .option('--tls-ca <file>', 'certificates to trust besides those of the system, as PEM')
    .option('--insecure', 'go without encryption to a machine other than this one', false)
    .option('--json', 'print as JSON', false)
    .addHelpText('after', examples('heddle fetch checkout-flow-3 --on https://build.example:7433'))
    .action(async (run, { tokenFile, tlsCa, insecure, json }) => {
      const { fetchRun } = await import('./fetch-run.ts');
      const on: unknown = program.getOptionValue('on');
      say(
        await fetchRun(terminal, run, {
          on: typeof on === 'string' ? on : undefined,
          tokenFile,
          tlsCa,
          insecure,
          json,
        }),
      );
    });
}

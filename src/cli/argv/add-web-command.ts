// The command that serves the dashboard.
import { Option, type Command } from '@commander-js/extra-typings';
import type { ExitCode } from '../terminal/exit-code.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { examples, wholeNumber } from './options.ts';

export function addWebCommand(program: Command, terminal: Terminal, say: (code: ExitCode) => void): void {
  program
    .command('web')
    .description('serve the dashboard: runs in a browser, live and replayed, with answers and control; until Ctrl-C')
    .argument('[run]', 'the run to show first')
    .option('--port <number>', 'the port; 0 takes a free one', wholeNumber, 0)
    .option('--host <address>', 'the address to listen on; other machines need one that they can reach', '127.0.0.1')
    .option('--open', 'open it in the browser', false)
    .option('--root <folder>', 'show every project with runs at or below a folder')
    .option('--read-only', 'show everything and refuse every command', false)
    .option('--tls-cert <file>', 'a TLS certificate, required for a --host other than this machine')
    .option('--tls-key <file>', 'the key of the certificate')
    .option('--insecure', 'allow a --host other than this machine without a certificate', false)
    .option('--public-url <address>', 'the address of a proxy or tunnel in front of the server')
    .option('--metrics-token <file>', 'a file with a token that opens /metrics, for Prometheus, and nothing else')
    .addOption(new Option('--with-parent').default(false).hideHelp())
    .addHelpText(
      'after',
      examples(
        'heddle web',
        'heddle web checkout-flow-3 --open',
        'heddle web --root ~/code --read-only',
        'heddle web --port 8321 --metrics-token token',
      ),
    )
    .action(async (run, flags) => {
      const { root, tlsCert, tlsKey, publicUrl, metricsToken } = flags;
      const { serveWeb } = await import('../serve/serve-web.ts');
      say(await serveWeb(terminal, run, { ...flags, root, tlsCert, tlsKey, publicUrl, metricsToken }));
    });
}

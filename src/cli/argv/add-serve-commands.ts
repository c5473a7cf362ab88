// The commands for work on many machines. Their work is loaded only when they are called.
import { Option, type Command } from '@commander-js/extra-typings';
import { ROLES } from '../../app/serve/token-list.ts';
import type { ExitCode } from '../terminal/exit-code.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { atLeastOne, durationOption, examples, wholeNumber } from './options.ts';

type Say = (code: ExitCode) => void;

export function addServeCommands(program: Command, terminal: Terminal, say: Say): void {
  addServe(program, terminal, say);
  addHosts(program, terminal, say);
  addToken(program, terminal, say);
}

function addServe(program: Command, terminal: Terminal, say: Say): void {
  program
    .command('serve')
    .description('coordinate all runs of this project, with the dashboard, for hosts that join; until Ctrl-C')
    .option('--listen <address:port>', 'where hosts and browsers reach it', '127.0.0.1:8321')
    .option('--width <number>', 'steps at once on this machine, of all runs; 0 leaves it the merges alone', wholeNumber)
    .option('--lease <duration>', 'how long a host may be silent before its work is given to others', durationOption)
    .option('--engine <url>', 'keep the runs in PostgreSQL or Restate, for several servers; HEDDLE_ENGINE by default')
    .option('--engine-file <file>', 'a file with the address of the engine, where it has a password')
    .option(
      '--engine-lease <duration>',
      'how long a server may be silent before another takes its runs',
      durationOption,
      10_000,
    )
    .option('--remote <url>', 'with an engine: the git repository through which the servers share the commits of runs')
    .option('--tls-cert <file>', 'a TLS certificate, required for an address other than this machine')
    .option('--tls-key <file>', 'the key of the certificate')
    .option('--insecure', 'allow an address other than this machine without a certificate', false)
    .option('--public-url <address>', 'the address of a proxy or tunnel in front of the server')
    .option('--metrics-token <file>', 'a file with a token that opens /metrics, for Prometheus, and nothing else')
    .addHelpText(
      'after',
      examples(
        'heddle serve',
        'heddle serve --listen 0.0.0.0:8321 --tls-cert cert.pem --tls-key key.pem',
        'heddle serve --width 0',
        'heddle serve --engine-file /etc/heddle/engine',
      ),
    )
    .action(async (flags) => {
      const { width, lease, engine, engineFile, remote, tlsCert, tlsKey, publicUrl, metricsToken } = flags;
      const given = { width, lease, engine, engineFile, remote, tlsCert, tlsKey, publicUrl, metricsToken };
      say(await (await import('../serve/serve-runs.ts')).serveRuns(terminal, { ...flags, ...given }));
    });
}

function addHosts(program: Command, terminal: Terminal, say: Say): void {
  program
    .command('hosts')
    .description('list the hosts: who is there, what they hold, versions, free room, labels, since when silent')
    .option('--json', 'print as JSON', false)
    .addHelpText('after', examples('heddle hosts', 'heddle hosts --json'))
    .action(async (flags) => say((await import('../serve/show-hosts.ts')).hosts(terminal, flags)));
}

function addToken(program: Command, terminal: Terminal, say: Say): void {
  const token = program
    .command('token')
    .description('give each host and each person a token for the server of this project, and take it back')
    .addHelpText(
      'after',
      examples('heddle token add gpu-1 --role host', 'heddle token list', 'heddle token revoke gpu-1'),
    );
  token
    .command('add')
    .description('make a token; it is printed once')
    .argument('<name>', 'the host or the person that it is for')
    .addOption(
      new Option('--role <role>', 'what it opens: the routes of hosts, everything, or reading')
        .choices(ROLES)
        .makeOptionMandatory(),
    )
    .option('--days <number>', 'how long it works; until it is revoked by default', atLeastOne)
    .addHelpText(
      'after',
      examples('heddle token add gpu-1 --role host', 'heddle token add anna --role reader --days 30'),
    )
    .action(async (name, { role, days }) =>
      say((await import('../serve/manage-tokens.ts')).giveToken(terminal, { name, role, days })),
    );
  token
    .command('list')
    .description('list the tokens: for whom, for what, until when')
    .option('--json', 'print as JSON', false)
    .addHelpText('after', examples('heddle token list'))
    .action(async (flags) => say((await import('../serve/manage-tokens.ts')).showTokens(terminal, flags)));
  token
    .command('revoke')
    .description('take a token back; it stops working at once')
    .argument('<name>', 'the host or the person')
    .addHelpText('after', examples('heddle token revoke gpu-1'))
    .action(async (name) => say((await import('../serve/manage-tokens.ts')).takeTokenBack(terminal, name)));
}

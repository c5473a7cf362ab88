// The command that makes this machine a host of a server.
import { InvalidArgumentError, Option, type Command } from '@commander-js/extra-typings';
import { LABEL_PATTERN, LABELS_MAX } from '../../core/plan/host-labels.ts';
import type { ExitCode } from '../terminal/exit-code.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { atLeastOne, examples } from './options.ts';

const WIDTH = 8;

export function addHostCommand(program: Command, terminal: Terminal, say: (code: ExitCode) => void): void {
  program
    .command('host')
    .description('work for the runs of a server on another machine, until Ctrl-C; twice ends the work at once')
    .option('--join <address>', 'the address of the server, as heddle serve prints it; of a cluster all, with commas')
    .option(
      '--token-file <file>',
      'the file of its token; - for standard input; default: the file in HEDDLE_TOKEN_FILE',
    )
    .option('--ssh <address>', 'be a host on that machine, user@machine: this one reaches it by ssh, and the server')
    .option('--ssh-option <words>', 'with --ssh: an option of ssh, as Port=2222; may be repeated', several, [])
    .option('--ssh-program <command>', 'with --ssh: the command line of Heddle there', 'heddle')
    .option('--width <number>', 'how many claims it carries out at once', atLeastOne, WIDTH)
    .option('--label <words>', 'labels for `on` in plans, with commas between them', labels, [])
    .option('--home <folder>', 'where its files are; default: a folder of its own in ~/.heddle-host')
    .option('--tls-ca <file>', 'certificates to trust besides those of the system, as PEM')
    .option('--insecure', 'allow an address without encryption that is not this machine', false)
    .option('--json', 'print one line of JSON for each thing that happens', false)
    .addOption(new Option('--steered').default(false).hideHelp())
    .addHelpText(
      'after',
      examples(
        'heddle host --join https://build:4400 --token-file token',
        'heddle host --join https://build:4400 --token-file token --width 16 --label gpu,linux',
        'heddle host --join https://build:4400 --token-file token --ssh me@gpu-box',
      ),
    )
    .action(async (flags) => {
      const { join, ssh, tokenFile, home, tlsCa } = flags;
      const { serveAsHost } = await import('../serve/host-command.ts');
      say(await serveAsHost(terminal, { ...flags, join, ssh, tokenFile, home, tlsCa }));
    });
}

const several = (word: string, before: readonly string[]): readonly string[] => [...before, word];

const LABEL = new RegExp(LABEL_PATTERN);

function labels(words: string, before: readonly string[]): readonly string[] {
  const named = words.split(',').map((word) => word.trim());
  const wrong = named.find((word) => !LABEL.test(word));
  if (wrong !== undefined)
    throw new InvalidArgumentError('Write labels as gpu,linux: letters, digits, dots and dashes.');
  const all = [...new Set([...before, ...named])];
  if (all.length > LABELS_MAX) throw new InvalidArgumentError(`A host has at most ${LABELS_MAX} labels.`);
  return all;
}

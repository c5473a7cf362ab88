// The command that shows a run live. Its work is loaded only when it is called.
import type { Command } from '@commander-js/extra-typings';
import type { ExitCode } from '../exit-code.ts';
import { examples, PLAIN_OPTION } from './options.ts';
import type { Terminal } from '../terminal.ts';

export function addWatchCommand(program: Command, terminal: Terminal, say: (code: ExitCode) => void): void {
  program
    .command('watch')
    .description('see a run live, from this terminal or several, with keys to pause, cancel, retry and answer')
    .argument('[run]', 'the run; the latest when none is named')
    .option(...PLAIN_OPTION)
    .addHelpText(
      'after',
      examples('heddle watch', 'heddle watch checkout-flow-3', 'heddle watch --plain | tee run.log'),
    )
    .action(async (run, flags) => say(await (await import('../commands/watch.ts')).watch(terminal, run, flags)));
}

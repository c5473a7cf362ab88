// The command that changes the plan of a run. Its work is loaded only when it is called.
import type { Command } from '@commander-js/extra-typings';
import type { ExitCode } from '../exit-code.ts';
import { examples, PLAIN_OPTION, withSettings } from './options.ts';
import type { Terminal } from '../terminal.ts';

export function addAmendCommand(program: Command, terminal: Terminal, say: (code: ExitCode) => void): void {
  withSettings(
    program
      .command('amend')
      .description('change the plan of a run: shows what is kept, restarted, added and cancelled, asks, then does it'),
  )
    .argument('[run and plan...]', 'the run, the latest by default, and the changed plan file, plan.yaml by default')
    .option('-n, --dry-run', 'only show what would become of each task', false)
    .option('-y, --yes', 'do it without asking', false)
    .option('-d, --detach', 'when the run has no coordinator: go on in the background', false)
    .option(...PLAIN_OPTION)
    .option('--json', 'print the changes, and what became of them, as one JSON object', false)
    .addHelpText(
      'after',
      examples(
        'heddle amend plan.yaml',
        'heddle amend checkout-flow-3 plan.yaml --dry-run',
        'heddle amend checkout-flow-3 plan.yaml --yes --json',
        'heddle amend plan.yaml --max-parallel 8',
      ),
    )
    .action(async (words, flags) => {
      const { amend } = await import('../commands/amend.ts');
      say(await amend(terminal, words, flags));
    });
}

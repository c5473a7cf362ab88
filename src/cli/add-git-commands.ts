// The commands about what runs have made: landing it, resolving conflicts, going back, finding it again. Their work is
// loaded only when they are called.
import { Option, type Command } from '@commander-js/extra-typings';
import type { ExitCode } from './exit-code.ts';
import { examples } from './flags/options.ts';
import type { Terminal } from './terminal.ts';

type Say = (code: ExitCode) => void;

const RUN_ARGUMENT = ['[run]', 'the run; the latest when none is named'] as const;

export function addGitCommands(program: Command, terminal: Terminal, say: Say): void {
  addLand(program, terminal, say);
}

function addLand(program: Command, terminal: Terminal, say: Say): void {
  program
    .command('land')
    .description('move the target branch to what a run has made, and your checkout with it when it is on that branch')
    .argument(...RUN_ARGUMENT)
    .option('--onto <branch>', 'land on this branch; the target of the plan, or the branch the run was started on')
    .addOption(
      new Option('--how <way>', 'auto: fast-forward where the target stands still, else a merge commit')
        .choices(['auto', 'fast-forward', 'merge', 'squash'] as const)
        .default('auto' as const),
    )
    .option('--completed', 'land what is done, though the run has not ended well', false)
    .option('--pr', 'push the run branch and open a pull request instead', false)
    .option('-n, --dry-run', 'only say what would land', false)
    .option('-y, --yes', 'answer yes to every question', false)
    .option('--json', 'print what became of it as JSON', false)
    .addHelpText(
      'after',
      examples(
        'heddle land',
        'heddle land checkout-flow-3 --onto release --how squash --yes',
        'heddle land --completed',
        'heddle land --pr',
      ),
    )
    .action(async (run, flags) => {
      const { onto } = flags;
      say(await (await import('./commands/git/land.ts')).land(terminal, run, { ...flags, onto }));
    });
}

// The commands of completion: the script for a shell, and what that script asks at each key.
import { Argument, type Command } from '@commander-js/extra-typings';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { examples } from './options.ts';
import { PACKAGE_ROOT } from '../../app/package-root.ts';
import type { Terminal } from '../terminal.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

export function addCompletionCommand(program: Command, terminal: Terminal): void {
  program
    .command('completion')
    .description('print a script that completes commands, options, plans, runs and tasks in your shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .addHelpText(
      'after',
      examples(
        'eval "$(heddle completion bash)"',
        'heddle completion bash > ~/.local/share/bash-completion/completions/heddle',
        'heddle completion zsh > ~/.zfunc/_heddle',
        'heddle completion fish > ~/.config/fish/completions/heddle.fish',
      ),
    )
    .action((shell) => terminal.write(readFileSync(join(PACKAGE_ROOT, 'completion', `heddle.${shell}`), 'utf8')));
  program
    .command('complete', { hidden: true })
    .description('say what could come next on a command line')
    .argument('[words...]', 'the words so far; the last is being typed')
    .action(async (words) => {
      const { printCompletion } = await import('../completion/print-completion.ts');
      await printCompletion(terminal, program, words);
    });
}

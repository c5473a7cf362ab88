// The commands about this machine and this shell. Their work is loaded only when they are called.
import { Argument, type Command } from '@commander-js/extra-typings';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../../app/package-root.ts';
import type { ExitCode } from '../terminal/exit-code.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { examples } from './options.ts';
import type { AnyCommand } from './command-tree.ts';

type Say = (code: ExitCode) => void;

export function addMachineCommands(program: Command, terminal: Terminal, say: Say): void {
  addAgents(program, terminal, say);
  addDoctor(program, terminal, say);
  addCompletion(program, terminal);
}

function addAgents(program: Command, terminal: Terminal, say: Say): void {
  program
    .command('agents')
    .description('list the agents on this machine: version, login, and the command of each')
    .option('--try <agent>', 'send a small prompt to this agent, at the cost of a small turn')
    .option('--json', 'print as JSON', false)
    .addHelpText('after', examples('heddle agents', 'heddle agents --try claude', 'heddle agents --json'))
    .action(async ({ try: use, json }) =>
      say(await (await import('../commands/list-agents.ts')).agents(terminal, { try: use, json })),
    );
}

function addDoctor(program: Command, terminal: Terminal, say: Say): void {
  program
    .command('doctor')
    .description(
      'diagnose this machine and this project, with a remedy for each problem; exits with 1 when runs cannot work',
    )
    .option('--fix', 'repair everything that can be repaired without losing work', false)
    .option('--json', 'print as JSON', false)
    .addHelpText('after', examples('heddle doctor', 'heddle doctor --fix', 'heddle doctor --json'))
    .action(async (flags) => say(await (await import('../commands/doctor.ts')).doctor(terminal, flags)));
}

const SHELLS = ['bash', 'zsh', 'fish'] as const;

function addCompletion(program: Command, terminal: Terminal): void {
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
      const { printCompletion } = await import('./print-completion.ts');
      await printCompletion(terminal, program, words);
    });
}

export function addHelpCommand(program: Command, terminal: Terminal): void {
  program
    .command('help')
    .description('show the usage of a command, the meaning of a code, or a page of the documentation')
    .argument('[topic...]', 'a command, a code such as unknown-need, or a page; topics lists the pages')
    .addHelpText(
      'after',
      examples('heddle help run', 'heddle help net check', 'heddle help unknown-need', 'heddle help topics'),
    )
    .action(async (topic) => {
      const command = findCommand(program, topic);
      if (command !== undefined) return command.outputHelp();
      const { printTopic } = await import('./print-topic.ts');
      printTopic(terminal, program, topic);
    });
}

function findCommand(from: AnyCommand, [name, ...rest]: readonly string[]): AnyCommand | undefined {
  if (name === undefined) return from;
  const inner = from.commands.find((command) => command.name() === name);
  return inner === undefined ? undefined : findCommand(inner, rest);
}

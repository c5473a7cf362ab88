// Commands on plan files and nets. Their work is loaded only when they are called.
import { InvalidArgumentError, Option, type Command } from '@commander-js/extra-typings';
import type { ExitCode } from '../terminal/exit-code.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { addDraftCommand } from './add-draft-command.ts';
import { examples, PLAN_ARGUMENT, wholeNumber, withSettings } from './options.ts';

type Say = (code: ExitCode) => void;

export function addPlanCommands(program: Command, terminal: Terminal, say: Say): void {
  addCheck(program, terminal, say);
  addGraph(program, terminal, say);
  addSimulate(program, terminal, say);
  addConfig(program, terminal, say);
  addDraftCommand(program, terminal, say);
  addNet(program, terminal, say);
  program
    .command('schema')
    .description('print the JSON Schema of a plan, for editors')
    .addHelpText('after', examples('heddle schema > plan.schema.json'))
    .action(async () => say((await import('../commands/print-plan.ts')).schema(terminal)));
}

function addCheck(program: Command, terminal: Terminal, say: Say): void {
  withSettings(program.command('check').description('diagnose a plan, prove that it can finish, forecast it'))
    .argument(...PLAN_ARGUMENT)
    .option('--seed <number>', 'seed of the forecast', wholeNumber, 1)
    .option('--proof', 'show each part of the proof', false)
    .option('--json', 'print everything as JSON', false)
    .addHelpText(
      'after',
      examples(
        'heddle check',
        'heddle check plan.yaml --proof',
        'heddle check plan.yaml --json',
        'heddle check plan.yaml --max-parallel 8',
      ),
    )
    .action(async (file, flags) => say(await (await import('../commands/check.ts')).check(terminal, file, flags)));
}

function addGraph(program: Command, terminal: Terminal, say: Say): void {
  withSettings(program.command('graph').description('draw a plan, or its net'))
    .argument(...PLAN_ARGUMENT)
    .addOption(
      new Option('--format <format>', 'the format')
        .choices(['mermaid', 'dot', 'svg', 'pnml'] as const)
        .default('mermaid' as const),
    )
    .addOption(
      new Option('--depth <depth>', 'the tasks, or the Petri net itself')
        .choices(['tasks', 'net'] as const)
        .default('tasks' as const),
    )
    .option('--run <run>', 'draw the plan that this run follows, with what it was amended and has grown by')
    .option('--all', 'draw every subplan open, however large the plan', false)
    .option('--expand <path...>', 'subplans to draw open')
    .option('-o, --out <file>', 'write to a file')
    .addHelpText(
      'after',
      examples(
        'heddle graph plan.yaml',
        'heddle graph plan.yaml --format svg --out plan.svg',
        'heddle graph plan.yaml --depth net --format dot',
        'heddle graph --run migrate-2 --all',
        'heddle graph plan.yaml --format pnml',
      ),
    )
    .action(async (file, flags) =>
      say(
        (await import('../commands/graph.ts')).graph(terminal, file, {
          ...flags,
          expand: flags.expand ?? [],
          out: flags.out,
          run: flags.run,
        }),
      ),
    );
}

function addSimulate(program: Command, terminal: Terminal, say: Say): void {
  withSettings(program.command('simulate').description('run a plan in virtual time: forecast and Gantt chart'))
    .argument(...PLAN_ARGUMENT)
    .option('--seed <number>', 'seed of random choices', wholeNumber, 1)
    .option('--failures <share>', 'share of attempts that fail, 0 to 1', share)
    .option('--spread <deviation>', 'standard deviation of the logarithms of durations, 0 to 3', deviation)
    .addOption(
      new Option('--policy <policy>', 'every step that can run, or one step at a time')
        .choices(['parallel', 'serial'] as const)
        .default('parallel' as const),
    )
    .option('--svg <file>', 'write the chart as SVG')
    .option('--events', 'with --json: include the events', false)
    .option('--json', 'print everything as JSON', false)
    .addHelpText(
      'after',
      examples(
        'heddle simulate plan.yaml',
        'heddle simulate plan.yaml --failures 0.2 --seed 7',
        'heddle simulate plan.yaml --svg gantt.svg',
      ),
    )
    .action(async (file, flags) => {
      const { failures, spread, svg } = flags;
      say(
        await (
          await import('../commands/run-simulation.ts')
        ).simulateFile(terminal, file, { ...flags, failures, spread, svg }),
      );
    });
}

function addConfig(program: Command, terminal: Terminal, say: Say): void {
  withSettings(program.command('config').description('show every effective setting of a plan and where it came from'))
    .argument(...PLAN_ARGUMENT)
    .option('--explain', 'say where each value came from (the default)', true)
    .option('--json', 'print as JSON', false)
    .addHelpText('after', examples('heddle config --explain plan.yaml'))
    .action(async (file, flags) => say((await import('../commands/print-plan.ts')).config(terminal, file, flags)));
}

function addNet(program: Command, terminal: Terminal, say: Say): void {
  program
    .command('net')
    .description('work with Petri nets of any origin')
    .addHelpText('after', examples('heddle net check model.pnml'))
    .command('check')
    .description('verify a P/T net in PNML: soundness of a workflow net; else boundedness, deadlocks, liveness')
    .argument('<file>', 'a PNML file; - for standard input')
    .option('--markings <count>', 'maximum number of markings to search', wholeNumber)
    .option('--json', 'print as JSON', false)
    .addHelpText(
      'after',
      examples('heddle net check model.pnml', 'heddle graph plan.yaml --format pnml | heddle net check -'),
    )
    .action(async (file, flags) =>
      say(
        (await import('../commands/check.ts')).netCheck(terminal, file, {
          json: flags.json,
          markings: flags.markings,
        }),
      ),
    );
}

const share = (word: string): number => numberUpTo(word, 1);
const deviation = (word: string): number => numberUpTo(word, 3);

function numberUpTo(word: string, most: number): number {
  const value = Number(word);
  if (word.trim() === '' || !(value >= 0 && value <= most))
    throw new InvalidArgumentError(`Give a number from 0 to ${most}.`);
  return value;
}

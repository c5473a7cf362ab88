// The commands and their options. Each command's work is loaded only when it is called, so that help is quick.
import { Command, CommanderError, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT, type ExitCode } from './exit-code.ts';
import { Failure } from './failure.ts';
import { Refused } from '../app/refusal.ts';
import { addAmendCommand } from './argv/add-amend-command.ts';
import { addAgentCommands } from './argv/add-agent-commands.ts';
import { addCompletionCommand } from './argv/add-completion-command.ts';
import { addFirstCommands } from './argv/add-onboarding-commands.ts';
import { addGitCommands } from './argv/add-git-commands.ts';
import { addImportCommand } from './argv/add-import-command.ts';
import { addReportCommand } from './argv/add-report-command.ts';
import { addRunCommands } from './argv/add-run-commands.ts';
import { addSplitCommand } from './argv/add-split-command.ts';
import { addWatchCommand } from './argv/add-watch-command.ts';
import { GRAPH_FORMATS } from './argv/graph-formats.ts';
import { examples, PLAN_ARGUMENT, wholeNumber, withSettings } from './argv/options.ts';
import { addHelpCommand } from './help/add-help-command.ts';
import { groupCommands } from './help/command-groups.ts';
import { helpStyle, pointToHelp } from './help/help-style.ts';
import { PACKAGE_ROOT } from '../app/package-root.ts';
import { paint, type Terminal } from './terminal.ts';

/** Runs one command line and says how it went. */
export async function runProgram(terminal: Terminal, words: readonly string[]): Promise<ExitCode> {
  let code: ExitCode = EXIT.done;
  const program = makeProgram(terminal, (said) => {
    code = said;
  });
  try {
    await program.parseAsync(words, { from: 'user' });
    return code;
  } catch (trouble) {
    if (trouble instanceof CommanderError) return trouble.exitCode === 0 ? EXIT.done : EXIT.wrong;
    const message = await messageOf(trouble);
    if (message === undefined) throw trouble;
    terminal.err(`${paint(terminal, 'bad', 'heddle:')} ${message}`);
    if (isNamed(trouble, 'GitError')) terminal.err('heddle doctor says what is wrong with the repository.');
    return EXIT.wrong;
  }
}

/** What a person must change before the command can do anything; undefined is a bug of ours. */
async function messageOf(trouble: unknown): Promise<string | undefined> {
  if (trouble instanceof Failure) return trouble.message;
  if (trouble instanceof Refused) return (await import('./text/refusal-text.ts')).refusalText(trouble.refusal);
  // Known by name, because most commands load neither the store nor git.
  return isNamed(trouble, 'StoreError') || isNamed(trouble, 'GitError') ? trouble.message : undefined;
}

const isNamed = (trouble: unknown, name: string): trouble is Error => trouble instanceof Error && trouble.name === name;

type Say = (code: ExitCode) => void;

/** All commands, for whoever calls one or tells of them. */
export function makeProgram(terminal: Terminal, say: Say): Command {
  const program = new Command('heddle')
    .description('Runs many coding agents on one repository at once, from a plan that is proved to finish.')
    .version(version(), '--version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .configureHelp(helpStyle(terminal))
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.err(text.trimEnd()),
      outputError: (text, write) => write(text.replace(/^error:/, paint(terminal, 'bad', 'heddle:'))),
      getOutHelpWidth: () => terminal.width,
      getErrHelpWidth: () => terminal.width,
      getOutHasColors: () => terminal.colour,
      getErrHasColors: () => terminal.colour,
    })
    .addHelpText(
      'after',
      examples(
        'heddle check plan.yaml',
        'heddle simulate plan.yaml',
        'heddle run plan.yaml',
        'heddle help guide/first-plan',
      ),
    );
  addFirstCommands(program, terminal, say);
  addRunCommands(program, terminal, say);
  addGitCommands(program, terminal, say);
  addAgentCommands(program, terminal, say);
  addImportCommand(program, terminal, say);
  addWatchCommand(program, terminal, say);
  addSplitCommand(program, terminal, say);
  addReportCommand(program, terminal, say);
  addAmendCommand(program, terminal, say);
  addCheck(program, terminal, say);
  addGraph(program, terminal, say);
  addSimulate(program, terminal, say);
  addConfig(program, terminal, say);
  addPlan(program, terminal, say);
  addNet(program, terminal, say);
  program
    .command('schema')
    .description('print the JSON Schema of a plan, for editors')
    .addHelpText('after', examples('heddle schema > plan.schema.json'))
    .action(async () => say((await import('./commands/plan.ts')).schema(terminal)));
  addCompletionCommand(program, terminal);
  addHelpCommand(program, terminal);
  groupCommands(program);
  pointToHelp(program);
  return program;
}

function addCheck(program: Command, terminal: Terminal, say: Say): void {
  withSettings(program.command('check').description('diagnose a plan, prove that it can finish, forecast it'))
    .argument(...PLAN_ARGUMENT)
    .option('--seed <number>', 'seed of the forecast', wholeNumber, 1)
    .option('--proof', 'show each thing that was proved', false)
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
    .action(async (file, flags) => say(await (await import('./commands/check.ts')).check(terminal, file, flags)));
}

function addGraph(program: Command, terminal: Terminal, say: Say): void {
  withSettings(program.command('graph').description('draw a plan, or its net'))
    .argument(...PLAN_ARGUMENT)
    .addOption(new Option('--format <format>', 'what to write').choices(GRAPH_FORMATS).default('mermaid' as const))
    .addOption(
      new Option('--depth <depth>', 'the tasks, or the Petri net itself')
        .choices(['tasks', 'net'] as const)
        .default('tasks' as const),
    )
    .option('--all', 'fold nothing, however large', false)
    .option('--expand <path...>', 'subplans to keep open')
    .option('-o, --out <file>', 'write to a file')
    .addHelpText(
      'after',
      examples(
        'heddle graph plan.yaml',
        'heddle graph plan.yaml --format svg --out plan.svg',
        'heddle graph plan.yaml --depth net --format dot',
        'heddle graph plan.yaml --format pnml',
      ),
    )
    .action(async (file, flags) =>
      say(
        (await import('./commands/graph.ts')).graph(terminal, file, {
          ...flags,
          expand: flags.expand ?? [],
          out: flags.out,
        }),
      ),
    );
}

function addSimulate(program: Command, terminal: Terminal, say: Say): void {
  withSettings(program.command('simulate').description('run a plan in virtual time: forecast and Gantt chart'))
    .argument(...PLAN_ARGUMENT)
    .option('--seed <number>', 'seed of chance', wholeNumber, 1)
    .option('--failures <share>', 'share of attempts that fail, 0 to 1', share)
    .option('--spread <deviation>', 'how far durations stray from their estimates, 0 to 3', deviation)
    .addOption(
      new Option('--policy <policy>', 'all that can run, or one step at a time')
        .choices(['parallel', 'serial'] as const)
        .default('parallel' as const),
    )
    .option('--svg <file>', 'write the chart as SVG')
    .option('--events', 'with --json: the events too', false)
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
          await import('./commands/simulate.ts')
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
    .action(async (file, flags) => say((await import('./commands/plan.ts')).config(terminal, file, flags)));
}

function addPlan(program: Command, terminal: Terminal, say: Say): void {
  const plan = program
    .command('plan')
    .description('work with a plan file')
    .addHelpText('after', examples('heddle plan print plan.yaml'));
  withSettings(plan.command('print').description('write the effective plan'))
    .argument(...PLAN_ARGUMENT)
    .addHelpText('after', examples('heddle plan print plan.yaml'))
    .action(async (file, flags) => say((await import('./commands/plan.ts')).planPrint(terminal, file, flags)));
}

function addNet(program: Command, terminal: Terminal, say: Say): void {
  program
    .command('net')
    .description('work with Petri nets of any origin')
    .addHelpText('after', examples('heddle net check model.pnml'))
    .command('check')
    .description('prove things of a P/T net in PNML: soundness of a workflow net; else bounds, deadlocks, liveness')
    .argument('<file>', 'a PNML file; - for standard input')
    .option('--markings <count>', 'most markings to search', wholeNumber)
    .option('--json', 'print as JSON', false)
    .addHelpText(
      'after',
      examples('heddle net check model.pnml', 'heddle graph plan.yaml --format pnml | heddle net check -'),
    )
    .action(async (file, flags) =>
      say(
        (await import('./commands/check.ts')).netCheck(terminal, file, {
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

function version(): string {
  const read: unknown = JSON.parse(readFileSync(join(PACKAGE_ROOT, 'package.json'), 'utf8'));
  return typeof read === 'object' && read !== null && 'version' in read ? String(read.version) : 'unknown';
}

// The command that drafts plans, and the one that prints them.
import { InvalidArgumentError, type Command } from '@commander-js/extra-typings';
import type { ExitCode } from '../terminal/exit-code.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { durationOption, examples, PLAN_ARGUMENT, wholeNumber, withSettings } from './options.ts';

type Say = (code: ExitCode) => void;

const ROUNDS_DEFAULT = 4;
const ROUNDS_MAX = 20;
const USD_DEFAULT = 5;
const TURN_MS_DEFAULT = 20 * 60_000;

export function addDraftCommand(program: Command, terminal: Terminal, say: Say): void {
  const plan = program
    .command('plan')
    .description('let an agent draft a plan for a goal, judge it, and write it when you accept it; nothing runs')
    // Options after a subcommand are the subcommand's own.
    .enablePositionalOptions()
    .argument(
      '[goal...]',
      'what is to be reached, in words; - reads it from standard input. With --revise, the plan file',
    )
    .option('--from <file...>', 'a specification, an issue or any text that goes with the goal')
    .option('--revise <words>', 'change an existing plan; a run that follows it is amended, after a preview')
    .option('--run <run>', 'continue this drafting; with --revise, the run whose plan is meant')
    .option('--fresh', 'start again, although a drafting of the same goal could be continued', false)
    .option('--agent <name>', 'the agent that drafts; by default the first that is installed')
    .option('--model <text>', 'the model of that agent')
    .option('--budget-usd <money>', 'the most that the drafting itself may cost', money, USD_DEFAULT)
    .option('--rounds <count>', 'how often findings go back to the agent, 0 to 20', rounds, ROUNDS_DEFAULT)
    .option('--timeout <duration>', 'time limit of one turn of the agent (default: 20m)', durationOption)
    .option('--within <duration>', 'how long the plan may take, as 2h', durationOption)
    .option('--budget <money>', 'how much the plan may cost, in dollars', money)
    .option('--no-tests', 'do not run the check of the project first')
    .option('-o, --out <file>', 'the file to write; plan.yaml by default')
    .option('-y, --yes', 'accept the first draft without errors', false)
    .option('--json', 'print one JSON object', false)
    .option('--print-guide', 'print what the agent is told about the language', false)
    .addHelpText(
      'after',
      examples(
        'heddle plan "Add a dark mode to the settings page"',
        'heddle plan "Do what the issue asks for" --from issue.md --within 2h --budget 10',
        'heddle plan --revise "no migration, and cheaper"',
        'heddle plan "Rename User to Account" --yes --json',
        'heddle plan print plan.yaml',
      ),
    )
    .action(async (words, flags) => {
      const { from = [], revise, run, agent, model, within, budget, out, timeout = TURN_MS_DEFAULT } = flags;
      const { draft } = await import('../draft/draft.ts');
      say(await draft(terminal, words, { ...flags, from, revise, run, agent, model, within, budget, out, timeout }));
    });
  withSettings(plan.command('print').description('print the effective plan'))
    .argument(...PLAN_ARGUMENT)
    .addHelpText('after', examples('heddle plan print plan.yaml'))
    .action(async (file, flags) => say((await import('../commands/print-plan.ts')).planPrint(terminal, file, flags)));
}

function money(word: string): number {
  const value = Number(word.replace(/^\$/u, ''));
  if (word.trim() === '' || !(value > 0)) throw new InvalidArgumentError('Give an amount in dollars, as 2.50.');
  return value;
}

function rounds(word: string): number {
  const value = wholeNumber(word);
  if (value > ROUNDS_MAX) throw new InvalidArgumentError(`Give a number from 0 to ${ROUNDS_MAX}.`);
  return value;
}

// The commands that start, follow and control runs. Their work is loaded only when they are called.
import { Option, type Command } from '@commander-js/extra-typings';
import type { ControlWord } from '../../app/run/post-control.ts';
import { type ExitCode, CommandFailure } from '../terminal/exit-code.ts';
import {
  atLeastOne,
  durationOption,
  examples,
  PLAIN_OPTION,
  PLAN_ARGUMENT,
  RUN_OPTION,
  WAIT_OPTION,
  wholeNumber,
  withGoingOn,
  withSettings,
} from './options.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { addWebCommand } from './add-web-command.ts';

type Say = (code: ExitCode) => void;

export function addRunCommands(program: Command, terminal: Terminal, say: Say): void {
  addRun(program, terminal, say);
  addResume(program, terminal, say);
  addWatch(program, terminal, say);
  addWebCommand(program, terminal, say);
  addStatus(program, terminal, say);
  addLogs(program, terminal, say);
  addTurns(program, terminal, say);
  addAmend(program, terminal, say);
  for (const word of CONTROLS) addControl(program, terminal, { ...word, say });
  program
    .command('coordinate', { hidden: true })
    .description('coordinate a run in the background')
    .argument('<run>')
    .action(async (run) => say(await (await import('../commands/run.ts')).coordinateRun(terminal, run)));
}

function addRun(program: Command, terminal: Terminal, say: Say): void {
  withSettings(program.command('run').description('run a plan'))
    .argument(...PLAN_ARGUMENT)
    .option('-d, --detach', 'coordinate the run in the background', false)
    .option('--no-git', "work in the project's own folder, without sandboxes")
    .option('-i, --input <name=value...>', 'values for the inputs of the plan')
    .addOption(
      new Option('--policy <policy>', 'every step that can run, or one step at a time')
        .choices(['parallel', 'serial'] as const)
        .default('parallel' as const),
    )
    .option('--seed <number>', 'seed of all random choices in the run', wholeNumber)
    .addOption(new Option('--web', 'serve the dashboard beside the run').default(false).conflicts('detach'))
    .option('--web-port <number>', 'with --web: a port; a free one by default', wholeNumber, 0)
    .option('--public-url <address>', 'with --web: the public address, for links in notifications')
    .option(...WAIT_OPTION, durationOption)
    .option(...PLAIN_OPTION)
    .option('--json', 'print one line of JSON for each event', false)
    .addHelpText(
      'after',
      examples(
        'heddle run',
        'heddle run plan.yaml --max-parallel 8',
        'heddle run plan.yaml --detach',
        'heddle run --web',
        'heddle run --plain',
        'heddle run --json',
      ),
    )
    .action(async (file, flags) => {
      const { input = [], seed, wait: waitMs, publicUrl } = flags;
      const { run } = await import('../commands/run.ts');
      say(await run(terminal, file, { ...flags, input, seed, waitMs, publicUrl, takeOver: false }));
    });
}

function addResume(program: Command, terminal: Terminal, say: Say): void {
  const words = {
    resume: 'resume a run that is paused, stopped or without a coordinator; or paused tasks of it',
    retry: 'run failed and cancelled tasks again, with the tasks that need them; or only the tasks named',
  } as const;
  for (const type of ['resume', 'retry'] as const) {
    const command = withGoingOn(program.command(type).description(words[type]));
    if (type === 'retry') command.option('--tell <text>', 'a text for the next prompt of the agents of these tasks');
    command
      .argument('[run or tasks...]', 'a run, tasks of it, or both')
      .addHelpText(
        'after',
        examples(
          `heddle ${type}`,
          `heddle ${type} checkout-flow-3`,
          type === 'retry' ? 'heddle retry api --tell "Keep the old route."' : 'heddle resume api reviews.security',
        ),
      )
      .action(async (named, flags) => {
        const { run, wait: waitMs } = flags;
        const { resume } = await import('../commands/resume.ts');
        const tell = 'tell' in flags && typeof flags.tell === 'string' ? flags.tell : undefined;
        say(await resume(terminal, type, { words: named, flags: { ...flags, run, waitMs }, tell }));
      });
  }
}

function addStatus(program: Command, terminal: Terminal, say: Say): void {
  program
    .command('status')
    .description('show the state of a run')
    .argument('[run]', 'the run; the latest when none is named')
    .option('--all', 'every task, however many', false)
    .option('--at <number>', 'as of this event of the log, as the replay of heddle web shows it', atLeastOne)
    .option('--json', 'print as JSON', false)
    .addHelpText(
      'after',
      examples('heddle status', 'heddle status checkout-flow-3 --json', 'heddle status checkout-flow-3 --at 120'),
    )
    .action(async (run, { all, at, json }) =>
      say((await import('../commands/status.ts')).status(terminal, run, { all, at, json })),
    );
  program
    .command('runs')
    .description('list the runs of this project')
    .option('--json', 'print as JSON', false)
    .addHelpText('after', examples('heddle runs'))
    .action(async (flags) => say((await import('../commands/status.ts')).runs(terminal, flags)));
  program
    .command('explain')
    .description('explain what a task waits for, which tasks hold it, and when it is expected to end')
    .argument('<task>', 'the task, as a dotted path')
    .option(...RUN_OPTION)
    .option('--json', 'print as JSON', false)
    .addHelpText('after', examples('heddle explain reviews.security'))
    .action(async (task, { run, json }) =>
      say((await import('../commands/status.ts')).explainPath(terminal, task, { run, json })),
    );
}

function addLogs(program: Command, terminal: Terminal, say: Say): void {
  program
    .command('logs')
    .description('print the output of the steps of a task')
    .argument('<task>', 'the task, as a dotted path')
    .option(...RUN_OPTION)
    .option('-f, --follow', 'follow the output until the task ends', false)
    .option('--step <step>', 'only this step; check for the check')
    .option('--attempt <number>', 'this attempt instead of the latest', wholeNumber)
    .addOption(new Option('--raw', 'unchanged bytes, at a terminal too').default(false).conflicts('plain'))
    .option('--plain', 'text without colours and control sequences, when piped too', false)
    .addHelpText(
      'after',
      examples('heddle logs api', 'heddle logs api --follow', 'heddle logs api --step verify --attempt 1'),
    )
    .action(async (task, { run, follow, step, attempt, raw, plain }) =>
      say(await (await import('../commands/logs.ts')).logs(terminal, task, { run, follow, step, attempt, raw, plain })),
    );
  program
    .command('events')
    .description('print the log of a run, one line of JSON for each event')
    .argument('[run]', 'the run; the latest when none is named')
    .option('-f, --follow', 'follow the log until the run ends', false)
    .option('--raw', 'the events as they are stored', false)
    .addHelpText('after', examples('heddle events', 'heddle events checkout-flow-3 --follow'))
    .action(async (run, flags) => say(await (await import('../commands/events.ts')).events(terminal, run, flags)));
}

function addTurns(program: Command, terminal: Terminal, say: Say): void {
  program
    .command('turns')
    .description('print the prompts and the responses of the agents of a task, a subplan or a whole run')
    .argument('<task or run>', 'the task, as a dotted path; or a run')
    .option(...RUN_OPTION)
    .option('--json', 'print one line of JSON for each turn', false)
    .addHelpText('after', examples('heddle turns api', 'heddle turns draft-1', 'heddle turns api --json > turns.jsonl'))
    .action(async (task, { run, json }) =>
      say((await import('../commands/turns.ts')).turns(terminal, task, { run, json })),
    );
  program
    .command('answer')
    .description('answer the question of an agent; yes, no or always to a permission request')
    .argument('<task>', 'the task whose agent has a question')
    .argument('<text...>', 'the answer, which becomes the next prompt of the agent')
    .option(...RUN_OPTION)
    .option('--step <step>', 'the step that asks, when a task has several')
    .option('--json', 'print the reply as JSON', false)
    .addHelpText(
      'after',
      examples('heddle answer api "Use Postgres."', 'heddle answer api yes', 'heddle answer api --step code "Both."'),
    )
    .action(async (task, words, { run, step, json }) =>
      say(
        await (
          await import('../commands/control.ts')
        ).answerTask(terminal, { task, words, flags: { run, step, json } }),
      ),
    );
}

function addWatch(program: Command, terminal: Terminal, say: Say): void {
  program
    .command('watch')
    .description('show a run live, in any number of terminals, with keys to pause, cancel, retry and answer')
    .argument('[run]', 'the run; the latest when none is named')
    .option(...PLAIN_OPTION)
    .addHelpText(
      'after',
      examples('heddle watch', 'heddle watch checkout-flow-3', 'heddle watch --plain | tee run.log'),
    )
    .action(async (run, flags) => say(await (await import('../commands/watch.ts')).watch(terminal, run, flags)));
}

function addAmend(program: Command, terminal: Terminal, say: Say): void {
  withSettings(
    program
      .command('amend')
      .description(
        'change the plan of a run: shows which tasks are kept, restarted, added and cancelled, asks, then applies it',
      ),
  )
    .argument('[run and plan...]', 'the run, the latest by default, and the changed plan file, plan.yaml by default')
    .option('-n, --dry-run', 'only show the effect on each task', false)
    .option('-y, --yes', 'apply it without asking', false)
    .option('-d, --detach', 'when the run has no coordinator: continue it in the background', false)
    .option(...PLAIN_OPTION)
    .option('--json', 'print the changes and the result as one JSON object', false)
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

const CONTROLS = [
  { word: 'pause', says: 'start no more steps; running steps finish', sample: 'api' },
  { word: 'stop', says: 'end running steps and start no more; heddle resume continues', sample: 'api' },
  { word: 'cancel', says: 'cancel tasks, or the whole run, for good', sample: 'reviews' },
  { word: 'skip', says: 'count tasks as done without running them', sample: 'docs' },
  { word: 'approve', says: 'answer yes to a question', sample: 'ship' },
  { word: 'reject', says: 'answer no to a question', sample: 'ship' },
] as const;

const ANSWERS: ReadonlySet<ControlWord> = new Set(['approve', 'reject']);

interface Controlling {
  readonly word: ControlWord;
  readonly says: string;
  readonly sample: string;
  readonly say: Say;
}

function addControl(program: Command, terminal: Terminal, { word, says, sample, say }: Controlling): void {
  program
    .command(word)
    .description(says)
    .argument('[run or tasks...]', 'a run, tasks of it, or both; the latest run when none is named')
    .option(...RUN_OPTION)
    .addOption(new Option('--step <step>', 'the step that asks, when a task has several').hideHelp(!ANSWERS.has(word)))
    .option('--json', 'print the reply as JSON; one line for each event, where this process coordinates the run', false)
    .addHelpText(
      'after',
      examples(
        ...(word === 'skip' ? [] : [`heddle ${word}`]),
        `heddle ${word} ${sample}`,
        `heddle ${word} ${sample} --run checkout-flow-3`,
      ),
    )
    .action(async (words, { run, step, json }) => {
      if (step !== undefined && !ANSWERS.has(word))
        throw new CommandFailure(`--step goes with approve and reject; heddle ${word} takes whole tasks.`);
      const { control } = await import('../commands/control.ts');
      say(await control(terminal, { word, words, flags: { run, step, json } }));
    });
}

// The commands for results of runs: landing, resolving conflicts, rollback, recovery. Their code is loaded only
// when they are called.
import { Option, type Command } from '@commander-js/extra-typings';
import type { ExitCode } from '../terminal/exit-code.ts';
import { examples, RUN_OPTION, withGoingOn } from './options.ts';
import type { Terminal } from '../terminal/terminal.ts';

type Say = (code: ExitCode) => void;

const RUN_ARGUMENT = ['[run]', 'the run; the latest when none is named'] as const;

export function addResultCommands(program: Command, terminal: Terminal, say: Say): void {
  addReport(program, terminal, say);
  addTrace(program, terminal, say);
  addLand(program, terminal, say);
  addOpen(program, terminal, say);
  addMerge(program, terminal, say);
  addRollback(program, terminal, say);
  addConflicts(program, terminal, say);
  addRecover(program, terminal, say);
}

function addReport(program: Command, terminal: Terminal, say: Say): void {
  program
    .command('report')
    .description('report a run: results, agents, cost, time, failures, conflicts, checks, commits')
    .argument(...RUN_ARGUMENT)
    .addOption(
      new Option('--format <format>', 'the format; by default from the file extension of --out, else text').choices([
        'text',
        'md',
        'json',
        'html',
      ] as const),
    )
    .option('-o, --out <file>', 'write to a file')
    .option('--json', 'the same as --format json', false)
    .addHelpText(
      'after',
      examples(
        'heddle report',
        'heddle report checkout-flow-3 --format md > report.md',
        'heddle report --out report.html',
        'heddle report --json | jq .times.speedUp',
      ),
    )
    .action(async (run, { format, out, json }) => {
      const { report } = await import('../commands/write-report.ts');
      say(await report(terminal, run, { format: json ? 'json' : format, out }));
    });
}

function addTrace(program: Command, terminal: Terminal, say: Say): void {
  program
    .command('trace')
    .description('export the spans of a run: to a collector by OTLP over HTTP, or as JSON')
    .argument(...RUN_ARGUMENT)
    .option(
      '--otlp <address>',
      'the collector, such as http://localhost:4318; by default OTEL_EXPORTER_OTLP_ENDPOINT, else telemetry of the run',
    )
    .option('--json', 'print the spans as OTLP/JSON', false)
    .addHelpText('after', examples('heddle trace --json', 'heddle trace checkout-flow-3 --otlp http://localhost:4318'))
    .action(async (run, { otlp, json }) =>
      say(await (await import('../commands/events.ts')).trace(terminal, run, { otlp, json })),
    );
}

function addLand(program: Command, terminal: Terminal, say: Say): void {
  program
    .command('land')
    .description('move the target branch to the result of a run, and update your checkout if it is on that branch')
    .argument(
      '[run]',
      'the run, or one of its tasks, which lands with the tasks it needs; the latest run when none is named',
    )
    .option(...RUN_OPTION)
    .option(
      '--onto <branch>',
      'land on this branch; by default the target of the plan, else the branch the run was started on',
    )
    .addOption(
      new Option('--how <way>', 'auto: fast-forward where the target has not moved, else a merge commit')
        .choices(['auto', 'fast-forward', 'merge', 'squash'] as const)
        .default('auto' as const),
    )
    .option('--completed', 'land the completed tasks of a run with failed or unfinished tasks', false)
    .option('--push', 'push the target to its remote afterwards', false)
    .option('--pr', 'push the run branch and open a pull request instead', false)
    .option('-n, --dry-run', 'only show what would land', false)
    .option('-y, --yes', 'answer yes to every question', false)
    .option('--json', 'print the result as JSON', false)
    .addHelpText(
      'after',
      examples(
        'heddle land',
        'heddle land checkout-flow-3 --onto release --how squash --yes',
        'heddle land --completed',
        'heddle land reviews.security --push',
        'heddle land --pr',
      ),
    )
    .action(async (run, flags) => {
      const { onto, run: ofTask } = flags;
      say(await (await import('../commands/land.ts')).land(terminal, run, { ...flags, onto, run: ofTask }));
    });
}

const TASK_ARGUMENT = ['<task>', 'the task, as a dotted path'] as const;

function addOpen(program: Command, terminal: Terminal, say: Say): void {
  program
    .command('open')
    .description('open a plain checkout of the work of a task, to read it or to resolve its conflict')
    .argument(...TASK_ARGUMENT)
    .option(...RUN_OPTION)
    .option('-c, --command <command>', 'run this command in the checkout instead of a shell')
    .option('--print', 'only print the folder; the default without a terminal', false)
    .addHelpText(
      'after',
      examples('heddle open api', 'heddle open api --command "code ."', 'cd "$(heddle open api --print)"'),
    )
    .action(async (task, { run, command, print }) =>
      say(await (await import('../commands/open.ts')).open(terminal, task, { run, command, print })),
    );
}

function addMerge(program: Command, terminal: Terminal, say: Say): void {
  withGoingOn(
    program.command('merge').description('merge your resolution of a conflict from heddle open, and continue the run'),
  )
    .argument(...TASK_ARGUMENT)
    .addHelpText('after', examples('heddle merge api', 'heddle merge api --run checkout-flow-3'))
    .action(async (task, flags) => {
      const { run, wait: waitMs } = flags;
      say(await (await import('../commands/open.ts')).merge(terminal, task, { ...flags, run, waitMs }));
    });
}

function addRollback(program: Command, terminal: Terminal, say: Say): void {
  withGoingOn(
    program
      .command('rollback')
      .description('roll a task back to the checkpoint before a step, and run it again from there'),
  )
    .argument(...TASK_ARGUMENT)
    .argument('<step>', 'the step to run again')
    .addHelpText('after', examples('heddle rollback api code', 'heddle rollback api code --run checkout-flow-3'))
    .action(async (task, step, flags) => {
      const { run, wait: waitMs } = flags;
      const { rollback } = await import('../commands/resume.ts');
      say(await rollback(terminal, { task, step, flags: { ...flags, run, waitMs } }));
    });
}

function addConflicts(program: Command, terminal: Terminal, say: Say): void {
  program
    .command('conflicts')
    .description('forecast which tasks will conflict; running tasks by their last checkpoints')
    .argument(...RUN_ARGUMENT)
    .option('--json', 'print as JSON', false)
    .addHelpText('after', examples('heddle conflicts', 'heddle conflicts checkout-flow-3 --json'))
    .action(async (run, flags) =>
      say(await (await import('../commands/conflicts.ts')).conflicts(terminal, run, flags)),
    );
}

function addRecover(program: Command, terminal: Terminal, say: Say): void {
  program
    .command('recover')
    .description('list everything that runs ever produced, committed or not, and restore any of it')
    .argument('[name]', 'a run, or a name from the list; everything by default')
    .option('--to <branch>', 'restore it as a new branch; an existing branch is never overwritten')
    .option('--into <folder>', 'restore its files into an empty or new folder')
    .option('--json', 'print as JSON', false)
    .addHelpText(
      'after',
      examples(
        'heddle recover',
        'heddle recover checkout-flow-3',
        'heddle recover checkout-flow-3/checkpoints/api/code/1 --to api-first-try',
        'heddle recover checkout-flow-3/merged --into ../result',
      ),
    )
    .action(async (name, { to, into, json }) =>
      say(await (await import('../commands/recover.ts')).recover(terminal, name, { to, into, json })),
    );
}

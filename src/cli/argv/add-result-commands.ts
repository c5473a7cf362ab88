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
    .description('report what was done in a run: by whom, cost, time, failures, conflicts, checks, commits')
    .argument(...RUN_ARGUMENT)
    .addOption(
      new Option('--format <format>', 'what to write; as the ending of --out says, else text').choices([
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

function addLand(program: Command, terminal: Terminal, say: Say): void {
  program
    .command('land')
    .description('move the target branch to what a run has made, and your checkout with it when it is on that branch')
    .argument(
      '[run]',
      'the run, or one of its tasks, which lands with what it needs; the latest run when none is named',
    )
    .option(...RUN_OPTION)
    .option('--onto <branch>', 'land on this branch; the target of the plan, or the branch the run was started on')
    .addOption(
      new Option('--how <way>', 'auto: fast-forward where the target has not moved, else a merge commit')
        .choices(['auto', 'fast-forward', 'merge', 'squash'] as const)
        .default('auto' as const),
    )
    .option('--completed', 'land what is done, though the run has not ended well', false)
    .option('--push', 'push the target to its remote afterwards', false)
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
    .description('a plain checkout of the work of a task, to read it or to resolve its conflict')
    .argument(...TASK_ARGUMENT)
    .option(...RUN_OPTION)
    .option('-c, --command <command>', 'run this there instead of a shell')
    .option('--print', 'only print the folder, as is done without a terminal', false)
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
    program
      .command('merge')
      .description('merge your resolution of a conflict from heddle open, and go on with the run'),
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
    program.command('rollback').description('roll a task back to before one of its steps, and run it again from there'),
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
    .description('list everything that runs ever produced, committed or not, and give any of it back')
    .argument('[name]', 'a run, or what is listed; everything when nothing is named')
    .option('--to <branch>', 'make it a branch; one that is there is never overwritten')
    .option('--into <folder>', 'write its files to a folder that is empty or not there')
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

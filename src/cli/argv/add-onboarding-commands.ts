// The onboarding commands: the demo, and the commands that make a plan from a repository or a task list. Their code is
// loaded only when they are called.
import { Argument, Option, type Command } from '@commander-js/extra-typings';
import { IMPORT_FORMATS } from '../../core/import/formats.ts';
import { BOUNDS_DEFAULT } from '../../core/split/source-file.ts';
import { CommandFailure, type ExitCode } from '../terminal/exit-code.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { atLeastOne, examples } from './options.ts';

type Say = (code: ExitCode) => void;

export function addOnboardingCommands(program: Command, terminal: Terminal, say: Say): void {
  addDemo(program, terminal, say);
  addInit(program, terminal, say);
  addImport(program, terminal, say);
  addSplit(program, terminal, say);
}

function addDemo(program: Command, terminal: Terminal, say: Say): void {
  program
    .command('demo')
    .description('show a real run on a small sample project, without key or network; needs only git')
    .option('--in <folder>', 'where to put the project: an empty or new folder')
    .option('--remove', 'remove the project at the end', false)
    .option('--web', 'serve the dashboard beside the run', false)
    .option('--json', 'print the figures as JSON', false)
    .addHelpText(
      'after',
      examples('heddle demo', 'heddle demo --web', 'heddle demo --in ~/heddle-demo', 'heddle demo --remove'),
    )
    .action(async ({ in: folder, remove: isRemoved, json, web }) =>
      say(await (await import('../commands/demo.ts')).demo(terminal, { folder, isRemoved, json, web })),
    );
}

function addInit(program: Command, terminal: Terminal, say: Say): void {
  program
    .command('init')
    .description('find the agents, the tests and the packages of a repository, and propose settings and a first plan')
    .argument('[folder]', 'the repository; by default that of the current folder')
    .option('-y, --yes', 'write the files without asking', false)
    .option('--json', 'print the findings and proposals as JSON; writes only with --yes', false)
    .addHelpText(
      'after',
      `${examples('heddle init', 'heddle init --yes', 'heddle init ../shop --json')}\n\nExisting files are never overwritten.`,
    )
    .action(async (folder, flags) => say(await (await import('../commands/init.ts')).init(terminal, folder, flags)));
}

/** Adapters that a plan can name without saying more. */
const AGENTS = ['claude', 'codex', 'opencode', 'gemini', 'pi', 'scripted'] as const;

function addImport(program: Command, terminal: Terminal, say: Say): void {
  program
    .command('import')
    .description('make a plan from the task list of another tool, or mark finished items in that list')
    .addArgument(new Argument('<format>', 'the format of the file').choices(IMPORT_FORMATS))
    .argument('<path>', 'the file, or the folder that contains it; - for standard input')
    .option('-o, --out <file>', 'write the plan to a file')
    .option('--force', 'replace an existing file', false)
    .option('--comments', 'put the notes at the top of the plan too', false)
    .addOption(new Option('--agent <agent>', 'the agent of the plan').choices(AGENTS).default('claude' as const))
    .option('--check <command>', 'the check of merged work, such as npm test')
    .option('--only <items...>', 'only these items, by id, heading or line, with everything below them')
    .option('--open', 'leave out items that a person has started', false)
    .option('--tag <tag>', 'the tag of Task Master to import; master by default')
    .option('--write-back', 'mark the finished items of a run in the file, instead of making a plan', false)
    .option('--run <run>', 'with --write-back: the run; the latest when none is named')
    .option('--json', 'print plan and notes as JSON', false)
    .addHelpText(
      'after',
      examples(
        'heddle import spec-kit specs/001-albums/tasks.md --out plan.yaml',
        "heddle import task-master .taskmaster/tasks/tasks.json --tag feature-x --check 'npm test'",
        'heddle import spec-kit specs/001-albums/tasks.md --write-back',
        'heddle import --write-back --run albums-2 spec-kit specs/001-albums/tasks.md',
        'heddle import beads .beads/issues.jsonl --open > plan.yaml',
        'heddle import spec-kit specs/001-albums/tasks.md --only phase-3 T042',
        'gh issue list --json number,title,body,state,labels | heddle import github - | heddle check -',
      ),
    )
    .action(async (format, path, flags) => {
      const { out, check, tag, run, writeBack, only } = flags;
      const given = { ...flags, out, check, tag, only };
      if (writeBack) {
        const { writeBack } = await import('../commands/import.ts');
        return say(writeBack(terminal, { format, path, flags: { ...given, run } }));
      }
      if (run !== undefined) throw new CommandFailure('--run says which run --write-back is about; a plan needs none.');
      const { importFile } = await import('../commands/import.ts');
      say(importFile(terminal, { format, path, flags: given }));
    });
}

function addSplit(program: Command, terminal: Terminal, say: Say): void {
  program
    .command('split')
    .description('split a large job on a code base into a plan of tasks that can run in parallel')
    .argument('[place...]', 'folders or files to split', ['.'])
    .option('-g, --goal <text>', 'the job, for every part')
    .option('--only <endings...>', 'only files with these extensions, as ts tsx')
    .option('--min-files <count>', 'fewest files of a task', atLeastOne, BOUNDS_DEFAULT.filesMin)
    .option('--max-files <count>', 'most files of a task', atLeastOne, BOUNDS_DEFAULT.filesMax)
    .option('--max-tokens <count>', 'most tokens in the files of a task', atLeastOne, BOUNDS_DEFAULT.tokensMax)
    .option('--cut-cycles', 'divide cycles of imports that are too large for a task', false)
    .option('--template <file>', 'a Liquid template for the prompts, instead of the built-in one')
    .option('--print-template', 'print the built-in template, as a starting point', false)
    .option('--agent <agent>', 'the agent of the plan; claude unless a settings file names one')
    .option('--check <command>', 'the check of merged work')
    .option('--describe-with <agent>', 'let an agent name and describe the parts, which costs its turns')
    .option('-o, --out <file>', 'write the plan to a file')
    .option('--json', 'print the parts, their needs and the plan as JSON', false)
    .addHelpText(
      'after',
      examples(
        'heddle split --goal "Port the services to strict mode" src/',
        'heddle split --goal "Add types" --check "npm test" --out plan.yaml lib test',
        'heddle split --goal "Translate the comments" --max-files 10 --max-tokens 20000 --only py pyi',
        'heddle split --print-template > prompt.liquid',
        'heddle split --goal "Port it" --template prompt.liquid --json src/',
      ),
    )
    .action(async (places, flags) => {
      const { goal, only, template, agent, check, describeWith, out } = flags;
      const { split } = await import('../commands/split.ts');
      say(await split(terminal, places, { ...flags, goal, only, template, agent, check, describeWith, out }));
    });
}

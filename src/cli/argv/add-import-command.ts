// The command that makes plans of other tools' files. Its work is loaded only when it is called.
import { Argument, Option, type Command } from '@commander-js/extra-typings';
import { IMPORT_FORMATS } from '../../core/import/formats.ts';
import type { ExitCode } from '../exit-code.ts';
import { Failure } from '../failure.ts';
import { examples } from './options.ts';
import type { Terminal } from '../terminal.ts';

/** Adapters that a plan can name without saying more. */
const AGENTS = ['claude', 'codex', 'opencode', 'gemini', 'pi', 'scripted'] as const;

export function addImportCommand(program: Command, terminal: Terminal, say: (code: ExitCode) => void): void {
  program
    .command('import')
    .description('make a plan of a task list of another tool, or write back into it how far a run has come')
    .addArgument(new Argument('<format>', 'what the file is').choices(IMPORT_FORMATS))
    .argument('<path>', 'the file, or a folder that has it; - for standard input')
    .option('-o, --out <file>', 'write the plan to a file')
    .option('--force', 'replace that file if it is there', false)
    .option('--comments', 'put the notes at the top of the plan too', false)
    .addOption(new Option('--agent <agent>', 'who does the tasks').choices(AGENTS).default('claude' as const))
    .option('--check <command>', 'the check of what is merged, such as npm test')
    .option('--tag <tag>', 'the tag of Task Master to import; master by default')
    .option('--write-back', 'mark in the file what a run has done, instead of making a plan', false)
    .option('--run <run>', 'with --write-back: the run; the latest when none is named')
    .option('--json', 'print plan and notes as JSON', false)
    .addHelpText(
      'after',
      examples(
        'heddle import spec-kit specs/001-albums/tasks.md --out plan.yaml',
        "heddle import task-master .taskmaster/tasks/tasks.json --tag feature-x --check 'npm test'",
        'heddle import spec-kit specs/001-albums/tasks.md --write-back',
        'heddle import --write-back --run albums-2 spec-kit specs/001-albums/tasks.md',
        'heddle import beads .beads/issues.jsonl > plan.yaml',
        'gh issue list --json number,title,body,state,labels | heddle import github - | heddle check -',
      ),
    )
    .action(async (format, path, flags) => {
      const { out, check, tag, run, writeBack } = flags;
      const given = { ...flags, out, check, tag };
      if (writeBack) {
        const { writeBack } = await import('../commands/import.ts');
        return say(writeBack(terminal, { format, path, flags: { ...given, run } }));
      }
      if (run !== undefined) throw new Failure('--run says which run --write-back is about; a plan needs none.');
      const { importFile } = await import('../commands/import.ts');
      say(importFile(terminal, { format, path, flags: given }));
    });
}

// The command that splits a code base. Its work is loaded only when it is called.
import { InvalidArgumentError, type Command } from '@commander-js/extra-typings';
import { BOUNDS_DEFAULT } from '../../core/split/source-file.ts';
import type { ExitCode } from '../exit-code.ts';
import { examples, wholeNumber } from './options.ts';
import type { Terminal } from '../terminal.ts';

export function addSplitCommand(program: Command, terminal: Terminal, say: (code: ExitCode) => void): void {
  program
    .command('split')
    .description('split a large job on a code base into a plan of tasks that can run side by side')
    .argument('[place...]', 'folders or files to split', ['.'])
    .option('-g, --goal <text>', 'what is to be done, for every part')
    .option('--only <endings...>', 'only files with these endings, as ts tsx')
    .option('--min-files <count>', 'fewest files of a task', atLeastOne, BOUNDS_DEFAULT.filesMin)
    .option('--max-files <count>', 'most files of a task', atLeastOne, BOUNDS_DEFAULT.filesMax)
    .option('--max-tokens <count>', 'most tokens in the files of a task', atLeastOne, BOUNDS_DEFAULT.tokensMax)
    .option('--cut-cycles', 'divide cycles of imports that are too large for a task', false)
    .option('--template <file>', 'a Liquid template for the prompts, instead of ours')
    .option('--print-template', 'print the template that prompts come from, to begin with', false)
    .option('--agent <agent>', 'who does the work; claude unless a settings file names one')
    .option('--check <command>', 'the check of what is merged')
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
      const { splitTree } = await import('../commands/split.ts');
      say(await splitTree(terminal, places, { ...flags, goal, only, template, agent, check, describeWith, out }));
    });
}

function atLeastOne(word: string): number {
  const value = wholeNumber(word);
  if (value === 0) throw new InvalidArgumentError('Give a whole number from 1 up.');
  return value;
}

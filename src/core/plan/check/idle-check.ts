// What makes a check worthless: a command that can never fail, or that loses the exit code of its tests in a pipe.
//
// idle-check/I1. Never-fails only where the text shows that no work could make it fail. What may leave a script early makes
//   it uncertain.
import { commandLists, type AndOrList, type Pipeline, type SimpleCommand } from '../expressions/shell-list.ts';

export type IdleCheck = 'never-fails' | 'lost-in-a-pipe';

/** After the text of the command. */
export const IDLE_CHECK_TEXT: Readonly<Record<IdleCheck, string>> = {
  'never-fails': 'can never fail',
  'lost-in-a-pipe': 'loses the exit code of its test in a pipe',
};
export const IDLE_CHECK_HINT =
  'Write a command that fails when the work is wrong: || true hides a failure, and a pipe has the exit code of its last command.';

export function idleCheckOf(command: string): IdleCheck | undefined {
  const lists = commandLists(command);
  const all = lists?.flatMap(({ pipelines }) => pipelines.flatMap(({ commands }) => commands)) ?? [];
  const last = lists?.at(-1);
  if (last === undefined || all.some(mayLeave)) return undefined;
  if (neverFails(last)) return 'never-fails';
  return last.pipelines.some(({ commands }) => losesExitCode(commands)) ? 'lost-in-a-pipe' : undefined;
}

/** The exit code of a script is that of its last list; nobody waits for one in the background. */
function neverFails({ pipelines, isInBackground }: AndOrList): boolean {
  let passes = false;
  for (const { joined, commands } of pipelines) {
    const own = pipelinePasses(commands);
    passes = joined === '||' ? passes || own : joined === '&&' ? passes && own : own;
  }
  return passes || isInBackground;
}

function losesExitCode(pipeline: Pipeline): boolean {
  const [first = ''] = pipeline[0]?.words ?? [];
  return pipeline.length > 1 && pipelinePasses(pipeline) && !SHOWS.has(first);
}

/** A pipeline has the exit code of its last command. */
function pipelinePasses(pipeline: Pipeline): boolean {
  const { words: [program = '', ...args] = [], hasFile = true } = pipeline.at(-1) ?? {};
  if (hasFile) return false;
  const name = program.replace(/^(?:\/usr)?\/bin\//u, '');
  if (name === 'true' || name === ':' || name === 'echo') return true;
  if (name === 'exit') return args[0] === '0';
  return pipeline.length > 1 && (name === 'tee' || (FILTERS.has(name) && args.every((arg) => /^[-+\d]/u.test(arg))));
}

const listed = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Programs whose output is shown, and whose exit code nobody wants. */
const SHOWS = listed('cat echo find git head ls printf tail');

/** Programs that pass on what they read, whatever it is. */
const FILTERS = listed('cat column cut fold head less more nl sort tac tail ts uniq wc');

/** What may end the script, or changes when it ends, or begins something that is more than one command. */
const LEAVES = listed(
  '! { } [[ . builtin case command coproc do done elif else esac eval exec exit fi for function if kill return select ' +
    'set shopt source then time trap until while',
);

const mayLeave = ({ words: [program = '', code] }: SimpleCommand): boolean =>
  program.includes('$') || (LEAVES.has(program) && !(program === 'exit' && code === '0'));

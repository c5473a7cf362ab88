// The words of a shell command, as far as they determine whether the next word is code.
//
// shell-words/W1. A program that is not listed is taken to use its arguments as data. One that is listed is refused also
//   where the word is only an argument of another program (`sudo`, `docker exec box`, `poetry run`), because any program
//   may start another; only names that are common words count as programs in their own place alone.

import { ASSIGNED_CODE, BUILTINS, PLAIN_WORDS, PROGRAMS, STARTERS } from './code-programs.ts';
import type { CodeOperands } from './code-programs.ts';

/** The words of the simple command that is being read; `current` grows until a blank ends it. */
export interface Words {
  done: string[];
  current: string;
}

/** Words after which a command begins. */
export const BEFORE_COMMAND: ReadonlySet<string> = new Set([
  'then',
  'do',
  'else',
  'elif',
  'if',
  'while',
  'until',
  '{',
  '!',
  'time',
]);
export const ASSIGNMENT = /^([A-Za-z_]\w*)\+?=/;
const SUBSCRIPT = /^[A-Za-z_]\w*\[[^\]]*$/;
/** Options of interpreters with an operand that is no script. */
const TAKES_WORD = /^(?:[-+][oO]|-[XWIM])$/;

/** Why a value after these words would be read as code; undefined when it would not. */
export function readAsCode(words: Words): string | undefined {
  const { done, current } = words;
  if (done.includes('[[')) return 'inside `[[ … ]]`; write `[ … ]` instead';
  if (SUBSCRIPT.test(current)) return 'inside a subscript, where the shell would evaluate it';
  const assigned = ASSIGNMENT.exec(current)?.[1];
  if (assigned !== undefined && ASSIGNED_CODE.has(assigned)) return `in \`${assigned}\`, which programs run as code`;
  return codeOfBuiltin(done.slice(commandStartOf(done)), current) ?? codeOfPrograms(words);
}

/** The place of the program in these words, after keywords and assignments. */
export function commandStartOf(words: readonly string[]): number {
  const place = words.findIndex((word) => !BEFORE_COMMAND.has(word) && !ASSIGNMENT.test(word));
  return place < 0 ? words.length : place;
}

/** Builtins of the shell that evaluate their operands, or names among them. */
function codeOfBuiltin(words: readonly string[], current: string): string | undefined {
  const [first = '', ...args] = words[0] === 'builtin' || words[0] === 'command' ? words.slice(1) : words;
  const reads = BUILTINS.get(first);
  if (reads === undefined || !reads(args, current)) return undefined;
  return `after \`${first}\`, which reads it as code`;
}

interface ProgramWord {
  readonly program: CodeOperands;
  readonly word: string;
  /** The words after it. */
  readonly args: readonly string[];
}

/** The listed programs among these words, in their order. */
export function programsIn(words: readonly string[]): readonly ProgramWord[] {
  const start = commandStartOf(words);
  const mayStartOthers = STARTERS.has(programNameOf(words[start] ?? ''));
  return words.flatMap((word, place) => {
    const name = programNameOf(word);
    const program = PROGRAMS.get(name);
    if (program === undefined || place < start) return [];
    if (PLAIN_WORDS.has(name) && place > start && !mayStartOthers) return [];
    return [{ program, word, args: words.slice(place + 1) }];
  });
}

function codeOfPrograms({ done, current }: Words): string | undefined {
  for (const { program, word, args } of programsIn(done).toReversed()) {
    const why = codeIn(program, args, current);
    if (why !== undefined) return why === '' ? `after \`${word}\`, which reads it as code` : codeOfOption(word, why);
  }
  return undefined;
}

const codeOfOption = (program: string, option: string): string =>
  `in the code that \`${program}${option === '<<<' ? '' : ` ${option}`}\` ${option === '<<<' ? 'reads' : 'runs'}`;

/** The option whose operand the value is, an empty text for an operand of the program, undefined when it is data. */
function codeIn(program: CodeOperands, args: readonly string[], current: string): string | undefined {
  const { option, operand, instead, isAnywhere } = program;
  const last = args.at(-1);
  if (last === '<<<' && program.readsInput) return '<<<';
  // A script or another operand ends the options; later words are arguments of the script.
  if (option !== undefined && (isAnywhere === true || operandsIn(program, args.slice(0, -1)).length === 0)) {
    if (last !== undefined && isWhole(option, last)) return last;
    const attached = new RegExp(`^(?:${option.source})=?`).exec(current)?.[0];
    if (attached !== undefined && (isAnywhere === true || operandsIn(program, args).length === 0)) return attached;
  }
  if (operand === undefined || /^-./.test(current) || isWordOfOption(program, args, args.length)) return undefined;
  if (instead !== undefined && args.some((word) => instead.test(word))) return undefined;
  return operand(operandsIn(program, args), { current, last: last ?? '' }) ? '' : undefined;
}

const isWhole = (option: RegExp, word: string): boolean => new RegExp(`^(?:${option.source})$`).test(word);

export function operandsIn(program: CodeOperands, args: readonly string[]): readonly string[] {
  return args.filter((word, nth) => !/^[-+]./.test(word) && word !== '-' && !isWordOfOption(program, args, nth));
}

/** Whether the word at this place belongs to the option before it. */
function isWordOfOption(
  { valued = TAKES_WORD, paired }: CodeOperands,
  args: readonly string[],
  place: number,
): boolean {
  const before = args[place - 1] ?? '';
  if (valued.test(before)) return true;
  return paired !== undefined && (paired.test(before) || paired.test(args[place - 2] ?? ''));
}

/** The name of a program without its folder and its version: `python` for `/usr/bin/python3.12`. */
export function programNameOf(word: string): string {
  const base = word.slice(word.lastIndexOf('/') + 1).replace(/\.exe$/, '');
  return PROGRAMS.has(base) ? base : base.replace(/[-\d.]+$/, '');
}

/** The place of the program among these words that reads code from its standard input; -1 when there is none. */
function readerIn(words: readonly string[]): number {
  const start = commandStartOf(words);
  return words.findIndex((word, place) => {
    const name = programNameOf(word);
    if (place < start || (PLAIN_WORDS.has(name) && place > start)) return false;
    return PROGRAMS.get(name)?.readsInput === true;
  });
}

/** The program that reads code from its standard input or from a file that is written here; undefined for none. */
export function codeReader(words: readonly string[]): string | undefined {
  const [first] = words.slice(commandStartOf(words));
  return first === 'source' || first === '.' ? first : words[readerIn(words)];
}

/** The program that would run what is piped into it: one without code of its own, or one that `xargs` puts it into. */
export function pipedCodeReader(words: readonly string[]): string | undefined {
  const place = readerIn(words);
  const reader = words[place];
  const program = PROGRAMS.get(programNameOf(reader ?? ''));
  if (reader === undefined || program === undefined) return undefined;
  const args = words.slice(place + 1);
  const { option, operandsBeforeInput = 0 } = program;
  const hasCode = option !== undefined && args.some((word) => isWhole(option, word));
  const before = words.slice(0, place);
  if (before.includes('xargs'))
    return hasCode && before.some((word) => /^(?:-[A-Za-z]*[Ii]|--replace)/.test(word)) ? reader : undefined;
  if (hasCode) return undefined;
  const operands = operandsIn(program, args).filter((word) => word !== '/dev/stdin');
  const isTold = args.some((word) => /^-[A-Za-z]*s$/.test(word));
  return operands.length > operandsBeforeInput && !isTold ? undefined : reader;
}

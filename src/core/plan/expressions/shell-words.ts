// The words of a shell command, as far as they determine whether the next word is code.
//
// shell-words/W1. A program that is not listed is taken to use its arguments as data. One that is listed is refused also
//   where the word is only an argument of another program (`sudo`, `docker exec box`, `poetry run`), because any program
//   may start another; only names that are common words count as programs in their own place alone.

import { BUILTINS, isAssignedCode } from './code-builtins.ts';
import { PLAIN_WORDS, STARTERS } from './code-options.ts';
import { codeOperandsOf, programNameOf } from './code-programs.ts';
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
/** Programs that start the program behind their options and assignments. */
const BEFORE_PROGRAM: ReadonlySet<string> = new Set(
  'sudo doas exec command builtin nohup nice ionice timeout stdbuf setsid env time xargs'.split(' '),
);
export const ASSIGNMENT = /^([A-Za-z_]\w*)\+?=/;
export const SUBSCRIPT = /^[A-Za-z_]\w*\[[^\]]*$/;
/** Options of interpreters with an operand that is no script. */
const TAKES_WORD = /^(?:[-+][oO]|-[XWIM])$/;

/** Why a value after these words would be read as code; undefined when it would not. */
export function readAsCode(words: Words, numbers: ReadonlySet<string>): string | undefined {
  const { done, current } = words;
  if (done.includes('[[')) return 'inside `[[ … ]]`; write `[ … ]` instead';
  if (SUBSCRIPT.test(current)) return 'inside a subscript, where the shell would evaluate it';
  const assigned = ASSIGNMENT.exec(current)?.[1];
  if (assigned !== undefined && isAssignedCode(assigned)) return `in \`${assigned}\`, which programs run as code`;
  const why = codeOfBuiltin(done.slice(commandStartOf(done)), current) ?? codeOfPrograms(words);
  if (why !== undefined || assigned === undefined || !numbers.has(assigned)) return why;
  return `in \`${assigned}\`, which the shell evaluates as a number`;
}

/** The place of the program in these words, after keywords and assignments. */
export function commandStartOf(words: readonly string[]): number {
  const place = words.findIndex((word) => !BEFORE_COMMAND.has(word) && !ASSIGNMENT.test(word));
  return place < 0 ? words.length : place;
}

/** Whether the next word is a program that the shell starts. */
export function startsProgram({ done, current }: Words): boolean {
  const [first, ...rest] = done.slice(commandStartOf(done));
  if (current !== '' || first === undefined) return current === '';
  return BEFORE_PROGRAM.has(programNameOf(first)) && rest.every((word) => /^[-+\d]|=/.test(word));
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
  let codeAt = words.length;
  return words.flatMap((word, place) => {
    const program = codeOperandsOf(word, place === start);
    // What follows the code of a shell are its parameters.
    if (program === undefined || place < start || place > codeAt) return [];
    if (program.isShell === true) codeAt = Math.min(codeAt, place + 1 + placeOfCode(program, words.slice(place + 1)));
    if (PLAIN_WORDS.has(programNameOf(word)) && place > start && !mayStartOthers) return [];
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
  const last = program.isShell === true && args.at(-1) === '--' ? args.at(-2) : args.at(-1);
  if (last === '<<<') return isInputCode({ program, word: '', args: args.slice(0, -1) }) ? '<<<' : undefined;
  // A script or another operand ends the options; later words are arguments of the script.
  if (option !== undefined && (isAnywhere === true || operandsIn(program, args.slice(0, -1)).length === 0)) {
    if (last !== undefined && isWhole(option, last)) return last;
    const attached = new RegExp(`^(?:${option.source})=?`).exec(current)?.[0];
    if (attached !== undefined && (isAnywhere === true || operandsIn(program, args).length === 0)) return attached;
  }
  if (operand === undefined || /^-./.test(current) || isWordOfOption(program, args, args.length)) return undefined;
  if (instead !== undefined && args.some((word) => instead.test(word))) return undefined;
  return operand(operandsIn(program, args), { current, last: last ?? '', words: args }) ? '' : undefined;
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

/** The code that a shell among these words is given as one of them; undefined for none. */
export function shellCodeIn(words: readonly string[]): string | undefined {
  const shells = programsIn(words).filter(({ program }) => program.isShell === true);
  return shells.map(({ program, args }) => args[placeOfCode(program, args)]).find((code) => code !== undefined);
}

/** The place of its code among the words of a shell; infinite without. */
function placeOfCode({ option }: CodeOperands, args: readonly string[]): number {
  const at = option === undefined ? -1 : args.findIndex((word) => isWhole(option, word));
  const place = at < 0 ? -1 : args.findIndex((word, nth) => nth > at && !/^[-+]./.test(word));
  return place < 0 ? Infinity : place;
}

/** Whether the option for a file of code has the standard input, or `<( … )` as the next word. */
function readsFile({ file }: CodeOperands, args: readonly string[]): boolean {
  if (file === undefined) return false;
  const attached = new RegExp(`^(?:${file.source})=?(?:-|/dev/stdin)$`);
  return args.some(
    (word, nth) =>
      attached.test(word) || (isWhole(file, word) && /^(?:-|\/dev\/stdin|<<<)$/.test(args[nth + 1] ?? '-')),
  );
}

/** The program that would run the input of this command, or a file that is written here; undefined for none. */
export function inputReader(words: readonly string[]): string | undefined {
  const [first] = words.slice(commandStartOf(words));
  if (first === 'source' || first === '.') return first;
  const programs = programsIn(words);
  const isCode = words.includes('xargs') ? isCodeOfXargs : isInputCode;
  return programs.find((each) => isCode(each, words))?.word;
}

/** Whether a program runs what it reads: one without code of its own. */
function isInputCode({ program, args }: ProgramWord): boolean {
  if (readsFile(program, args)) return true;
  const { option, operandsBeforeInput = 0 } = program;
  if (!program.readsInput || (option !== undefined && args.some((each) => isWhole(option, each)))) return false;
  const operands = operandsIn(program, args).filter((each) => !/^\/dev\/(?:stdin|fd\/)/.test(each));
  const isTold = args.some((each) => /^-[A-Za-z]*s$/.test(each));
  return operands.length <= operandsBeforeInput || isTold;
}

/** Whether `xargs` puts what it reads into the code of a program. */
function isCodeOfXargs({ program: { option }, args }: ProgramWord, words: readonly string[]): boolean {
  const before = words.slice(0, words.length - args.length - 1);
  const place = before.findIndex((each) => /^(?:-[A-Za-z]*[Ii]|--replace)/.test(each));
  const attached = /^(?:-[A-Za-z]*[Ii]|--replace=?)(.+)/.exec(before[place] ?? '')?.[1];
  const put = attached ?? (/^-[A-Za-z]*I$/.test(before[place] ?? '') ? before[place + 1] : '{}') ?? '{}';
  return args.some((each, nth) => {
    const next = args[nth + 1];
    const takes = next === undefined || (place >= 0 && next.includes(put));
    return takes && option !== undefined && isWhole(option, each);
  });
}

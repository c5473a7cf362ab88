// Values that become code by their form, or later: as an option, or through a variable.

import { STARTERS } from './code-options.ts';
import { programNameOf } from './code-programs.ts';
import { ASSIGNMENT, commandStartOf, operandsIn, programsIn, shellCodeIn } from './shell-words.ts';
import type { Words } from './shell-words.ts';

/** Builtins whose operands are assignments. */
const DECLARING: ReadonlySet<string> = new Set(['export', 'declare', 'typeset', 'local', 'readonly']);

/** Stands for all parameters: `$1`, `$@`, `$*`. */
export const PARAMETERS = '@';
/** The same in the code that a shell is given: `sh -c`. */
export const CODE_PARAMETERS = '@ of code';

/** Names that are known from the whole command. */
export interface ShellNames {
  /** Functions that it defines. */
  readonly functions: ReadonlySet<string>;
  /** Variables that it reads from its input. */
  readonly read: ReadonlySet<string>;
  /** Variables whose values the shell evaluates as numbers. */
  readonly numbers: ReadonlySet<string>;
}

const FUNCTION = /([\w-]+)[ \t]*\([ \t]*\)|\bfunction[ \t]+([\w-]+)/g;
const READ = /\b(?:read|mapfile|readarray)\b([^;|&\n<>]*)/g;
const NUMBERS = /\b(?:(?:declare|typeset|local|export|readonly)[ \t](?:-\w+[ \t]+)*-\w*i|integer[ \t])([^;|&\n<>]*)/g;

export function shellNamesIn(text: string): ShellNames {
  const namesAfter = (pattern: RegExp): ReadonlySet<string> =>
    new Set([...text.matchAll(pattern)].flatMap(([, words = '']) => words.match(/(?<![\w$-])[A-Za-z_]\w*/g) ?? []));
  return {
    functions: new Set([...text.matchAll(FUNCTION)].map(([, name, named]) => name ?? named ?? '')),
    read: namesAfter(READ),
    numbers: namesAfter(NUMBERS),
  };
}

/**
 * The variables, of the shell or of the program that the command starts, that get a value which stands here. The arguments
 * of `set` and of a function of the command are its parameters.
 */
export function assignedBy({ done, current }: Words, names: ShellNames): readonly string[] {
  const start = commandStartOf(done);
  const [first, name, word] = done.slice(start);
  if ((first === 'for' || first === 'select') && word === 'in' && name !== undefined) return [name];
  if (first === 'printf' && name === '-v' && word !== undefined) return [word];
  if (first === 'set' || names.functions.has(first ?? '')) return [PARAMETERS];
  if (done.at(-1) === '<<<') return namesFilled(done, names);
  if (shellCodeIn(done) !== undefined) return [CODE_PARAMETERS];
  const assigned = ASSIGNMENT.exec(current)?.[1];
  const isAssignment = first === undefined || DECLARING.has(first) || STARTERS.has(programNameOf(first));
  return isAssignment && assigned !== undefined ? [assigned] : [];
}

/** The variables that `read` fills from its input. */
export function namesRead(words: readonly string[]): readonly string[] {
  const [first = '', ...rest] = words.slice(commandStartOf(words));
  return /^(?:read|mapfile|readarray)$/.test(first) ? rest.filter((word) => /^[A-Za-z_]\w*$/.test(word)) : [];
}

/** Last words of compound commands. */
export const GROUP_ENDS: ReadonlySet<string> = new Set(['}', 'done', 'fi', 'esac']);

/** The variables that a redirected input of these words may fill: any `read` of a compound command has it. */
export function namesFilled(words: readonly string[], { read }: ShellNames): readonly string[] {
  const first = words.find((word) => word !== '<<<');
  return first === undefined || GROUP_ENDS.has(first) ? [...read] : namesRead(words);
}

/** The program among these words that evaluates the variables of its environment; undefined when there is none. */
export const variableReader = (words: readonly string[]): string | undefined =>
  programsIn(words).find(({ program }) => program.readsVariables === true)?.word;

/** A program to which a value that is a whole word may be code. */
export interface WordReader {
  readonly program: string;
  /** Matches the values that are. */
  readonly codeLike: RegExp;
}

/** A dash before a blank, as in a list, is an option of nothing. */
const OPTION = /^(?:-\S|\+.)/;
/** The same in a value that the shell, or `xargs`, splits into words. */
const OPTION_AMONG = /(?:^|\s)(?:-\S|\+.)/;

/** The program that would take a whole word here as code if it looked like an option of its own, or an assignment. */
export function wordReader({ done, current }: Words, isSplit = false): WordReader | undefined {
  if (current !== '' || done.at(-1) === '<<<') return undefined;
  for (const { program, word, args } of programsIn(done)) {
    const { option, taking = program.valued ?? /^-/, assigns, isAnywhere = false } = program;
    const isOperand = taking.test(args.at(-1) ?? '');
    const mayBeOption =
      option !== undefined && !args.includes('--') && (isAnywhere || operandsIn(program, args).length === 0);
    if (isOperand || (!mayBeOption && assigns === undefined)) continue;
    const options = mayBeOption ? [isSplit ? OPTION_AMONG : OPTION] : [];
    const codeLike = [...options, ...(assigns === undefined ? [] : [assigns])];
    return { program: word, codeLike: new RegExp(codeLike.map(({ source }) => source).join('|')) };
  }
  return undefined;
}

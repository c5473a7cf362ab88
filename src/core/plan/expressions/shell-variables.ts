// Values that become code by their form, or later: as an option, or through a variable.

import { STARTERS } from './code-options.ts';
import { programNameOf } from './code-programs.ts';
import { ASSIGNMENT, operandsIn, programsIn, commandStartOf } from './shell-words.ts';
import type { Words } from './shell-words.ts';

/** Builtins whose operands are assignments. */
const DECLARING: ReadonlySet<string> = new Set(['export', 'declare', 'typeset', 'local', 'readonly']);

/** Stands for all parameters: `$1`, `$@`, `$*`. */
export const PARAMETERS = '@';

/**
 * The variables, of the shell or of the program that the command starts, that get a value which stands here. The arguments
 * of `set` and of a function of the command are its parameters.
 */
export function assignedBy({ done, current }: Words, functions: ReadonlySet<string>): readonly string[] {
  const start = commandStartOf(done);
  const [first, name, word] = done.slice(start);
  if (first === 'for' && word === 'in' && name !== undefined) return [name];
  if (first === 'printf' && name === '-v' && word !== undefined) return [word];
  if (first === 'set' || functions.has(first ?? '')) return [PARAMETERS];
  if (done.at(-1) === '<<<') return namesRead(done);
  const assigned = ASSIGNMENT.exec(current)?.[1];
  const isAssignment = first === undefined || DECLARING.has(first) || STARTERS.has(programNameOf(first));
  return isAssignment && assigned !== undefined ? [assigned] : [];
}

/** The variables that `read` fills from its input. */
export function namesRead(words: readonly string[]): readonly string[] {
  const [first = '', ...rest] = words.slice(commandStartOf(words));
  return /^(?:read|mapfile|readarray)$/.test(first) ? rest.filter((word) => /^[A-Za-z_]\w*$/.test(word)) : [];
}

/** The names of the functions that the command defines. */
export const functionsIn = (text: string): ReadonlySet<string> =>
  new Set(
    [...text.matchAll(/([\w-]+)[ \t]*\([ \t]*\)|\bfunction[ \t]+([\w-]+)/g)].map(
      ([, name, named]) => name ?? named ?? '',
    ),
  );

/** The program among these words that evaluates the variables of its environment; undefined when there is none. */
export const variableReader = (words: readonly string[]): string | undefined =>
  programsIn(words).find(({ program }) => program.readsVariables === true)?.word;

/** A program to which a value that is a whole word may be code. */
export interface WordReader {
  readonly program: string;
  /** Matches the values that are. */
  readonly codeLike: RegExp;
}

const OPTION = /^[-+]./;

/** The program that would take a whole word here as code if it looked like an option of its own, or an assignment. */
export function wordReader({ done, current }: Words): WordReader | undefined {
  if (current !== '') return undefined;
  for (const { program, word, args } of programsIn(done)) {
    const { option, taking = program.valued ?? /^-/, assigns, isAnywhere = false } = program;
    const isOperand = taking.test(args.at(-1) ?? '');
    const mayBeOption =
      option !== undefined && !args.includes('--') && (isAnywhere || operandsIn(program, args).length === 0);
    if (isOperand || (!mayBeOption && assigns === undefined)) continue;
    const codeLike = [...(mayBeOption ? [OPTION] : []), ...(assigns === undefined ? [] : [assigns])];
    return { program: word, codeLike: new RegExp(codeLike.map(({ source }) => source).join('|')) };
  }
  return undefined;
}

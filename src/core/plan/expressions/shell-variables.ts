// Values that become code by their form, or later: as an option, or through a variable.

import { STARTERS } from './code-programs.ts';
import { ASSIGNMENT, programNameOf, operandsIn, programsIn, commandStartOf } from './shell-words.ts';
import type { Words } from './shell-words.ts';

/** Builtins whose operands are assignments. */
const DECLARING: ReadonlySet<string> = new Set(['export', 'declare', 'typeset', 'local', 'readonly']);

/** The variable, of the shell or of the program that the command starts, that gets a value which stands here. */
export function assignedBy({ done, current }: Words): string | undefined {
  const start = commandStartOf(done);
  const [first, name, word] = done.slice(start);
  if (first === 'for' && word === 'in') return name;
  const assigned = ASSIGNMENT.exec(current)?.[1];
  return first === undefined || DECLARING.has(first) || STARTERS.has(programNameOf(first)) ? assigned : undefined;
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

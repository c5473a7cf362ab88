// Parses an incomplete command line: the command so far, and the role of its last word.
import type { Option } from '@commander-js/extra-typings';
import type { AnyCommand } from '../help/command-tree.ts';

export interface ReadLine {
  readonly command: AnyCommand;
  /** The arguments so far, without options and without the incomplete word. */
  readonly given: readonly string[];
  /** The options so far by their long names, with their values. */
  readonly options: ReadonlyMap<string, string | undefined>;
  /** The option whose value is incomplete. */
  readonly valueOf: Option | undefined;
  /** Behind `--` nothing is an option. */
  readonly takesOptions: boolean;
}

/** `words` are the words before the incomplete one. */
export function readLine(program: AnyCommand, words: readonly string[]): ReadLine {
  const start: ReadLine = { command: program, given: [], options: new Map(), valueOf: undefined, takesOptions: true };
  return words.reduce(readWord, start);
}

function readWord(line: ReadLine, word: string): ReadLine {
  if (line.valueOf !== undefined && !(mayEnd(line.valueOf) && word.startsWith('-'))) return takeValue(line, word);
  if (!line.takesOptions) return { ...line, given: [...line.given, word] };
  if (word === '--') return { ...line, valueOf: undefined, takesOptions: false };
  if (word.startsWith('-') && word !== '-') return takeOption(line, word);
  const inner = line.given.length === 0 ? line.command.commands.find((command) => command.name() === word) : undefined;
  if (inner !== undefined) return { ...line, command: inner, options: new Map() };
  return { ...line, given: [...line.given, word], valueOf: undefined };
}

/** Whether it is complete without a further word: its value may be left out, or it has taken one of many. */
const mayEnd = (option: Option): boolean => option.optional || option.variadic;

function takeValue(line: ReadLine, word: string): ReadLine {
  const { valueOf: option } = line;
  if (option === undefined) return line;
  const options = new Map([...line.options, [nameOf(option), word]]);
  return { ...line, options, valueOf: option.variadic ? option : undefined };
}

function takeOption(line: ReadLine, word: string): ReadLine {
  const [name = '', ...value] = word.split('=');
  const option = findOption(line.command, name);
  if (option === undefined) return { ...line, valueOf: undefined };
  const isValued = option.required || option.optional;
  const options = new Map([...line.options, [nameOf(option), value.length === 0 ? undefined : value.join('=')]]);
  return { ...line, options, valueOf: isValued && value.length === 0 ? option : undefined };
}

export const findOption = (command: AnyCommand, name: string): Option | undefined =>
  command.options.find(({ short, long }) => name === short || name === long);

export const nameOf = ({ long, short }: Option): string => long ?? short ?? '';

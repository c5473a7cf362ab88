// The constructs of a shell command around the position that is being read: words, quotes, substitutions, here-documents.
import type { WordReader } from './shell-variables.ts';
import type { Words } from './shell-words.ts';

export type QuotePlace = 'bare' | 'double' | 'single' | 'dollar-single' | 'heredoc';

/** Where a value of the template stands, or a variable that holds one. */
export type ShellPlace = ShellContext & { readonly variable: string | undefined };

export type ShellContext =
  | {
      readonly type: 'quote';
      readonly place: QuotePlace;
      /** The variables that get the value, or a part of it. */
      readonly assigns: readonly string[];
      /** The programs that would run the value as code if it looked like code. */
      readonly readers: readonly WordReader[];
    }
  | { readonly type: 'unsafe'; readonly why: string };

/** Words of commands, at the top or inside `$( … )`. */
export interface BareFrame {
  readonly type: 'bare';
  readonly close: '' | ')';
  readonly words: Words;
  /** Parentheses opened here and not yet closed. */
  depth: number;
  /** Open `case` statements, whose patterns end in an unmatched closing parenthesis. */
  cases: number;
  /** Whether a file with the output is an argument of the command around: `<( … )`. */
  readonly isFile: boolean;
  /** The number of values and here-documents before this frame, this pipeline and this command. */
  readonly before: ValueCount;
  beforePipeline: ValueCount;
  beforeCommand: ValueCount;
}

interface ValueCount {
  readonly places: number;
  readonly heredocs: number;
}

export type ShellFrame =
  | BareFrame
  | { readonly type: 'double' }
  | { readonly type: 'single' }
  | { readonly type: 'dollar-single' }
  | { readonly type: 'heredoc' }
  | { readonly type: 'backtick' }
  | { readonly type: 'arithmetic'; depth: number }
  | { readonly type: 'parameter' };

export interface BegunHeredoc extends Heredoc {
  /** Why the text of the here-document would be read as code; undefined when it would not. */
  code: string | undefined;
}

export interface ShellReader {
  readonly text: string;
  at: number;
  readonly frames: ShellFrame[];
  /** Here-documents that begin on this line; their bodies follow it. */
  readonly heredocs: BegunHeredoc[];
  readonly places: ShellPlace[];
  /** Those that hold a value by now. */
  readonly variables: Set<string>;
  /** The names of functions that the command defines. */
  readonly functions: ReadonlySet<string>;
}

export function bareFrame(close: '' | ')', before: ValueCount, isFile = false): BareFrame {
  const words = { done: [], current: '' };
  return {
    type: 'bare',
    close,
    words,
    depth: 0,
    cases: 0,
    isFile,
    before,
    beforePipeline: before,
    beforeCommand: before,
  };
}

export const countOf = ({ places, heredocs }: ShellReader): ValueCount => ({
  places: places.length,
  heredocs: heredocs.length,
});

export const topOf = (reader: ShellReader): ShellFrame => reader.frames.at(-1) ?? bareFrame('', countOf(reader));

/** The words of the innermost command around this position. */
export function wordsOf(reader: ShellReader): Words {
  for (let index = reader.frames.length - 1; index >= 0; index -= 1) {
    const frame = reader.frames[index];
    if (frame?.type === 'bare') return frame.words;
  }
  return { done: [], current: '' };
}

export function skip(reader: ShellReader, count: number): void {
  wordsOf(reader).current += reader.text.slice(reader.at, reader.at + count);
  reader.at += count;
}

export function enter(reader: ShellReader, frame: ShellFrame, opening: number): void {
  reader.frames.push(frame);
  reader.at += opening;
}

export function readUntilClose(reader: ShellReader, close: string, character: string): void {
  if (character !== close) return skip(reader, 1);
  reader.frames.pop();
  reader.at += 1;
}

interface Heredoc {
  readonly delimiter: string;
  readonly quoted: boolean;
  readonly indented: boolean;
}

const HEREDOC_START = /<<(-?)[ \t]*(?:'([^'\n]*)'|"([^"\n]*)"|(\\?)([^\s;&|<>()'"\\]+))/y;

/** The here-document that begins here, and the length of its operator; undefined when none does. */
export function heredocAt(text: string, at: number): (Heredoc & { readonly length: number }) | undefined {
  HEREDOC_START.lastIndex = at;
  const match = HEREDOC_START.exec(text);
  if (match === null) return undefined;
  const [whole, dash, single, double, slash, plain] = match;
  const quoted = single !== undefined || double !== undefined || slash === '\\';
  return { delimiter: single ?? double ?? plain ?? '', quoted, indented: dash === '-', length: whole.length };
}

/** The offset of the line after the delimiter. */
export function endOfHeredoc(text: string, from: number, heredoc: Heredoc): number {
  for (let start = from; start < text.length;) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    const line = text.slice(start, end);
    start = newline === -1 ? text.length : newline + 1;
    if ((heredoc.indented ? line.replace(/^\t+/, '') : line) === heredoc.delimiter) return start;
  }
  return text.length;
}

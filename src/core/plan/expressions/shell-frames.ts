// The constructs of a shell command around the position that is being read: words, quotes, substitutions, here-documents.
import type { ShellNames, WordReader } from './shell-variables.ts';
import type { Heredoc } from './shell-redirections.ts';
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

/** Words of commands, at the top or inside `$( … )` or backticks. */
export interface BareFrame {
  readonly type: 'bare';
  readonly close: '' | ')' | '`';
  words: Words;
  /** The words of the command, while the target of a redirection is read. */
  redirected: Words | undefined;
  /** Parentheses opened here and not yet closed. */
  depth: number;
  /** Open `case` statements, whose patterns end in an unmatched closing parenthesis. */
  cases: number;
  /**
   * `file`: a file with the output is an argument of the command around, `<( … )`; `sink`: a file that it writes to is the
   * input, `>( … )`; `list`: the words of an array.
   */
  readonly role: 'commands' | 'file' | 'sink' | 'list';
  /** The words of each command in the sinks of the present one. */
  sinks: (readonly string[])[];
  /** The number of values and here-documents before this frame, this pipeline and this command. */
  readonly before: ValueCount;
  beforePipeline: ValueCount;
  beforeCommand: ValueCount;
}

export interface ValueCount {
  readonly places: number;
  readonly heredocs: number;
}

export type ShellFrame =
  | BareFrame
  | { readonly type: 'double' }
  | { readonly type: 'single' }
  | { readonly type: 'dollar-single' }
  | { readonly type: 'heredoc' }
  | { readonly type: 'arithmetic'; depth: number; readonly brackets: '()' | '[]' }
  | { readonly type: 'parameter' };

export interface BegunHeredoc extends Heredoc {
  /** Why the text of the here-document would be read as code; undefined when it would not. */
  code: string | undefined;
  /** The variables that get the text. */
  assigns: readonly string[];
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
  /** Of the whole command. */
  readonly names: ShellNames;
}

export function bareFrame(
  close: BareFrame['close'],
  before: ValueCount,
  role: BareFrame['role'] = 'commands',
): BareFrame {
  const words = { done: [], current: '' };
  return {
    type: 'bare',
    close,
    words,
    redirected: undefined,
    depth: 0,
    cases: 0,
    role,
    sinks: [],
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

/** The commands that this frame is a part of. */
export const frameAround = ({ frames }: ShellReader, frame: BareFrame): BareFrame | undefined =>
  frames.slice(0, frames.indexOf(frame)).findLast((each) => each.type === 'bare');

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

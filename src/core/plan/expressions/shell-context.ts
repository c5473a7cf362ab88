// The quoting context of a value in a shell command.
//
// shell-context/Q1. The command is read once, left to right, by the quoting rules of sh and bash; nothing is executed.
// shell-context/Q2. Positions where a value would be read as code, whatever its quoting, are marked as such.

import { endOfHeredoc, heredocAt } from './shell-heredoc.ts';
import { isInterpreter, readAsCode } from './shell-words.ts';
import type { Heredoc } from './shell-heredoc.ts';
import type { Words } from './shell-words.ts';

export type QuotePlace = 'bare' | 'double' | 'single' | 'dollar-single' | 'heredoc';

export type ShellPlace =
  | { readonly type: 'quote'; readonly place: QuotePlace }
  | { readonly type: 'unsafe'; readonly why: string };

/** Words of commands, at the top or inside `$( … )`. */
interface BareFrame {
  readonly type: 'bare';
  readonly close: '' | ')';
  readonly words: Words;
  /** Parentheses opened here and not yet closed. */
  depth: number;
  /** Open `case` statements, whose patterns end in an unmatched closing parenthesis. */
  cases: number;
}

type ShellFrame =
  | BareFrame
  | { readonly type: 'double' }
  | { readonly type: 'single' }
  | { readonly type: 'dollar-single' }
  | { readonly type: 'heredoc' }
  | { readonly type: 'backtick' }
  | { readonly type: 'arithmetic'; depth: number }
  | { readonly type: 'parameter' };

interface BegunHeredoc extends Heredoc {
  /** Why the text of the here-document would be read as code; undefined when it would not. */
  readonly code: string | undefined;
}

interface ShellReader {
  readonly text: string;
  at: number;
  readonly frames: ShellFrame[];
  /** Here-documents that begin on this line; their bodies follow it. */
  readonly heredocs: BegunHeredoc[];
  readonly places: ShellPlace[];
}

/** Marks the nth value in a command; a command that contains NUL characters of its own is invalid. */
export const VALUE_MARK = new RegExp('\\0(\\d+)\\0', 'g');
const MARK_HERE = new RegExp(VALUE_MARK.source, 'y');

/** The quoting context of each `VALUE_MARK` in the text, in order. */
export function shellPlacesOf(text: string): readonly ShellPlace[] {
  return placesFrom(text, bareFrame(''));
}

function placesFrom(text: string, first: ShellFrame): readonly ShellPlace[] {
  const reader: ShellReader = { text, at: 0, frames: [first], heredocs: [], places: [] };
  while (reader.at < text.length) {
    MARK_HERE.lastIndex = reader.at;
    const found = text[reader.at] === '\0' ? MARK_HERE.exec(text)?.[0] : undefined;
    if (found === undefined) {
      readOne(reader);
      continue;
    }
    reader.places.push(placeHere(reader));
    wordsOf(reader).current += 'v';
    reader.at += found.length;
  }
  return reader.places;
}

function bareFrame(close: '' | ')'): ShellFrame {
  return { type: 'bare', close, words: { done: [], current: '' }, depth: 0, cases: 0 };
}

const topOf = (reader: ShellReader): ShellFrame => reader.frames.at(-1) ?? bareFrame('');

/** The words of the innermost command around this position. */
function wordsOf(reader: ShellReader): Words {
  for (let index = reader.frames.length - 1; index >= 0; index -= 1) {
    const frame = reader.frames[index];
    if (frame?.type === 'bare') return frame.words;
  }
  return { done: [], current: '' };
}

function placeHere(reader: ShellReader): ShellPlace {
  const before = reader.text[reader.at - 1];
  const frame = topOf(reader);
  if (frame.type !== 'single' && (before === '$' || before === '\\') && !isEscaped(reader.text, reader.at - 1)) {
    return { type: 'unsafe', why: `directly after \`${before}\`` };
  }
  switch (frame.type) {
    case 'backtick':
      return { type: 'unsafe', why: 'inside backticks; write `$( … )` instead' };
    case 'arithmetic':
      return { type: 'unsafe', why: 'inside arithmetic, where the shell would evaluate it' };
    case 'parameter':
      return { type: 'unsafe', why: 'inside `${ … }`' };
    case 'bare':
    case 'double':
    case 'single':
    case 'dollar-single':
    case 'heredoc': {
      const why = codeAround(reader);
      return why === undefined ? { type: 'quote', place: frame.type } : { type: 'unsafe', why };
    }
  }
}

/**
 * The output of a command inside `$( … )` may be code of the command around it, so all enclosing commands are checked.
 */
function codeAround(reader: ShellReader): string | undefined {
  for (const frame of reader.frames) {
    const why = frame.type === 'bare' ? readAsCode(frame.words) : undefined;
    if (why !== undefined) return why;
  }
  return undefined;
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text[at - 1 - slashes] === '\\') slashes += 1;
  return slashes % 2 === 1;
}

function readOne(reader: ShellReader): void {
  const character = reader.text[reader.at] ?? '';
  const frame = topOf(reader);
  switch (frame.type) {
    case 'single':
      return readUntilClose(reader, "'", character);
    case 'dollar-single':
      return character === '\\' ? skipEscape(reader) : readUntilClose(reader, "'", character);
    case 'double':
      return readDouble(reader, '"', character);
    case 'heredoc':
      return readDouble(reader, '', character);
    case 'backtick':
      return character === '\\' ? skipEscape(reader) : readUntilClose(reader, '`', character);
    case 'parameter':
      return character === '\\' ? skipEscape(reader) : readUntilClose(reader, '}', character);
    case 'arithmetic':
      return readArithmetic(reader, frame, character);
    case 'bare':
      return readBare(reader, frame);
  }
}

/** Skips a backslash and the escaped character; a value there is left for the caller. */
function skipEscape(reader: ShellReader): void {
  skip(reader, reader.text[reader.at + 1] === '\0' ? 1 : 2);
}

function skip(reader: ShellReader, count: number): void {
  wordsOf(reader).current += reader.text.slice(reader.at, reader.at + count);
  reader.at += count;
}

function enter(reader: ShellReader, frame: ShellFrame, opening: number): void {
  reader.frames.push(frame);
  reader.at += opening;
}

function readUntilClose(reader: ShellReader, close: string, character: string): void {
  if (character !== close) return skip(reader, 1);
  reader.frames.pop();
  reader.at += 1;
}

function readDouble(reader: ShellReader, close: string, character: string): void {
  if (character === '\\') return skipEscape(reader);
  if (openSubstitution(reader)) return;
  readUntilClose(reader, close, character);
}

/** Enters constructs that are parsed anew even inside double quotes. */
function openSubstitution(reader: ShellReader): boolean {
  const { text, at } = reader;
  if (text.startsWith('$((', at)) enter(reader, { type: 'arithmetic', depth: 2 }, 3);
  else if (text.startsWith('$(', at)) enter(reader, bareFrame(')'), 2);
  else if (text.startsWith('${', at)) enter(reader, { type: 'parameter' }, 2);
  else if (text.startsWith('`', at)) enter(reader, { type: 'backtick' }, 1);
  else return false;
  return true;
}

function readArithmetic(
  reader: ShellReader,
  frame: Extract<ShellFrame, { type: 'arithmetic' }>,
  character: string,
): void {
  if (character === '(') frame.depth += 1;
  if (character === ')') frame.depth -= 1;
  reader.at += 1;
  if (frame.depth === 0) reader.frames.pop();
}

function readBare(reader: ShellReader, frame: BareFrame): void {
  const { text, at } = reader;
  const character = text[at] ?? '';
  if (character === '\\') return skipEscape(reader);
  if (openSubstitution(reader)) return;
  if (text.startsWith("$'", at)) return enter(reader, { type: 'dollar-single' }, 2);
  if (character === "'") return enter(reader, { type: 'single' }, 1);
  if (character === '"') return enter(reader, { type: 'double' }, 1);
  if (character === '#' && frame.words.current === '') return skipComment(reader);
  if (text.startsWith('((', at) && frame.words.current === '')
    return enter(reader, { type: 'arithmetic', depth: 2 }, 2);
  if (text.startsWith('<<<', at)) return readHereString(reader, frame);
  if (text.startsWith('<<', at)) return readHeredocStart(reader, frame);
  if (character === '\n') return endLine(reader, frame);
  if (character === '(') frame.depth += 1;
  if (character === ')') return readParenthesis(reader, frame);
  if (/[;&|()]/.test(character)) return endCommand(reader, frame);
  if (/\s/.test(character)) return endWord(reader, frame);
  skip(reader, 1);
}

/** Ends a group, a `case` pattern, or the substitution of this frame. */
function readParenthesis(reader: ShellReader, frame: BareFrame): void {
  finishWord(frame);
  const isOwn = frame.depth === 0 && frame.cases === 0;
  if (isOwn && frame.close === ')') return readUntilClose(reader, ')', ')');
  frame.depth = Math.max(0, frame.depth - 1);
  endCommand(reader, frame);
}

function endWord(reader: ShellReader, frame: BareFrame): void {
  finishWord(frame);
  reader.at += 1;
}

function finishWord(frame: BareFrame): void {
  const { words } = frame;
  if (words.current === 'case' && isFirstWord(words)) frame.cases += 1;
  if (words.current === 'esac' && words.done.length === 0) frame.cases = Math.max(0, frame.cases - 1);
  if (words.current !== '') words.done.push(words.current);
  words.current = '';
}

const BEFORE_COMMAND: ReadonlySet<string> = new Set(['then', 'do', 'else', 'elif', 'if', 'while', 'until', '{', '!']);

const isFirstWord = ({ done }: Words): boolean => done.every((word) => BEFORE_COMMAND.has(word));

function endCommand(reader: ShellReader, frame: BareFrame): void {
  endWord(reader, frame);
  // Inside `[[ … ]]` these are operators and end nothing.
  const { words } = frame;
  if (words.done.includes('[[') && !words.done.includes(']]')) return;
  words.done = [];
}

function skipComment(reader: ShellReader): void {
  const end = reader.text.indexOf('\n', reader.at);
  reader.at = end === -1 ? reader.text.length : end;
}

function readHeredocStart(reader: ShellReader, frame: BareFrame): void {
  const begun = heredocAt(reader.text, reader.at);
  if (begun === undefined) return skip(reader, 2);
  reader.heredocs.push({ ...begun, code: codeOfHeredoc(reader, frame.words) });
  reader.at += begun.length;
}

function codeOfHeredoc(reader: ShellReader, words: Words): string | undefined {
  const program = [...words.done, words.current].find((word) => isInterpreter(word));
  return program === undefined ? codeAround(reader) : `in the code that \`${program}\` reads`;
}

function readHereString(reader: ShellReader, frame: BareFrame): void {
  endWord(reader, frame);
  frame.words.done.push('<<<');
  reader.at += 2;
}

function endLine(reader: ShellReader, frame: BareFrame): void {
  endCommand(reader, frame);
  for (const heredoc of reader.heredocs.splice(0)) {
    const end = endOfHeredoc(reader.text, reader.at, heredoc);
    for (const place of placesFrom(reader.text.slice(reader.at, end), { type: 'heredoc' })) {
      reader.places.push(placeInHeredoc(place, heredoc));
    }
    reader.at = end;
  }
}

function placeInHeredoc(place: ShellPlace, heredoc: BegunHeredoc): ShellPlace {
  if (heredoc.code !== undefined) return { type: 'unsafe', why: heredoc.code };
  if (!heredoc.quoted) return place;
  return { type: 'unsafe', why: 'in a here-document whose delimiter is quoted; leave the quotes off' };
}

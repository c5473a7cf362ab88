// What the shell reads inside quotes, and what it expands there.
import {
  bareFrame,
  countOf,
  enter,
  readUntilClose,
  skip,
  wordsOf,
  type ShellFrame,
  type ShellReader,
} from './shell-frames.ts';

/** Skips a backslash and the escaped character; a value there is left for the caller. */
export function skipEscape(reader: ShellReader): void {
  skip(reader, reader.text[reader.at + 1] === '\0' ? 1 : 2);
}

/** The same where the backslash is no part of the word, and a line that ends in one goes on. */
export function skipQuoted(reader: ShellReader): void {
  const next = reader.text[reader.at + 1];
  if (next === '\0' || next === undefined) return skip(reader, 1);
  if (next !== '\n') wordsOf(reader).current += next;
  reader.at += 2;
}

export function readDouble(reader: ShellReader, close: string, character: string): void {
  if (character === '\\') {
    return /[$`"\\\n]/.test(reader.text[reader.at + 1] ?? '') ? skipQuoted(reader) : skipEscape(reader);
  }
  if (openSubstitution(reader)) return;
  readUntilClose(reader, close, character);
}

export function readParameter(reader: ShellReader, character: string): void {
  if (character === '\\') return skipEscape(reader);
  if (openSubstitution(reader)) return;
  readUntilClose(reader, '}', character);
}

/** Enters constructs that are parsed anew even inside double quotes. */
export function openSubstitution(reader: ShellReader): boolean {
  const { text, at } = reader;
  if (/^(?:\$[({]|`)/.test(text.slice(at, at + 2))) wordsOf(reader).current += '$';
  if (text.startsWith('$((', at)) enter(reader, { type: 'arithmetic', depth: 2, brackets: '()' }, 3);
  else if (text.startsWith('$[', at)) enter(reader, { type: 'arithmetic', depth: 1, brackets: '[]' }, 2);
  else if (text.startsWith('$(', at)) enter(reader, bareFrame(')', countOf(reader)), 2);
  else if (text.startsWith('${', at)) enter(reader, { type: 'parameter' }, 2);
  else if (text.startsWith('`', at)) enter(reader, bareFrame('`', countOf(reader)), 1);
  else return false;
  return true;
}

export function readArithmetic(
  reader: ShellReader,
  frame: Extract<ShellFrame, { type: 'arithmetic' }>,
  character: string,
): void {
  if (character === frame.brackets[0]) frame.depth += 1;
  if (character === frame.brackets[1]) frame.depth -= 1;
  reader.at += 1;
  if (frame.depth === 0) reader.frames.pop();
}

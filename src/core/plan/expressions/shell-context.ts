// The quoting context of a value in a shell command.
//
// shell-context/Q1. The command is read once, left to right, by the quoting rules of sh and bash; nothing is executed.
// shell-context/Q2. Positions where a value would be read as code, whatever its quoting, are marked as such.

import {
  bareFrame,
  countOf,
  endOfHeredoc,
  enter,
  heredocAt,
  readUntilClose,
  skip,
  topOf,
  wordsOf,
  type BareFrame,
  type BegunHeredoc,
  type ShellContext,
  type ShellFrame,
  type ShellPlace,
  type ShellReader,
} from './shell-frames.ts';
import {
  addPlace,
  assignPiped,
  codeAround,
  contextHere,
  contextOfVariable,
  inCodeOf,
  refuse,
  refuseAssigned,
  throughVariables,
  variableAt,
} from './shell-places.ts';
import { BEFORE_COMMAND, codeReader, pipedCodeReader, type Words } from './shell-words.ts';
import { functionsIn, namesRead, PARAMETERS, variableReader } from './shell-variables.ts';

/** Marks the nth value in a command; a command that contains NUL characters of its own is invalid. */
export const VALUE_MARK = new RegExp('\\0(\\d+)\\0', 'g');
const MARK_HERE = new RegExp(VALUE_MARK.source, 'y');

/** The quoting context of each `VALUE_MARK` in the text, in order. */
export function shellPlacesOf(text: string): readonly ShellContext[] {
  const functions = functionsIn(text);
  const variables = new Set(functions.size > 0 ? [PARAMETERS] : []);
  return throughVariables(placesFrom(text, bareFrame('', { places: 0, heredocs: 0 }), { variables, functions }));
}

function placesFrom(
  text: string,
  first: ShellFrame,
  { variables, functions }: Pick<ShellReader, 'variables' | 'functions'>,
): readonly ShellPlace[] {
  const reader: ShellReader = { text, at: 0, frames: [first], heredocs: [], places: [], variables, functions };
  while (reader.at < text.length) {
    MARK_HERE.lastIndex = reader.at;
    const found = text[reader.at] === '\0' ? MARK_HERE.exec(text)?.[0] : undefined;
    if (found === undefined) {
      const variable = variableAt(reader);
      if (variable !== undefined) addPlace(reader, contextOfVariable(reader), variable);
      readOne(reader);
      continue;
    }
    addPlace(reader, contextHere(reader), undefined);
    wordsOf(reader).current += 'v';
    reader.at += found.length;
  }
  if (first.type === 'bare') finishCommand(reader, first);
  return reader.places;
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

function readDouble(reader: ShellReader, close: string, character: string): void {
  if (character === '\\') return skipEscape(reader);
  if (openSubstitution(reader)) return;
  readUntilClose(reader, close, character);
}

/** Enters constructs that are parsed anew even inside double quotes. */
function openSubstitution(reader: ShellReader): boolean {
  const { text, at } = reader;
  if (/^(?:\$[({]|`)/.test(text.slice(at, at + 2))) wordsOf(reader).current += '$';
  if (text.startsWith('$((', at)) enter(reader, { type: 'arithmetic', depth: 2 }, 3);
  else if (text.startsWith('$(', at)) enter(reader, bareFrame(')', countOf(reader)), 2);
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
  if (character === '(' && ARRAY.test(frame.words.current)) return enter(reader, bareFrame(')', countOf(reader)), 1);
  if (text.startsWith('<(', at)) return enter(reader, bareFrame(')', countOf(reader), true), 2);
  if (text.startsWith('<<<', at)) return readHereString(reader, frame);
  if (text.startsWith('<<', at)) return readHeredocStart(reader, frame);
  if (character === '\n') return endLine(reader, frame);
  if (character === '(') frame.depth += 1;
  if (character === ')') return readParenthesis(reader, frame);
  if (/[;&|()]/.test(character)) return endCommand(reader, frame);
  if (/\s/.test(character)) return endWord(reader, frame);
  skip(reader, 1);
}

const ARRAY = /^[A-Za-z_]\w*\+?=$/;

/** Ends a group, a `case` pattern, or the substitution of this frame. */
function readParenthesis(reader: ShellReader, frame: BareFrame): void {
  finishWord(frame);
  const isOwn = frame.depth === 0 && frame.cases === 0;
  if (isOwn && frame.close === ')') {
    finishCommand(reader, frame);
    return readUntilClose(reader, ')', ')');
  }
  frame.depth = Math.max(0, frame.depth - 1);
  endCommand(reader, frame);
  // The output of the group may be piped on.
  frame.beforePipeline = frame.before;
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

const isFirstWord = ({ done }: Words): boolean => done.every((word) => BEFORE_COMMAND.has(word));

function endCommand(reader: ShellReader, frame: BareFrame): void {
  const { text, at } = reader;
  const isPipe = text[at] === '|' && text[at + 1] !== '|' && text[at - 1] !== '|';
  endWord(reader, frame);
  const { words } = frame;
  // Inside `[[ … ]]` these are operators and end nothing.
  if (words.done.includes('[[') && !words.done.includes(']]')) return;
  const isGroup = GROUP_ENDS.has(words.done[0] ?? '');
  finishCommand(reader, frame);
  frame.beforeCommand = countOf(reader);
  if (!isPipe) frame.beforePipeline = frame.beforeCommand;
  else if (isGroup) frame.beforePipeline = frame.before;
}

/** Last words of compound commands, whose output may be piped as a whole. */
const GROUP_ENDS: ReadonlySet<string> = new Set(['}', 'done', 'fi', 'esac']);

/** Values of the commands before in the pipeline are code when this command reads its input as code. */
function finishCommand(reader: ShellReader, frame: BareFrame): void {
  finishWord(frame);
  const { done } = frame.words;
  frame.words.done = [];
  refuseAssigned(reader, variableReader(done));
  const { beforePipeline: from, beforeCommand: to } = frame;
  assignPiped(reader, namesRead(done), { from: from.places, to: to.places });
  const program = pipedCodeReader(done);
  if (program === undefined) return;
  for (let place = from.places; place < to.places; place += 1) refuse(reader, place, inCodeOf(program));
  for (const heredoc of reader.heredocs.slice(from.heredocs, to.heredocs)) heredoc.code ??= inCodeOf(program);
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
  const program = codeReader([...words.done, words.current]);
  return program === undefined ? codeAround(reader) : inCodeOf(program);
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
    for (const place of placesFrom(reader.text.slice(reader.at, end), { type: 'heredoc' }, reader)) {
      const { variable } = place;
      // A quoted delimiter keeps the shell from expanding them.
      if (variable === undefined || !heredoc.quoted) addPlace(reader, contextInHeredoc(place, heredoc), variable);
    }
    reader.at = end;
  }
}

function contextInHeredoc(context: ShellContext, heredoc: BegunHeredoc): ShellContext {
  if (heredoc.code !== undefined) return { type: 'unsafe', why: heredoc.code };
  if (!heredoc.quoted) return context;
  return { type: 'unsafe', why: 'in a here-document whose delimiter is quoted; leave the quotes off' };
}

// The quoting context of a value in a shell command.
//
// shell-context/Q1. The command is read once, left to right, by the quoting rules of sh and bash; nothing is executed.
// shell-context/Q2. Positions where a value would be read as code, whatever its quoting, are marked as such.

import {
  bareFrame,
  countOf,
  enter,
  frameAround,
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
  assignedAround,
  assignPiped,
  codeAround,
  contextHere,
  contextOfVariable,
  inCodeOf,
  pipeInto,
  refuseAssigned,
  throughVariables,
  variableAt,
} from './shell-places.ts';
import { openSubstitution, readArithmetic, readDouble, readParameter, skipEscape, skipQuoted } from './shell-quotes.ts';
import { DESCRIPTOR, endOfHeredoc, heredocAt, redirectionAt } from './shell-redirections.ts';
import { BEFORE_COMMAND, inputReader, shellCodeIn, type Words } from './shell-words.ts';
import {
  CODE_PARAMETERS,
  GROUP_ENDS,
  namesFilled,
  PARAMETERS,
  shellNamesIn,
  variableReader,
} from './shell-variables.ts';

/** Marks the nth value in a command; a command that contains NUL characters of its own is invalid. */
export const VALUE_MARK = new RegExp('\\0(\\d+)\\0', 'g');
const MARK_HERE = new RegExp(VALUE_MARK.source, 'y');

/** The quoting context of each `VALUE_MARK` in the text, in order. */
export function shellPlacesOf(text: string): readonly ShellContext[] {
  const names = shellNamesIn(text);
  const variables = new Set([...(names.functions.size > 0 ? [PARAMETERS] : []), ...names.read]);
  return throughVariables(placesFrom(text, bareFrame('', NOTHING_BEFORE), { variables, names }));
}

const NOTHING_BEFORE = { places: 0, heredocs: 0 };

function placesFrom(
  text: string,
  first: ShellFrame,
  { variables, names }: Pick<ShellReader, 'variables' | 'names'>,
): readonly ShellPlace[] {
  const reader: ShellReader = { text, at: 0, frames: [first], heredocs: [], places: [], variables, names };
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
    case 'parameter':
      return readParameter(reader, character);
    case 'arithmetic':
      return readArithmetic(reader, frame, character);
    case 'bare':
      return readBare(reader, frame);
  }
}

function readBare(reader: ShellReader, frame: BareFrame): void {
  const { text, at } = reader;
  const character = text[at] ?? '';
  if (character === '\\') return skipQuoted(reader);
  if (character === '`' && frame.close === '`') {
    finishCommand(reader, frame);
    return readUntilClose(reader, '`', '`');
  }
  if (openSubstitution(reader)) return;
  if (text.startsWith("$'", at)) return enter(reader, { type: 'dollar-single' }, 2);
  if (character === "'") return enter(reader, { type: 'single' }, 1);
  if (character === '"') return enter(reader, { type: 'double' }, 1);
  if (character === '#' && frame.words.current === '') return skipComment(reader);
  if (text.startsWith('((', at) && frame.words.current === '')
    return enter(reader, { type: 'arithmetic', depth: 2, brackets: '()' }, 2);
  if (character === '(' && ARRAY.test(frame.words.current))
    return enter(reader, bareFrame(')', countOf(reader), 'list'), 1);
  if (/^[<>]\(/.test(text.slice(at, at + 2))) return openFile(reader, frame);
  if (text.startsWith('<<<', at)) return readHereString(reader, frame);
  if (text.startsWith('<<', at)) return readHeredocStart(reader, frame);
  const redirection = frame.words.done.includes('[[') ? undefined : redirectionAt(text, at);
  if (redirection !== undefined) return readRedirection(reader, frame, redirection);
  if (character === '\n') return endLine(reader, frame);
  if (character === '(') frame.depth += 1;
  if (character === ')') return readParenthesis(reader, frame);
  if (/[;&|()]/.test(character)) return endCommand(reader, frame);
  if (/\s/.test(character)) return endWord(reader, frame);
  skip(reader, 1);
}

const ARRAY = /^[A-Za-z_]\w*\+?=$/;

/** A file that the command around is given as a word. */
function openFile(reader: ShellReader, frame: BareFrame): void {
  const role = reader.text[reader.at] === '<' ? 'file' : 'sink';
  frame.words.current += role === 'file' ? '<(' : '>(';
  enter(reader, bareFrame(')', countOf(reader), role), 2);
}

/** The target that follows is no word of the command. */
function readRedirection(reader: ShellReader, frame: BareFrame, operator: string): void {
  if (DESCRIPTOR.test(frame.words.current)) frame.words.current = '';
  finishWord(frame);
  frame.redirected ??= frame.words;
  frame.words = { done: [], current: '' };
  reader.at += operator.length;
}

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
  const { words, redirected } = frame;
  if (redirected !== undefined) {
    if (words.current === '') return;
    frame.words = redirected;
    frame.redirected = undefined;
    return;
  }
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
  if (!isPipe) {
    frame.beforePipeline = frame.beforeCommand;
    return;
  }
  // Its output may be piped as a whole, and any command in it may read what is piped into it.
  if (isGroup) frame.beforePipeline = frame.before;
  if (GROUP_BEGINS.test(text.slice(at + 1))) {
    assignPiped(reader, [...reader.names.read], { from: frame.beforePipeline, to: frame.beforeCommand });
  }
}

/** First words of compound commands. */
const GROUP_BEGINS = /^\s*(?:[({]|(?:while|until|for|if|case|select)\b)/;

/** Values of the commands before in the pipeline are code when this command reads its input as code. */
function finishCommand(reader: ShellReader, frame: BareFrame): void {
  finishWord(frame);
  frame.words = frame.redirected ?? frame.words;
  frame.redirected = undefined;
  const { done } = frame.words;
  frame.words.done = [];
  addCode(reader, shellCodeIn(done));
  refuseAssigned(reader, variableReader(done));
  const { beforePipeline: from, beforeCommand: to, sinks } = frame;
  pipeInto(reader, done, { from, to });
  for (const words of sinks.splice(0)) pipeInto(reader, words, { from, to: countOf(reader) });
  if (frame.role === 'sink') frameAround(reader, frame)?.sinks.push(done);
}

/** A shell that is given its code as a word expands variables in it, and its own parameters. */
function addCode(reader: ShellReader, code: string | undefined): void {
  if (code === undefined) return;
  const variables = new Set([...reader.variables, PARAMETERS]);
  const own = (name: string): string => (name === PARAMETERS ? CODE_PARAMETERS : name);
  for (const place of placesFrom(code, bareFrame('', NOTHING_BEFORE), { variables, names: shellNamesIn(code) })) {
    if (place.variable === undefined) continue;
    const context = place.type === 'quote' ? { ...place, assigns: place.assigns.map(own) } : place;
    addPlace(reader, context, own(place.variable));
  }
}

/** A value in a comment is no more than a part of it. */
function skipComment(reader: ShellReader): void {
  const end = reader.text.indexOf('\n', reader.at);
  const comment = reader.text.slice(reader.at, end === -1 ? undefined : end);
  for (const _ of comment.matchAll(VALUE_MARK)) addPlace(reader, IN_COMMENT, undefined);
  reader.at += comment.length;
}

const IN_COMMENT = { type: 'quote', place: 'bare', assigns: [], readers: [] } as const;

function readHeredocStart(reader: ShellReader, frame: BareFrame): void {
  const begun = heredocAt(reader.text, reader.at);
  if (begun === undefined) return skip(reader, 2);
  const { done, current } = frame.words;
  if (DESCRIPTOR.test(current)) frame.words.current = '';
  const assigns = [...assignedAround(reader), ...namesFilled(done, reader.names)];
  reader.heredocs.push({ ...begun, code: codeOfHeredoc(reader, frame.words), assigns });
  reader.at += begun.length;
}

function codeOfHeredoc(reader: ShellReader, words: Words): string | undefined {
  const program = inputReader([...words.done, words.current].filter((word) => word !== ''));
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
  if (!heredoc.quoted)
    return context.type === 'quote' ? { ...context, assigns: [...context.assigns, ...heredoc.assigns] } : context;
  return { type: 'unsafe', why: 'in a here-document whose delimiter is quoted; leave the quotes off' };
}

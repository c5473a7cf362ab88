// The places of values in a shell command: what is around each, and what becomes of it later.
//
// shell-places/Q1. A variable of the shell that holds a value is a place of that value wherever it is expanded.
//
// Limit: files pass values on unseen, as does code of languages other than that of the shell: what the author of a plan runs
// after a value was written to it runs as it says.
import {
  topOf,
  wordsOf,
  type BareFrame,
  type QuotePlace,
  type ShellContext,
  type ShellPlace,
  type ShellReader,
  type ValueCount,
} from './shell-frames.ts';
import {
  assignedBy,
  CODE_PARAMETERS,
  namesFilled,
  namesRead,
  PARAMETERS,
  wordReader,
  type WordReader,
} from './shell-variables.ts';
import { commandStartOf, inputReader, readAsCode, startsProgram, SUBSCRIPT } from './shell-words.ts';

const EXPANSION = /\$(?:\{!?)?([A-Za-z_]\w*|[1-9@*])/y;
const NAME = /(?<![\w$])[A-Za-z_]\w*/y;
/** By what a variable says the shell looks for another, or expands it as a prompt. */
const EVALUATING = /\$\{(?:!\w+(?![\w@*]|\[[@*]\])|\w+@P)/y;
/** Before a subscript, or a bound of a part, inside `${ … }`. */
const BEFORE_NUMBER = /^\$\{[!#]?\w+(?:\[[^\]]*|(?:\[[^\]]*\])?:(?![-+=?])[^}]*)$/;

/** The variable with a value that the shell expands here; undefined for none. */
export function variableAt(reader: ShellReader): string | undefined {
  const { text, at, variables } = reader;
  const { type } = topOf(reader);
  if (variables.size === 0 || type === 'single' || type === 'dollar-single') return undefined;
  const form = text[at] !== '$' && isNumber(reader) ? NAME : EXPANSION;
  form.lastIndex = at;
  const found = form.exec(text)?.at(-1);
  const name = found !== undefined && /^[1-9@*]$/.test(found) ? PARAMETERS : found;
  return name !== undefined && variables.has(name) ? name : undefined;
}

/** Whether the shell evaluates what stands here as a number, in which a name stands for its value. */
function isNumber(reader: ShellReader): boolean {
  const { text, at } = reader;
  const { type } = topOf(reader);
  if (type === 'arithmetic') return true;
  if (type === 'parameter') return BEFORE_NUMBER.test(text.slice(text.lastIndexOf('${', at - 1), at));
  const { done, current } = wordsOf(reader);
  return type === 'bare' && (done[commandStartOf(done)] === 'let' || SUBSCRIPT.test(current));
}

export function addPlace(reader: ShellReader, context: ShellContext, variable: string | undefined): void {
  reader.places.push({ ...context, variable });
  if (context.type === 'quote') for (const name of context.assigns) reader.variables.add(name);
}

/** What the commands before in the pipeline print is read into these variables. */
export function assignPiped({ places, heredocs }: ShellReader, names: readonly string[], { from, to }: Range): void {
  for (let nth = from.places; nth < to.places; nth += 1) {
    const place = places[nth];
    if (place?.type === 'quote') places[nth] = { ...place, assigns: [...place.assigns, ...names] };
  }
  for (const heredoc of heredocs.slice(from.heredocs, to.heredocs)) heredoc.assigns = [...heredoc.assigns, ...names];
}

/** What commands before print is the input of this command, which may read it as code. */
export function pipeInto(reader: ShellReader, words: readonly string[], range: Range): void {
  assignPiped(reader, namesRead(words), range);
  if (words.includes('xargs')) readPiped(reader, wordReader({ done: [...words], current: '' }, true), range);
  const program = inputReader(words);
  if (program === undefined) return;
  const { from, to } = range;
  for (let place = from.places; place < to.places; place += 1) refuse(reader, place, inCodeOf(program));
  for (const heredoc of reader.heredocs.slice(from.heredocs, to.heredocs)) heredoc.code ??= inCodeOf(program);
}

/** What they print is, split into words, an argument of this program. */
function readPiped({ places }: ShellReader, reader: WordReader | undefined, { from, to }: Range): void {
  if (reader === undefined) return;
  for (let nth = from.places; nth < to.places; nth += 1) {
    const place = places[nth];
    if (place?.type === 'quote') places[nth] = { ...place, readers: [...place.readers, reader] };
  }
}

interface Range {
  readonly from: ValueCount;
  readonly to: ValueCount;
}

export function contextHere(reader: ShellReader): ShellContext {
  const before = reader.text[reader.at - 1];
  const frame = topOf(reader);
  if (frame.type !== 'single' && (before === '$' || before === '\\') && !isEscaped(reader.text, reader.at - 1)) {
    return { type: 'unsafe', why: `directly after \`${before}\`` };
  }
  if (reader.frames.some((each) => each.type === 'bare' && each.close === '`'))
    return { type: 'unsafe', why: 'inside backticks; write `$( … )` instead' };
  switch (frame.type) {
    case 'arithmetic':
      return { type: 'unsafe', why: 'inside arithmetic, where the shell would evaluate it' };
    case 'parameter':
      return { type: 'unsafe', why: 'inside `${ … }`' };
    case 'bare':
    case 'double':
    case 'single':
    case 'dollar-single':
    case 'heredoc':
      return contextIn(reader, frame.type);
  }
}

/** What the shell expands is not read again in backticks, `${ … }` or `[[ … ]]` themselves, save as a number. */
export function contextOfVariable(reader: ShellReader): ShellContext {
  const { type } = topOf(reader);
  if (type === 'arithmetic') return contextHere(reader);
  EVALUATING.lastIndex = reader.at;
  if (EVALUATING.test(reader.text) || isNumber(reader)) return { type: 'unsafe', why: 'where the shell evaluates it' };
  if (isSplitIntoCommand(reader)) return AS_COMMAND;
  const isOperand = wordsOf(reader).done.includes('[[') && !isComparedAsNumber(reader);
  if (isOperand) return { type: 'quote', place: 'double', assigns: [], readers: [] };
  return contextIn(reader, type === 'parameter' ? 'double' : type, type === 'bare');
}

const AS_COMMAND = { type: 'unsafe', why: 'where the shell takes its words for a command' } as const;

/** Whether what is expanded here, unquoted, is the program of a command, with its arguments. */
function isSplitIntoCommand(reader: ShellReader): boolean {
  const { text, at } = reader;
  const frame = topOf(reader);
  if (frame.type !== 'bare') return isOutputAsCommand(reader);
  const isPattern = frame.cases > 0 && PATTERN.test(text.slice(at));
  return frame.role !== 'list' && !isPattern && startsProgram(frame.words);
}

/** Whether what a command around prints is, unquoted, the program of another, with its arguments. */
const isOutputAsCommand = ({ frames }: ShellReader): boolean =>
  frames.some((frame, nth) => {
    const inner = frames[nth + 1];
    if (frame.type !== 'bare' || frame.role === 'list' || inner === undefined) return false;
    const isOutput = inner.type === 'bare' && inner.role === 'commands';
    return isOutput && frame.words.current.startsWith('$') && startsProgram({ done: frame.words.done, current: '' });
  });

/** A whole word that is a pattern of `case`. */
const PATTERN = /^\$\{?\w+\}?\s*[|)]/;

/** Of `[[ … ]]` the comparisons that evaluate their operands. */
function isComparedAsNumber({ text, at }: ShellReader): boolean {
  const end = text.indexOf(']]', at);
  return /\s-(?:eq|ne|lt|le|gt|ge)\s/.test(text.slice(text.lastIndexOf('[[', at), end < 0 ? text.length : end));
}

function contextIn(reader: ShellReader, place: QuotePlace, isSplit = false): ShellContext {
  const why = codeAround(reader);
  if (why !== undefined) return { type: 'unsafe', why };
  const assigns = assignedAround(reader);
  const word = wordReader(wordsOf(reader), isSplit);
  return { type: 'quote', place, assigns, readers: word === undefined ? [] : [word] };
}

const isFile = (frame: BareFrame | undefined): boolean => frame?.role === 'file' || frame?.role === 'sink';

const commandsAround = ({ frames }: ShellReader): readonly BareFrame[] =>
  frames.filter((frame) => frame.type === 'bare');

/** The variables that get what stands here, directly or as the output of a command. */
export function assignedAround(reader: ShellReader): readonly string[] {
  const commands = commandsAround(reader);
  return commands.flatMap(({ words, redirected }, nth) =>
    isFile(commands[nth + 1]) && redirected !== undefined
      ? namesFilled(redirected.done, reader.names)
      : assignedBy(words, reader.names),
  );
}

/**
 * The output of a command inside `$( … )` may be code of the command around it, so all enclosing commands are checked.
 */
export function codeAround(reader: ShellReader): string | undefined {
  if (isOutputAsCommand(reader)) return AS_COMMAND.why;
  const commands = commandsAround(reader);
  for (const [nth, { words, redirected }] of commands.entries()) {
    const isOfFile = isFile(commands[nth + 1]);
    const file = isOfFile ? inputReader((redirected ?? words).done) : undefined;
    const why = isOfFile ? file && inCodeOf(file) : readAsCode(words, reader.names.numbers);
    if (why !== undefined) return why;
  }
  return undefined;
}

export const inCodeOf = (program: string): string => `in the code that \`${program}\` reads`;

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text[at - 1 - slashes] === '\\') slashes += 1;
  return slashes % 2 === 1;
}

/** Variables that got a value by now may all be in the environment of this program, which evaluates it. */
export function refuseAssigned(reader: ShellReader, program: string | undefined): void {
  if (program === undefined) return;
  const why = `in a variable before \`${program}\`, which evaluates its environment; let \`${program}\` read a file`;
  for (const [nth, place] of reader.places.entries())
    if (place.type === 'quote' && place.assigns.some((name) => !isParameters(name))) refuse(reader, nth, why);
}

const isParameters = (name: string): boolean => name === PARAMETERS || name === CODE_PARAMETERS;

export function refuse({ places }: ShellReader, nth: number, why: string): void {
  const place = places[nth];
  if (place?.type === 'quote') places[nth] = { type: 'unsafe', why, variable: place.variable };
}

/**
 * What is wrong with a place of a variable is wrong with the values that it holds. A use may come before: in a function,
 * which is defined before it is called, and in a loop, whose input comes at its end.
 */
export function throughVariables(places: readonly ShellPlace[]): readonly ShellContext[] {
  const uses: Uses = { wrong: new Map(), readers: new Map() };
  judge(places, uses);
  return judge(places, uses).filter(({ variable }) => variable === undefined);
}

function judge(places: readonly ShellPlace[], uses: Uses): readonly ShellPlace[] {
  const { wrong, readers } = uses;
  const judged = places.toReversed().map((place): ShellPlace => {
    const { variable } = place;
    const found = inVariable(place, uses);
    if (variable === undefined) return found;
    const name = isParameters(variable) ? PARAMETERS : variable;
    if (found.type === 'unsafe') wrong.set(variable, `in \`$${name}\`, which stands ${found.why}`);
    else readers.set(variable, [...(readers.get(variable) ?? []), ...found.readers]);
    return found;
  });
  return judged.toReversed();
}

interface Uses {
  readonly wrong: Map<string, string>;
  readonly readers: Map<string, readonly WordReader[]>;
}

function inVariable(place: ShellPlace, { wrong, readers }: Uses): ShellPlace {
  if (place.type === 'unsafe') return place;
  const why = place.assigns.map((name) => wrong.get(name)).find((each) => each !== undefined);
  if (why !== undefined) return { type: 'unsafe', why, variable: place.variable };
  return { ...place, readers: [...place.readers, ...place.assigns.flatMap((name) => readers.get(name) ?? [])] };
}

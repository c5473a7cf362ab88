// The places of values in a shell command: what is around each, and what becomes of it later.
//
// shell-places/Q1. A variable of the shell that holds a value is a place of that value wherever it is expanded.
//
// Limit: files, and texts that a program is given as code (`sh -c '…'`), pass values on unseen. When plans do that, read
// the code of shells as well.
import {
  topOf,
  wordsOf,
  type BareFrame,
  type QuotePlace,
  type ShellContext,
  type ShellPlace,
  type ShellReader,
} from './shell-frames.ts';
import { assignedBy, PARAMETERS, wordReader, type WordReader } from './shell-variables.ts';
import { codeReader, readAsCode } from './shell-words.ts';

const EXPANSION = /\$\{?([A-Za-z_]\w*|[1-9@*])/y;
const NAME = /(?<![\w$])[A-Za-z_]\w*/y;

/** The variable with a value that the shell expands here; undefined for none. */
export function variableAt(reader: ShellReader): string | undefined {
  const { text, at, variables } = reader;
  const { type } = topOf(reader);
  if (variables.size === 0 || type === 'single' || type === 'dollar-single') return undefined;
  const form = type === 'arithmetic' && text[at] !== '$' ? NAME : EXPANSION;
  form.lastIndex = at;
  const found = form.exec(text)?.at(-1);
  const name = found !== undefined && /^[1-9@*]$/.test(found) ? PARAMETERS : found;
  return name !== undefined && variables.has(name) ? name : undefined;
}

export function addPlace(reader: ShellReader, context: ShellContext, variable: string | undefined): void {
  reader.places.push({ ...context, variable });
  if (context.type === 'quote') for (const name of context.assigns) reader.variables.add(name);
}

/** What the commands before in the pipeline print is read into these variables. */
export function assignPiped(reader: ShellReader, names: readonly string[], { from, to }: PlaceRange): void {
  for (let nth = from; nth < to; nth += 1) {
    const place = reader.places[nth];
    if (place?.type !== 'quote') continue;
    reader.places[nth] = { ...place, assigns: [...place.assigns, ...names] };
    for (const name of names) reader.variables.add(name);
  }
}

interface PlaceRange {
  readonly from: number;
  readonly to: number;
}

export function contextHere(reader: ShellReader): ShellContext {
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
    case 'heredoc':
      return contextIn(reader, frame.type);
  }
}

/** What the shell expands is not read again in backticks, `${ … }` or `[[ … ]]`, save as a number. */
export function contextOfVariable(reader: ShellReader): ShellContext {
  const { type } = topOf(reader);
  if (type === 'arithmetic') return contextHere(reader);
  const isOperand = wordsOf(reader).done.includes('[[') && !isComparedAsNumber(reader);
  if (type === 'backtick' || type === 'parameter' || isOperand)
    return { type: 'quote', place: 'double', assigns: [], readers: [] };
  return contextIn(reader, type);
}

/** Of `[[ … ]]` the comparisons that evaluate their operands. */
function isComparedAsNumber({ text, at }: ShellReader): boolean {
  const end = text.indexOf(']]', at);
  return /\s-(?:eq|ne|lt|le|gt|ge)\s/.test(text.slice(text.lastIndexOf('[[', at), end < 0 ? text.length : end));
}

function contextIn(reader: ShellReader, place: QuotePlace): ShellContext {
  const why = codeAround(reader);
  if (why !== undefined) return { type: 'unsafe', why };
  const assigns = commandsAround(reader).flatMap(({ words }) => assignedBy(words, reader.functions));
  const word = wordReader(wordsOf(reader));
  return { type: 'quote', place, assigns, readers: word === undefined ? [] : [word] };
}

const commandsAround = ({ frames }: ShellReader): readonly BareFrame[] =>
  frames.filter((frame) => frame.type === 'bare');

/**
 * The output of a command inside `$( … )` may be code of the command around it, so all enclosing commands are checked.
 */
export function codeAround(reader: ShellReader): string | undefined {
  const commands = commandsAround(reader);
  for (const [nth, { words }] of commands.entries()) {
    const file = commands[nth + 1]?.isFile === true ? codeReader(words.done) : undefined;
    const why = file === undefined ? readAsCode(words) : inCodeOf(file);
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
    if (place.type === 'quote' && place.assigns.some((name) => name !== PARAMETERS)) refuse(reader, nth, why);
}

export function refuse({ places }: ShellReader, nth: number, why: string): void {
  const place = places[nth];
  if (place?.type === 'quote') places[nth] = { type: 'unsafe', why, variable: place.variable };
}

/**
 * What is wrong with a place of a variable is wrong with the values that it holds. Uses follow assignments, but for the
 * parameters of a function, which is defined before it is called.
 */
export function throughVariables(places: readonly ShellPlace[]): readonly ShellContext[] {
  const uses: Uses = { wrong: new Map(), readers: new Map() };
  if (places.some(({ variable }) => variable === PARAMETERS)) judge(places, uses);
  return judge(places, uses).filter(({ variable }) => variable === undefined);
}

function judge(places: readonly ShellPlace[], uses: Uses): readonly ShellPlace[] {
  const { wrong, readers } = uses;
  const judged = places.toReversed().map((place): ShellPlace => {
    const { variable } = place;
    const found = inVariable(place, uses);
    if (variable === undefined) return found;
    if (found.type === 'unsafe') wrong.set(variable, `in \`$${variable}\`, which stands ${found.why}`);
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

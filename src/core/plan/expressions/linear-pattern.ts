// Regular expressions that match in time linear in the text: all states at once, and no backtracking (Thompson's way).
//
// linear-pattern/M1. The language is that of JavaScript without lookaround and backreferences, which no such matcher can
//   have; a pattern that uses them is refused. What matches is what `RegExp.test` matches.
// linear-pattern/M2. The work is at most the states of the pattern times the characters of the text, and both are limited.

export type LinearPattern =
  | { readonly type: 'pattern'; readonly test: (text: string) => boolean }
  | { readonly type: 'refused'; readonly why: string };

const STATES_MAX = 4_000;
/** States times characters; a fraction of a second. */
const WORK_MAX = 40_000_000;

type PatternNode =
  | { readonly type: 'one'; readonly matches: (character: string) => boolean }
  | { readonly type: 'edge'; readonly edge: PatternEdge }
  | { readonly type: 'sequence'; readonly parts: readonly PatternNode[] }
  | { readonly type: 'choice'; readonly options: readonly PatternNode[] }
  | { readonly type: 'repeat'; readonly of: PatternNode; readonly min: number; readonly max: number };

type PatternEdge = 'start' | 'end' | 'boundary' | 'no boundary';

type PatternState =
  | { readonly type: 'one'; readonly matches: (character: string) => boolean }
  | { readonly type: 'edge'; readonly edge: PatternEdge }
  | { readonly type: 'fork'; readonly to: readonly number[] }
  | { readonly type: 'match' };

export function linearPattern(source: string): LinearPattern {
  const flags = isRegExp(source, 'u') ? 'u' : '';
  if (!isRegExp(source, flags)) return { type: 'refused', why: 'it is not a regular expression' };
  const parsed = parsePattern(source, flags);
  if (typeof parsed === 'string') return { type: 'refused', why: parsed };
  const states: PatternState[] = [];
  if (!lay(states, parsed)) return { type: 'refused', why: `it has more than ${STATES_MAX} states` };
  states.push({ type: 'match' });
  return { type: 'pattern', test: (text) => run(states, text) };
}

function isRegExp(source: string, flags: string): boolean {
  try {
    return new RegExp(source, flags) instanceof RegExp;
  } catch (cause) {
    return !(cause instanceof Error);
  }
}

const UNSUPPORTED = /^\((?:\?[=!]|\?<[=!]|\?[a-z-]+[:)])/;
const PIECE =
  /\((?:\?:|\?<[A-Za-z_$][\w$]*>)?|\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\[pP]\{[^}]*\}|\\u\{[\da-fA-F]+\}|\\u[\da-fA-F]{4}|\\x[\da-fA-F]{2}|\\c[A-Za-z]|\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|[\s\S]/uy;
const QUANTIFIER = /(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/y;

interface PatternReader {
  readonly source: string;
  readonly flags: string;
  at: number;
}

/** The tree of a valid pattern, or why there is none. */
function parsePattern(source: string, flags: string): PatternNode | string {
  const reader: PatternReader = { source, flags, at: 0 };
  return parseChoice(reader);
}

function parseChoice(reader: PatternReader): PatternNode | string {
  const options: PatternNode[] = [];
  let parts: PatternNode[] = [];
  while (reader.at < reader.source.length && reader.source[reader.at] !== ')') {
    if (reader.source[reader.at] === '|') {
      options.push({ type: 'sequence', parts });
      parts = [];
      reader.at += 1;
      continue;
    }
    const part = parsePart(reader);
    if (typeof part === 'string') return part;
    parts.push(part);
  }
  options.push({ type: 'sequence', parts });
  return options.length === 1 && options[0] !== undefined ? options[0] : { type: 'choice', options };
}

function parsePart(reader: PatternReader): PatternNode | string {
  const one = parseOne(reader);
  if (typeof one === 'string') return one;
  QUANTIFIER.lastIndex = reader.at;
  const quantifier = QUANTIFIER.exec(reader.source);
  if (quantifier === null) return one;
  reader.at += quantifier[0].length;
  const [sign, least, comma, most] = quantifier;
  if (least === undefined) {
    const max = sign.startsWith('?') ? 1 : Infinity;
    return { type: 'repeat', of: one, min: sign.startsWith('+') ? 1 : 0, max };
  }
  const max = comma === '' ? Number(least) : most === '' ? Infinity : Number(most);
  return { type: 'repeat', of: one, min: Number(least), max };
}

const EDGES: ReadonlyMap<string, PatternEdge> = new Map([
  ['^', 'start'],
  ['$', 'end'],
  ['\\b', 'boundary'],
  ['\\B', 'no boundary'],
]);

function parseOne(reader: PatternReader): PatternNode | string {
  const { source, flags } = reader;
  if (UNSUPPORTED.test(source.slice(reader.at))) return 'it looks ahead or behind';
  PIECE.lastIndex = reader.at;
  const piece = PIECE.exec(source)?.[0] ?? '';
  if (/^\\(?:[1-9]|k)/.test(piece)) return 'it refers back to a group';
  reader.at += piece.length;
  const edge = EDGES.get(piece);
  if (edge !== undefined) return { type: 'edge', edge };
  if (!piece.startsWith('(')) return { type: 'one', matches: matcherOf(piece, flags) };
  const inner = parseChoice(reader);
  reader.at += 1;
  return inner;
}

/** Whether the piece matches one character, by the regular expression engine itself; asked once per ASCII character. */
function matcherOf(piece: string, flags: string): (character: string) => boolean {
  if (/^[\w ]$/.test(piece)) return (character) => character === piece;
  const pattern = new RegExp(`^(?:${piece})$`, flags);
  const known = new Map<string, boolean>();
  return (character) => {
    const answer = known.get(character) ?? pattern.test(character);
    if (character < '\u0080') known.set(character, answer);
    return answer;
  };
}

/** Appends the states of a node; false when they are too many. */
function lay(states: PatternState[], node: PatternNode): boolean {
  if (states.length > STATES_MAX) return false;
  switch (node.type) {
    case 'one':
    case 'edge':
      states.push(node);
      return true;
    case 'sequence':
      return node.parts.every((part) => lay(states, part));
    case 'choice':
      return layChoice(states, node.options);
    case 'repeat':
      return layRepeat(states, node);
  }
}

function layChoice(states: PatternState[], options: readonly PatternNode[]): boolean {
  const fork = states.push({ type: 'fork', to: [] }) - 1;
  const begins: number[] = [];
  const ends: number[] = [];
  for (const option of options) {
    begins.push(states.length);
    if (!lay(states, option)) return false;
    ends.push(states.push({ type: 'fork', to: [] }) - 1);
  }
  states[fork] = { type: 'fork', to: begins };
  for (const end of ends) states[end] = { type: 'fork', to: [states.length] };
  return true;
}

function layRepeat(states: PatternState[], node: Extract<PatternNode, { type: 'repeat' }>): boolean {
  const { of, min, max } = node;
  for (let count = 0; count < min; count += 1) if (!lay(states, of)) return false;
  if (max === Infinity) {
    const loop = states.push({ type: 'fork', to: [] }) - 1;
    if (!lay(states, of)) return false;
    states.push({ type: 'fork', to: [loop] });
    states[loop] = { type: 'fork', to: [loop + 1, states.length] };
    return true;
  }
  const forks: number[] = [];
  for (let count = min; count < max; count += 1) {
    forks.push(states.push({ type: 'fork', to: [] }) - 1);
    if (!lay(states, of)) return false;
  }
  for (const fork of forks) states[fork] = { type: 'fork', to: [fork + 1, states.length] };
  return states.length <= STATES_MAX;
}

const WORD = /^\w$/;

function run(states: readonly PatternState[], text: string): boolean {
  if (states.length * text.length > WORK_MAX) {
    throw new RangeError(`a text of ${text.length} characters is too long for a pattern of ${states.length} states`);
  }
  const characters = [...text];
  let active: number[] = [];
  const seen = new Uint32Array(states.length);
  for (let place = 0; place <= characters.length; place += 1) {
    const around = { before: characters[place - 1], after: characters[place] };
    const open = [...active, 0];
    const next: number[] = [];
    while (open.length > 0) {
      const at = open.pop() ?? 0;
      const state = states[at];
      if (state === undefined || seen[at] === place + 1) continue;
      seen[at] = place + 1;
      if (state.type === 'match') return true;
      if (state.type === 'fork') open.push(...state.to);
      else if (state.type === 'edge') {
        if (isAtEdge(state.edge, around)) open.push(at + 1);
      } else if (around.after !== undefined && state.matches(around.after)) next.push(at + 1);
    }
    active = next;
  }
  return false;
}

interface PatternPlace {
  readonly before: string | undefined;
  readonly after: string | undefined;
}

function isAtEdge(edge: PatternEdge, { before, after }: PatternPlace): boolean {
  if (edge === 'start') return before === undefined;
  if (edge === 'end') return after === undefined;
  const isBoundary = WORD.test(before ?? '') !== WORD.test(after ?? '');
  return isBoundary === (edge === 'boundary');
}

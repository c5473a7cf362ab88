// Decides whether some path could match two globs at once.
//
// glob-overlap/G1. Sound for `*`, `**`, `?`, classes and braces: when it says no, no path matches both.
// glob-overlap/G2. A plain path means the file and everything below it, and a trailing slash everything below.
// glob-overlap/G3. Work is bounded; past the bounds, and for unsupported globs, no overlap is reported.

export interface Glob {
  readonly text: string;
  /** The alternatives of braces, each as segments. */
  readonly choices: readonly (readonly Segment[])[];
}

export type Segment =
  | { readonly type: 'any' }
  | { readonly type: 'literal'; readonly text: string }
  | { readonly type: 'pattern'; readonly tokens: readonly GlobToken[] };

type GlobToken =
  | { readonly type: 'star' }
  | { readonly type: 'one' }
  | { readonly type: 'character'; readonly text: string }
  | {
      readonly type: 'class';
      readonly isNegated: boolean;
      readonly holds: (character: string) => boolean;
      /** The characters at the ends of its ranges. */
      readonly edges: string;
    };

const CHOICES_MAX = 64;
const GLOB_LENGTH_MAX = 1_000;
/** `!(…)`, `+(…)` and similar patterns are not supported. */
const EXTENDED = /[!?*+@]\(/;

/** Undefined for a glob that is not read here: one that takes away (`!x`), an extended one, or a very long one. */
export function readGlob(text: string): Glob | undefined {
  const clean = text.replace(/^(?:\.?\/)+/, '');
  if (clean === '' || clean.startsWith('!') || clean.length > GLOB_LENGTH_MAX || EXTENDED.test(clean)) return undefined;
  const spelt = expandBraces(clean);
  return spelt === undefined ? undefined : { text, choices: spelt.map(segmentsOf) };
}

/** A way out of the tree that tasks work in: a path of the machine, a parent folder, the folders of git and of Heddle. */
export function leavesRoot(glob: string): boolean {
  const isRooted = /^(?:[/\\~]|[A-Za-z]:)/.test(glob);
  return isRooted || /^(?:\.\/+)*\.(?:git|heddle)(?:\/|$)/i.test(glob) || glob.split(/[/\\{},]/).includes('..');
}

/** All expansions of braces; undefined past the bound. */
function expandBraces(text: string): readonly string[] | undefined {
  const done: string[] = [];
  let open = [text];
  while (open.length > 0) {
    if (open.length + done.length > CHOICES_MAX) return undefined;
    const next: string[] = [];
    for (const one of open) {
      const parts = innermostBraces(one);
      if (parts === undefined) done.push(one);
      else next.push(...parts);
    }
    open = next;
  }
  return [...new Set(done)];
}

/** A brace after a backslash is a brace of the name. */
const INNERMOST = /(?<!\\)\{([^{}]*)(?<!\\)\}/;
const RANGE = /^[^,]+\.\.[^,]+$/;

function innermostBraces(text: string): readonly string[] | undefined {
  const match = INNERMOST.exec(text);
  if (match === null) return undefined;
  const [whole, inside = ''] = match;
  const before = text.slice(0, match.index);
  const after = text.slice(match.index + whole.length);
  // A range is any run of characters here, which is wider and so still sound.
  if (RANGE.test(inside)) return [`${before}*${after}`];
  if (!inside.includes(',')) return [`${before}${inside}${after}`];
  return inside.split(',').map((choice) => `${before}${choice}${after}`);
}

function segmentsOf(text: string): readonly Segment[] {
  const isFolder = text.endsWith('/');
  const segments = text
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .map(segmentOf);
  const isPlain = segments.every((segment) => segment.type === 'literal');
  return isPlain || isFolder ? [...segments, { type: 'any' }] : segments;
}

function segmentOf(text: string): Segment {
  if (text === '**') return { type: 'any' };
  if (!/[*?[\\]/.test(text)) return { type: 'literal', text };
  return { type: 'pattern', tokens: tokensOf(text) };
}

function tokensOf(text: string): readonly GlobToken[] {
  const tokens: GlobToken[] = [];
  for (const [piece] of text.matchAll(/\\.|\[[!^]?\]?(?:\[:[a-z]+:\]|[^\]])*\]|\*+|\?|./gs)) {
    if (piece.startsWith('*')) tokens.push({ type: 'star' });
    else if (piece === '?') tokens.push({ type: 'one' });
    else if (piece.startsWith('[') && piece.length > 2) tokens.push(classOf(piece));
    else tokens.push({ type: 'character', text: piece.startsWith('\\') ? piece.slice(1) : piece });
  }
  return tokens;
}

/** `[!a]` is a negation in some tools and a list in others, so like a named class it is assumed to match anything. */
function classOf(piece: string): GlobToken {
  if (piece[1] === '!' || piece.includes('[:')) return { type: 'one' };
  const isNegated = piece[1] === '^';
  const ranges: [string, string][] = [];
  for (const match of piece.slice(isNegated ? 2 : 1, -1).matchAll(/(.)-(.)|(.)/gs)) {
    const [, from, to, single = ''] = match;
    ranges.push(from === undefined || to === undefined ? [single, single] : [from, to]);
  }
  const isIn = (character: string) => ranges.some(([from, to]) => from <= character && character <= to);
  return {
    type: 'class',
    isNegated,
    holds: (character) => isIn(character) !== isNegated,
    edges: ranges.flat().join(''),
  };
}

export function mayOverlap(left: Glob, right: Glob): boolean {
  if (left.text === right.text) return true;
  return left.choices.some((one) => right.choices.some((other) => segmentsMeet(one, other)));
}

/** Follows both at once; `at * width + other` is the state, as in a product of two automata. */
function segmentsMeet(left: readonly Segment[], right: readonly Segment[]): boolean {
  return meets({
    lefts: left.length,
    rights: right.length,
    isFreeLeft: (place) => left[place]?.type === 'any',
    isFreeRight: (place) => right[place]?.type === 'any',
    isMatch: (place, other) => segmentMeets(left[place], right[other]),
  });
}

function segmentMeets(left: Segment | undefined, right: Segment | undefined): boolean {
  if (left === undefined || right === undefined) return false;
  if (left.type === 'any' || right.type === 'any') return true;
  if (left.type === 'literal' && right.type === 'literal') return left.text === right.text;
  return tokensMeet(tokensIn(left), tokensIn(right));
}

function tokensIn(segment: Exclude<Segment, { type: 'any' }>): readonly GlobToken[] {
  if (segment.type === 'pattern') return segment.tokens;
  return [...segment.text].map((text) => ({ type: 'character', text }));
}

function tokensMeet(left: readonly GlobToken[], right: readonly GlobToken[]): boolean {
  return meets({
    lefts: left.length,
    rights: right.length,
    isFreeLeft: (place) => left[place]?.type === 'star',
    isFreeRight: (place) => right[place]?.type === 'star',
    isMatch: (place, other) => tokenMeets(left[place], right[other]),
  });
}

function tokenMeets(left: GlobToken | undefined, right: GlobToken | undefined): boolean {
  if (left === undefined || right === undefined) return false;
  if (left.type === 'star' || right.type === 'star' || left.type === 'one' || right.type === 'one') return true;
  if (left.type === 'character' && right.type === 'character') return left.text === right.text;
  if (left.type === 'character') return right.type === 'class' && right.holds(left.text);
  if (right.type === 'character') return left.holds(right.text);
  // Two ranges that share a character share one at an end of either; a negation is taken to meet any class.
  return (
    left.isNegated ||
    right.isNegated ||
    [...left.edges, ...right.edges].some((one) => left.holds(one) && right.holds(one))
  );
}

interface TwoSequences {
  readonly lefts: number;
  readonly rights: number;
  /** True for a place that may match nothing, or any number of things. */
  readonly isFreeLeft: (place: number) => boolean;
  readonly isFreeRight: (place: number) => boolean;
  readonly isMatch: (left: number, right: number) => boolean;
}

/** True when some sequence is matched by both; walks the pairs of places once each. */
function meets({ lefts, rights, isFreeLeft, isFreeRight, isMatch }: TwoSequences): boolean {
  const width = rights + 1;
  const seen = new Uint8Array((lefts + 1) * width);
  const open = [0];
  seen[0] = 1;
  const goTo = (left: number, right: number) => {
    const state = left * width + right;
    if (seen[state] === 1) return;
    seen[state] = 1;
    open.push(state);
  };
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    const left = Math.floor(state / width);
    const right = state % width;
    if (left === lefts && right === rights) return true;
    const freeLeft = left < lefts && isFreeLeft(left);
    const freeRight = right < rights && isFreeRight(right);
    if (freeLeft) goTo(left + 1, right);
    if (freeRight) goTo(left, right + 1);
    if (left >= lefts || right >= rights || !isMatch(left, right)) continue;
    goTo(freeLeft ? left : left + 1, freeRight ? right : right + 1);
  }
  return false;
}

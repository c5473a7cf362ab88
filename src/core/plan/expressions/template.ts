// Templates: Liquid, strict.
//
// template/V1. A name without a value is a failure that names it, never an empty string.
// template/V2. Lists and objects are printed as JSON.
// template/V3. No input makes it throw.

import type { LiquidVariable } from 'liquidjs/dist/liquid.browser.mjs';
import { makeBoundedCache } from './bounded-cache.ts';
import { TEMPLATE_LENGTH_MAX, globalsOf, makeLiquidEngine, refusePrinting } from './liquid.ts';
import type { Json, Template } from '../plan.ts';
import type { Reference, TextFacts, TextProblem, ValueFailure } from './text-reference.ts';

/** The scope of a text: the roots (`inputs`, `env`, `steps`, `tasks`, …) and their values. */
export type Scope = Readonly<Record<string, Json>>;

export type Rendered = { readonly type: 'rendered'; readonly text: string } | ValueFailure;

const FACTS_KEPT_MAX = 500;
const factsCache = makeBoundedCache<TextFacts>(FACTS_KEPT_MAX);
const engine = makeLiquidEngine(printValue);

/** The references of the template and its faults, without any values. */
export function readTemplate(text: Template): TextFacts {
  if (text.length > TEMPLATE_LENGTH_MAX) return { references: [], problems: [tooLong(text)] };
  return readPlainTemplate(text) ?? factsCache.of(text, readAnyTemplate);
}

export function renderTemplate(text: Template, scope: Scope): Rendered {
  if (text.length > TEMPLATE_LENGTH_MAX) {
    return { type: 'failed', reason: 'limit', name: undefined, message: tooLong(text).message };
  }
  if (!HAS_MARKUP.test(text)) return { type: 'rendered', text };
  return engine.render(text, scope);
}

/** The printed form of a value. */
export function printValue(value: unknown): string {
  if (value === undefined) refusePrinting('missing-name', 'a `{{ … }}` of this template has no value');
  if (typeof value === 'string') return value;
  return JSON.stringify(value) ?? '';
}

function tooLong(text: string): TextProblem {
  const message = `the template has ${text.length} characters, and at most ${TEMPLATE_LENGTH_MAX} are read`;
  return { message, offset: 0 };
}

/** A text without these is a literal. */
export const HAS_MARKUP = /\{[{%]/;
const PLAIN_OUTPUT = /\{\{-?\s*([A-Za-z_]\w*(?:-\w+)*(?:\.[A-Za-z_]\w*(?:-\w+)*)*)\s*-?\}\}/g;
const LITERAL_WORDS: ReadonlySet<string> = new Set(['true', 'false', 'nil', 'null', 'empty', 'blank', 'not']);
const NOTHING: TextFacts = { references: [], problems: [] };

/** Most templates contain only `{{ dotted.names }}` and need no engine. Undefined when this one contains more. */
function readPlainTemplate(text: string): TextFacts | undefined {
  if (!HAS_MARKUP.test(text)) return NOTHING;
  const references: Reference[] = [];
  let rest = 0;
  for (const match of text.matchAll(PLAIN_OUTPUT)) {
    if (HAS_MARKUP.test(text.slice(rest, match.index))) return undefined;
    rest = match.index + match[0].length;
    const [root = '', ...path] = (match[1] ?? '').split('.');
    if (LITERAL_WORDS.has(root)) return undefined;
    const offset = match.index + match[0].indexOf(root, 2);
    references.push({ root, path, offset, open: false, guarded: false });
  }
  return HAS_MARKUP.test(text.slice(rest)) ? undefined : { references, problems: [] };
}

/** A text with these handles absent values itself. */
const GUARDS = /\{%-?\s*(?:if|elsif|unless|case|liquid)\b|\|\s*default\b/;

function readAnyTemplate(text: string): TextFacts {
  const parsed = engine.parse(text);
  if (parsed.type === 'failed') {
    return { references: [], problems: [{ message: parsed.message, offset: parsed.offset }] };
  }
  const lines = lineStartsOf(text);
  const guarded = GUARDS.test(text);
  const references: Reference[] = [];
  for (const variables of Object.values(globalsOf(parsed.templates))) {
    for (const variable of variables) references.push(referenceOf(variable, { lines, guarded }));
  }
  return { references: references.sort((left, right) => left.offset - right.offset), problems: [] };
}

interface ShellSurroundings {
  /** Offset of the first character of each line. */
  readonly lines: readonly number[];
  readonly guarded: boolean;
}

function referenceOf(variable: LiquidVariable, { lines, guarded }: ShellSurroundings): Reference {
  const [root, ...rest] = variable.segments;
  const path: (string | number)[] = [];
  let open = typeof root === 'object';
  for (const segment of rest) {
    if (typeof segment === 'object') open = true;
    if (open || typeof segment === 'object') break;
    path.push(segment);
  }
  const { row, col } = variable.location;
  const offset = (lines[row - 1] ?? 0) + col - 1;
  return { root: typeof root === 'object' ? '' : String(root), path, offset, open, guarded };
}

function lineStartsOf(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

// The adapter of the Liquid engine.
//
// liquid/D1. A template reads no file, no clock and no random number: the tags and filters that could are removed.
// liquid/D2. Every value that a template prints passes through `print`, so that no value reaches a text unescaped. Tags
//   that print without it (`raw`, `cycle`, `increment`) are removed too.
// liquid/D3. Every exception of the engine becomes a failure.

import { Liquid } from 'liquidjs/dist/liquid.browser.mjs';
import { makeBoundedCache, onceAsked } from './bounded-cache.ts';
import type { LiquidTemplate } from 'liquidjs/dist/liquid.browser.mjs';
import type { ValueFailure } from './text-reference.ts';

/** Longest template, in characters. */
export const TEMPLATE_LENGTH_MAX = 1_000_000;
/** Bound on the allocations of one rendering, in the engine's own count of characters and list items. */
const RENDER_MEMORY_MAX = 20_000_000;
/** The last resort against nested loops; a useful template needs a thousandth of it. */
const RENDER_TIME_MAX_MS = 2_000;

const TAGS_LEFT_OUT = ['include', 'render', 'layout', 'block', 'cycle', 'tablerow', 'increment', 'decrement'];
const FILTERS_LEFT_OUT = 'raw sample date date_to_xmlschema date_to_rfc822 date_to_string date_to_long_string'.split(
  ' ',
);
/** These hide an expression in a string, so its references would not be known before the run. */
const FILTERS_OF_TEXT = ['where_exp', 'reject_exp', 'group_by_exp', 'has_exp', 'find_exp', 'find_index_exp'];

export type ParsedTemplate =
  | { readonly type: 'parsed'; readonly templates: readonly LiquidTemplate[] }
  | { readonly type: 'failed'; readonly message: string; readonly offset: number };

export interface LiquidEngine {
  parse(text: string): ParsedTemplate;
  render(text: string, scope: object): { readonly type: 'rendered'; readonly text: string } | ValueFailure;
}

const TEMPLATES_KEPT_MAX = 500;

/** The engine is created on first use: creating it takes a large part of the start time, and most plans need none. */
export function makeLiquidEngine(print: (value: unknown) => string): LiquidEngine {
  const liquid = onceAsked(() => {
    const engine = liquidWith(print);
    for (const tag of TAGS_LEFT_OUT) delete engine.tags[tag];
    for (const filter of [...FILTERS_LEFT_OUT, ...FILTERS_OF_TEXT]) delete engine.filters[filter];
    return engine;
  });
  const cache = makeBoundedCache<ParsedTemplate>(TEMPLATES_KEPT_MAX);
  const parse = (text: string): ParsedTemplate => cache.of(text, (source) => parseWith(liquid(), source));
  return {
    parse,
    render(text, scope) {
      const parsed = parse(text);
      if (parsed.type === 'failed')
        return { type: 'failed', reason: 'syntax', name: undefined, message: parsed.message };
      try {
        return { type: 'rendered', text: String(liquid().renderSync(parsed.templates, scope)) };
      } catch (cause) {
        return failureOf(cause);
      }
    },
  };
}

/** The names that a parsed template reads from its scope, as the engine reports them. */
export function globalsOf(templates: readonly LiquidTemplate[]) {
  return readingEngine().analyzeSync(templates, { partials: false }).globals;
}

function liquidWith(print: (value: unknown) => string): Liquid {
  return new Liquid({
    strictVariables: true,
    strictFilters: true,
    ownPropertyOnly: true,
    lenientIf: true,
    parseLimit: TEMPLATE_LENGTH_MAX,
    renderLimit: RENDER_TIME_MAX_MS,
    memoryLimit: RENDER_MEMORY_MAX,
    templates: {},
    outputEscape: print,
  });
}

const readingEngine = onceAsked(() => liquidWith(String));

function parseWith(liquid: Liquid, text: string): ParsedTemplate {
  try {
    return { type: 'parsed', templates: liquid.parse(text) };
  } catch (cause) {
    return { type: 'failed', message: sentenceOf(cause), offset: offsetOf(cause) };
  }
}

const PLACE_IN_MESSAGE = /, line:\d+, col:\d+$/;

function sentenceOf(cause: unknown): string {
  const text = cause instanceof Error ? cause.message : String(cause);
  if (text.startsWith('Maximum call stack')) return 'the template nests too deeply';
  return text.replace(PLACE_IN_MESSAGE, '');
}

function offsetOf(cause: unknown): number {
  const token = fieldOf(cause, 'token');
  const begin = fieldOf(token, 'begin');
  return typeof begin === 'number' ? begin : 0;
}

function fieldOf(value: unknown, field: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Reflect.get(value, field);
}

/** Thrown by a `print` that has no value; carries the failure through the engine. */
export function refusePrinting(reason: ValueFailure['reason'], message: string): never {
  throw Object.assign(new Error(message), { reason });
}

const MISSING = /^undefined variable: ([^,]*)/;

function failureOf(cause: unknown): ValueFailure {
  const message = sentenceOf(cause);
  const missing = MISSING.exec(message)?.[1];
  if (missing !== undefined) {
    return { type: 'failed', reason: 'missing-name', name: missing, message: `\`${missing}\` has no value` };
  }
  const refused = fieldOf(fieldOf(cause, 'originalError'), 'reason');
  if (refused === 'missing-name' || refused === 'unsafe' || refused === 'wrong-type' || refused === 'limit') {
    return { type: 'failed', reason: refused, name: undefined, message };
  }
  if (/limit exceeded|call stack/.test(message)) {
    return {
      type: 'failed',
      reason: 'limit',
      name: undefined,
      message: `the template asks for too much work (${message})`,
    };
  }
  return { type: 'failed', reason: 'wrong-type', name: undefined, message };
}

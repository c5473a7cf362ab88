// Finds the functions of a source file: their parameters and their lines. Function types and signatures count too,
// because a call with six arguments is as hard to read when only its type is written here.
//
// Limit: text is taken to be formatted, so that statements end in semicolons. When the formatter goes, parse instead.
import { isWordAt, lineAt, signAt } from './source.ts';
import type { Source } from './source.ts';

export interface FoundFunction {
  readonly line: number;
  readonly lines: number;
  readonly parameters: number;
  /** The function is an argument of a call to this name, as in `describe('…', () => {…})`. */
  readonly argumentOf: string | undefined;
}

const NOT_METHODS = new Set('if for while switch catch with return function await typeof super'.split(' '));
const MODIFIERS = new Set('async get set static public private protected override readonly *'.split(' '));
const BEFORE_A_MEMBER = new Set(['{', '}', ',', ';']);

/** Walks from `from` over one type or expression to the first sign of `stops` outside brackets. */
const walkTo = (source: Source, from: number, stops: readonly string[]): number => {
  let index = from;
  while (index < source.code.length && !stops.includes(signAt(source, index))) {
    index = (['(', '[', '{'].includes(signAt(source, index)) ? source.partner.get(index) : undefined) ?? index;
    index += 1;
  }
  return index;
};

const countParameters = (source: Source, open: number, close: number): number => {
  let angles = 0;
  let commas = 0;
  let index = open + 1;
  while (index < close) {
    const sign = signAt(source, index);
    if (sign === '<') angles += 1;
    if (sign === '>') angles -= 1;
    if (sign === ',' && angles <= 0 && index + 1 < close) commas += 1;
    index = (['(', '[', '{'].includes(sign) ? source.partner.get(index) : undefined) ?? index;
    index += 1;
  }
  return close === open + 1 ? 0 : commas + 1;
};

/** The index of `=>` when the list that closes at `close` belongs to an arrow, with or without a return type. */
const arrowAfter = (source: Source, close: number): number | undefined => {
  if (signAt(source, close + 1) === '=>') return close + 1;
  if (signAt(source, close + 1) !== ':') return undefined;
  const end = walkTo(source, close + 2, ['=>', ';', ',', ')', ']', '}', '=', ':', '?']);
  return signAt(source, end) === '=>' ? end : undefined;
};

/** Steps back over `<…>`, so that the name before type parameters is found. */
const beforeTypeParameters = (source: Source, index: number): number => {
  if (signAt(source, index) !== '>') return index;
  let depth = 0;
  for (let at = index; at >= 0; at -= 1) {
    if (signAt(source, at) === '>') depth += 1;
    if (signAt(source, at) === '<') depth -= 1;
    if (depth === 0) return at - 1;
  }
  return index;
};

/** Whether the parameter list at `open` belongs to a `function` or to a member such as `name(…): T {…}`. */
const isNamedFunction = (source: Source, open: number): boolean => {
  const name = beforeTypeParameters(source, open - 1);
  if (signAt(source, name) === 'function' || signAt(source, name - 1) === 'function') return true;
  if (signAt(source, name) === '*' || signAt(source, name - 1) === '*') return true;
  if (!isWordAt(source, name) || NOT_METHODS.has(signAt(source, name))) return false;
  let before = name - 1;
  while (MODIFIERS.has(signAt(source, before))) before -= 1;
  const next = signAt(source, (source.partner.get(open) ?? open) + 1);
  return BEFORE_A_MEMBER.has(signAt(source, before)) && (next === '{' || next === ':');
};

/** The index of the last token of a function whose parameter list closes at `close`; a signature ends there. */
const endOfNamed = (source: Source, close: number): number => {
  if (signAt(source, close + 1) === '{') return source.partner.get(close + 1) ?? close;
  if (signAt(source, close + 1) !== ':') return close;
  const isTypeLiteral = signAt(source, close + 2) === '{';
  const afterLiteral = isTypeLiteral ? (source.partner.get(close + 2) ?? close) + 1 : close + 2;
  if (isTypeLiteral && signAt(source, afterLiteral) !== '{') return walkTo(source, afterLiteral, [';', ',', '}', '{']);
  const body = walkToBody(source, afterLiteral);
  return signAt(source, body) === '{' ? (source.partner.get(body) ?? close) : close;
};

/** From inside a return type to the brace that opens the body; a brace after `|`, `&`, `<` or `=>` is still type. */
const walkToBody = (source: Source, from: number): number => {
  const stillType = new Set(['|', '&', '<', '=>', ':', ',']);
  let index = from;
  let angles = 0;
  while (index < source.code.length && ![';', ')', '}'].includes(signAt(source, index))) {
    const sign = signAt(source, index);
    if (sign === '<') angles += 1;
    if (sign === '>') angles -= 1;
    if (sign === '{' && angles === 0 && !stillType.has(signAt(source, index - 1))) return index;
    index = (['(', '[', '{'].includes(sign) ? source.partner.get(index) : undefined) ?? index;
    index += 1;
  }
  return index;
};

const endOfArrow = (source: Source, arrow: number): number => {
  if (signAt(source, arrow + 1) === '{') return source.partner.get(arrow + 1) ?? arrow;
  const end = walkTo(source, arrow + 1, [';', ',', ')', ']', '}']) - 1;
  const body = bodyAfterValue(source, arrow + 1, end);
  return body === undefined ? end : body - 1;
};

/** A brace right after a value opens a body, so what seemed an arrow was the return type before that body. */
const bodyAfterValue = (source: Source, from: number, to: number): number | undefined => {
  for (let index = from; index <= to; index += 1) {
    const isAfterValue = isWordAt(source, index - 1) || [']', '>'].includes(signAt(source, index - 1));
    if (signAt(source, index) === '{' && isAfterValue) return index;
    index = (['(', '[', '{'].includes(signAt(source, index)) ? source.partner.get(index) : undefined) ?? index;
  }
  return undefined;
};

/** The name called with this function among its arguments: `describe`, and `each` for `test.each(…)(…)`. */
const calleeOf = (source: Source, first: number): string | undefined => {
  let index = first - 1;
  while (index >= 0 && !['(', '{', '[', ';'].includes(signAt(source, index))) {
    index = ([')', '}', ']'].includes(signAt(source, index)) ? source.partner.get(index) : undefined) ?? index;
    index -= 1;
  }
  return signAt(source, index) === '(' && isWordAt(source, index - 1) ? signAt(source, index - 1) : undefined;
};

/** Every function whose parameters stand in parentheses. */
export function functionsOf(source: Source): readonly FoundFunction[] {
  const found: FoundFunction[] = [];
  for (let open = 0; open < source.code.length; open += 1) {
    if (signAt(source, open) !== '(') continue;
    const close = source.partner.get(open);
    if (close === undefined) continue;
    const isNamed = isNamedFunction(source, open);
    const arrow = isNamed ? undefined : arrowAfter(source, close);
    if (!isNamed && arrow === undefined) continue;
    const end = arrow === undefined ? endOfNamed(source, close) : endOfArrow(source, arrow);
    found.push({
      line: lineAt(source, open),
      lines: (source.code[end]?.endLine ?? lineAt(source, open)) - lineAt(source, open) + 1,
      parameters: countParameters(source, open, close),
      argumentOf: calleeOf(source, open),
    });
  }
  return found;
}

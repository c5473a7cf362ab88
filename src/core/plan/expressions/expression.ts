// Expressions: CEL.
//
// expression/E1. Whole numbers are passed as integers, other numbers as doubles; the two mix freely, as in JSON.
// expression/E2. The result is JSON, or a failure with its reason.
// expression/E3. No input makes it throw, and the work is bounded (`expression-references.ts`).

import { Environment, EvaluationError } from '@marcbachmann/cel-js';
import { makeBoundedCache, onceAsked } from './bounded-cache.ts';
import { contextOf, jsonOf } from './expression-values.ts';
import { walkExpression } from './expression-references.ts';
import type { ParseResult } from '@marcbachmann/cel-js';
import type { Expression, Json } from '../plan.ts';
import type { Reference, TextFacts, TextProblem, ValueFailure } from './text-reference.ts';
import type { Scope } from './template.ts';

export type Evaluated = { readonly type: 'value'; readonly value: Json } | ValueFailure;

export interface ExpressionFacts extends TextFacts {
  /** The static type of the result: `bool`, `int`, `string`, …; `dyn` when it is unknown. */
  readonly gives: string;
}

/** Longest expression, in characters. */
const EXPRESSION_LENGTH_MAX = 4_000;
const EXPRESSIONS_KEPT_MAX = 500;

interface CompiledExpression {
  readonly facts: ExpressionFacts;
  readonly references: readonly Reference[];
  readonly run: ParseResult | undefined;
}

type Mixed = bigint | number;

const ARITHMETIC: readonly (readonly [string, (left: number, right: number) => number])[] = [
  ['+', (left, right) => left + right],
  ['-', (left, right) => left - right],
  ['*', (left, right) => left * right],
  ['/', (left, right) => left / right],
];

const environment = onceAsked(() =>
  mixNumbers(
    new Environment({
      unlistedVariablesAreDyn: true,
      homogeneousAggregateLiterals: false,
      enableOptionalTypes: true,
      limits: { maxAstNodes: 2_000, maxDepth: 64, maxListElements: 500, maxMapEntries: 500 },
    }),
  ),
);
const compiledCache = makeBoundedCache<CompiledExpression>(EXPRESSIONS_KEPT_MAX);

/** The references of the expression and its faults, without any values. */
export function readExpression(text: Expression): ExpressionFacts {
  return compile(text).facts;
}

export function evaluate(text: Expression, scope: Scope): Evaluated {
  const { facts, references, run } = compile(text);
  const [problem] = facts.problems;
  if (problem !== undefined || run === undefined) {
    return { type: 'failed', reason: 'syntax', name: undefined, message: problem?.message ?? 'not an expression' };
  }
  try {
    const value: unknown = run(contextOf(scope, references));
    return jsonOf(value);
  } catch (cause) {
    return failureOf(cause, references);
  }
}

function mixNumbers(mixed: Environment): Environment {
  for (const [sign, work] of ARITHMETIC) {
    const both = (left: Mixed, right: Mixed) => work(Number(left), Number(right));
    mixed.registerOperator(`int ${sign} double: double`, both);
    mixed.registerOperator(`double ${sign} int: double`, both);
  }
  mixed.registerOperator('int == double: bool', (left: Mixed, right: Mixed) => Number(left) === Number(right));
  return mixed;
}

function compile(text: string): CompiledExpression {
  if (text.length > EXPRESSION_LENGTH_MAX) {
    const message = `the expression has ${text.length} characters, and at most ${EXPRESSION_LENGTH_MAX} are read`;
    return broken({ message, offset: 0 });
  }
  return compiledCache.of(text, compileAnew);
}

function compileAnew(text: string): CompiledExpression {
  try {
    const run = environment().parse(text);
    const checked = run.check();
    const { references, problems } = walkExpression(run.ast, (name) => environment().hasVariable(name));
    const ill = checked.error === undefined ? problems : [...problems, problemOf(checked.error)];
    return { facts: { references, problems: ill, gives: checked.type ?? 'dyn' }, references, run };
  } catch (cause) {
    return broken(problemOf(cause));
  }
}

function broken(problem: TextProblem): CompiledExpression {
  return { facts: { references: [], problems: [problem], gives: 'dyn' }, references: [], run: undefined };
}

function problemOf(cause: unknown): TextProblem {
  if (!(cause instanceof Error)) return { message: String(cause), offset: 0 };
  if (cause instanceof RangeError) return { message: 'the expression nests too deeply', offset: 0 };
  const summary: unknown = Reflect.get(cause, 'summary');
  const range: unknown = Reflect.get(cause, 'range');
  const start: unknown = typeof range === 'object' && range !== null ? Reflect.get(range, 'start') : 0;
  return {
    message: sentenceOf(typeof summary === 'string' ? summary : cause.message),
    offset: typeof start === 'number' ? start : 0,
  };
}

const NO_OVERLOAD = /^no such overload: (.*)$/;

function sentenceOf(summary: string): string {
  if (summary === 'Unexpected token: EOF') return 'it ends too early';
  const kinds = NO_OVERLOAD.exec(summary)?.[1];
  return kinds === undefined ? summary : `\`${kinds.replaceAll(/dyn<([^<>]*)>/g, '$1')}\` cannot be worked out`;
}

const MISSING_CODES: ReadonlySet<string> = new Set(['no_such_key', 'unknown_variable', 'index_out_of_range']);

function failureOf(cause: unknown, references: readonly Reference[]): ValueFailure {
  const { message, offset } = problemOf(cause);
  if (cause instanceof RangeError) return { type: 'failed', reason: 'limit', name: undefined, message };
  if (!(cause instanceof EvaluationError && MISSING_CODES.has(cause.code))) {
    return { type: 'failed', reason: 'wrong-type', name: undefined, message };
  }
  const name = nameAt(cause.node?.input ?? '', { offset, end: cause.range?.end ?? offset, references });
  return { type: 'failed', reason: 'missing-name', name, message: `\`${name}\` has no value` };
}

/** The dotted name that ends at the engine's error position. */
function nameAt(
  text: string,
  {
    offset,
    end,
    references,
  }: { readonly offset: number; readonly end: number; readonly references: readonly Reference[] },
): string {
  const begins = references.map((reference) => reference.offset).filter((begin) => begin <= offset);
  return text.slice(Math.max(0, ...begins), end);
}

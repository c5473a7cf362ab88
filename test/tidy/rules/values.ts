// Types and values: no hole in the types, no hidden case, named exports, and a core that is pure.
import { exportsOf } from '../imports.ts';
import { isTest, isWordAt, lineAt, signAt } from '../source.ts';
import type { Source } from '../source.ts';
import type { Violation } from '../violation.ts';

const BEFORE_A_TYPE = new Set(['<', '|', '&', 'as', 'satisfies', 'extends', 'is', '=>', 'keyof']);
const KEYWORDS = new Set('return case in of typeof new delete void throw else do yield await if while'.split(' '));

const endsAValue = (source: Source, index: number): boolean => {
  const token = source.code[index];
  if (token === undefined) return false;
  if (token.type === 'word') return !KEYWORDS.has(token.text);
  if (token.type === 'punctuation') return [')', ']', '}', '>'].includes(token.text);
  return token.type !== 'template' || token.text.endsWith('`');
};

const eachIndex = (source: Source, word: string): readonly number[] =>
  source.code.flatMap((token, index) => (token.text === word && signAt(source, index) === word ? [index] : []));

const isProperty = (source: Source, index: number): boolean =>
  ['.', '?.'].includes(signAt(source, index - 1)) || [':', '?', '('].includes(signAt(source, index + 1));

const isAnyType = (source: Source, index: number): boolean => {
  if (isProperty(source, index)) return false;
  const before = signAt(source, index - 1);
  if (BEFORE_A_TYPE.has(before)) return true;
  const after = signAt(source, index + 1);
  // `{ of: any }` may be a value called any, and only the linter, which knows types, can tell. It holds this rule too.
  if (before === ':')
    return ![',', '}', '.', '?.'].includes(after) && !(after === '[' && signAt(source, index + 2) !== ']');
  return before === ',' && after === '>';
};

export const checkAny = (source: Source): readonly Violation[] =>
  eachIndex(source, 'any')
    .filter((index) => isAnyType(source, index))
    .map((index) => ({
      path: source.path,
      line: lineAt(source, index),
      says: '`any` switches the types off for everything it touches',
      instead: 'Write `unknown` and parse it, or the type that you mean',
      rule: 'STYLE 21',
    }));

/** A `!` that touches the value before it claims that the value is there. */
const isClaim = (source: Source, index: number): boolean => {
  const before = source.code[index - 1];
  return before !== undefined && before.end === source.code[index]?.start && endsAValue(source, index - 1);
};

export const checkClaims = (source: Source): readonly Violation[] =>
  eachIndex(source, '!')
    .filter((index) => isClaim(source, index))
    .map((index) => ({
      path: source.path,
      line: lineAt(source, index),
      says: '`!` claims that a value is there without saying why',
      instead: 'Ask with an `if`, or `assert` it with a sentence that gives the reason',
      rule: 'STYLE 21',
    }));

/** A reason is a `//` comment of a few words on the same line or ending on the line before. */
const hasReason = (source: Source, line: number): boolean =>
  source.comments.some(
    (comment) =>
      comment.text.startsWith('//') &&
      (comment.line === line || comment.line === line - 1) &&
      comment.text.split(/\s+/).length >= 4,
  );

/** Whether the `as` stands in the braces or after the star of an import or export. */
const isInList = (source: Source, index: number): boolean => {
  for (let at = index - 1; at >= 0 && index - at < 200; at -= 1) {
    const sign = signAt(source, at);
    if (sign === 'import' || sign === 'export') return true;
    if (!isWordAt(source, at) && !['{', ',', '*'].includes(sign)) return false;
  }
  return false;
};

const isAssertion = (source: Source, index: number): boolean => {
  const next = source.code[index + 1];
  if (next === undefined || next.text === 'const' || isProperty(source, index)) return false;
  const startsAType = next.type !== 'punctuation' || ['{', '[', '('].includes(next.text);
  return startsAType && endsAValue(source, index - 1) && !isInList(source, index);
};

/** A parenthesised type after `as` looks like a call; the value before it tells them apart. */
const assertionsIn = (source: Source): readonly number[] =>
  eachIndex(source, 'as').filter(
    (index) =>
      isAssertion(source, index) ||
      (signAt(source, index + 1) === '(' && endsAValue(source, index - 1) && signAt(source, index - 1) !== '.'),
  );

export const checkAssertions = (source: Source): readonly Violation[] =>
  assertionsIn(source)
    .filter((index) => !hasReason(source, lineAt(source, index)))
    .map((index) => ({
      path: source.path,
      line: lineAt(source, index),
      says: '`as` tells the compiler what nobody checked',
      instead: 'Parse or narrow the value; at a door where that is done, say so in a `//` comment on the line before',
      rule: 'STYLE 21',
    }));

const isOverType = (source: Source, open: number, close: number): boolean =>
  signAt(source, close - 1) === 'type' && (['.', '?.'].includes(signAt(source, close - 2)) || close - open === 2);

/** The `default:` of a switch whose braces are at `open`, but not one of a switch inside it. */
const defaultIn = (source: Source, open: number): number | undefined => {
  const close = source.partner.get(open) ?? open;
  for (let at = open + 1; at < close; at += 1) {
    if (signAt(source, at) === 'default' && signAt(source, at + 1) === ':') return at;
    if (['(', '[', '{'].includes(signAt(source, at))) at = source.partner.get(at) ?? at;
  }
  return undefined;
};

/** Without a `default` the compiler finds every switch that a variant was added to. */
export const checkSwitches = (source: Source): readonly Violation[] =>
  eachIndex(source, 'switch').flatMap((index) => {
    const close = source.partner.get(index + 1);
    if (close === undefined || !isOverType(source, index + 1, close)) return [];
    const found = defaultIn(source, close + 1);
    if (found === undefined) return [];
    return [
      {
        path: source.path,
        line: lineAt(source, found),
        says: 'this `default` hides the variants that nobody thought of',
        instead: 'Name every variant, so that the compiler finds this switch when one is added',
        rule: 'STYLE 18',
      },
    ];
  });

/** The surfaces that the package publishes, which pass on what others export because that is what they are for. */
const PUBLISHED = new Set(['src/core/core.ts', 'src/app/app.ts']);

/** Named exports, and no file that only passes on. */
export function checkExports(source: Source): readonly Violation[] {
  const exports = exportsOf(source);
  const place = { path: source.path };
  const isConfig = source.path.endsWith('.config.ts');
  const defaults = exports
    .filter(({ name }) => name === 'default' && !isConfig)
    .map(({ line }) => ({
      ...place,
      line,
      says: 'a default export gets another name in every file that imports it',
      instead: 'Export it by name',
      rule: 'STYLE 17',
    }));
  const onlyPassesOn =
    !PUBLISHED.has(source.path) && exports.length > 0 && exports.every(({ isPassedOn }) => isPassedOn);
  if (!onlyPassesOn) return defaults;
  return [
    {
      ...place,
      line: 1,
      says: 'this file only passes on what others export, so a reader has one more stop on the way',
      instead: 'Import from the file that declares it, and delete this one',
      rule: 'STYLE 12',
    },
  ];
}

const WORLD = new Set(
  'console process performance setTimeout setInterval setImmediate queueMicrotask fetch require'.split(' '),
);
const CHANCE_AND_TIME = new Set(['Date.now', 'Math.random', 'crypto.randomUUID', 'crypto.getRandomValues']);

const impureAt = (source: Source, index: number): string | undefined => {
  const text = signAt(source, index);
  if (['.', '?.'].includes(signAt(source, index - 1))) return undefined;
  const next = signAt(source, index + 1);
  const isNamedOnly = next === ':' || (next === '?' && signAt(source, index + 2) === ':');
  if (isNamedOnly) return undefined;
  if (CHANCE_AND_TIME.has(`${text}.${signAt(source, index + 2)}`) && next === '.')
    return `${text}.${signAt(source, index + 2)}`;
  if (WORLD.has(text) && ['.', '(', '['].includes(next)) return text;
  if (text === 'new' && next === 'Date' && signAt(source, index + 3) === ')') return 'new Date()';
  if (text === 'await' && !['=', ',', ')', ';', '}'].includes(next)) return 'await';
  if (text === 'async' && (next === 'function' || next === '(' || signAt(source, index + 2) === '=>')) return 'async';
  return undefined;
};

const isCore = (source: Source): boolean => source.path.startsWith('src/core/') && !isTest(source.path);

/** Core is values in, values out. Its tsconfig takes most of the world away; this takes the rest. */
export function checkPurity(source: Source): readonly Violation[] {
  if (!isCore(source)) return [];
  return source.code.flatMap((_, index) => {
    const found = impureAt(source, index);
    if (found === undefined) return [];
    return [
      {
        path: source.path,
        line: lineAt(source, index),
        says: `${found} reaches out of core, so the same log would not always give the same state`,
        instead: 'Take the time, the seed or the value as an argument, and let the shell fetch it',
        rule: 'STYLE 1',
      },
    ];
  });
}

export function checkClasses(source: Source): readonly Violation[] {
  if (!isCore(source)) return [];
  return eachIndex(source, 'class')
    .filter((index) => !isProperty(source, index) && (isWordAt(source, index + 1) || signAt(source, index + 1) === '{'))
    .map((index) => ({
      path: source.path,
      line: lineAt(source, index),
      says: 'a class in core hides data behind methods, and core is plain data',
      instead: 'Write an interface for the data and functions over it',
      rule: 'STYLE 22',
    }));
}

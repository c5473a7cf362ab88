// Shapes of single values: text, booleans, whole numbers, enumerations.

import { findForbidden } from '../source/forbidden-characters.ts';
import { reportFinding } from '../source/source-reader.ts';
import type { SourceReader } from '../source/source-reader.ts';
import type { SourceNode } from '../source/source-node.ts';
import { nearest } from './nearest-name.ts';
import { describeNode, shapeLabelOf, quoteShort, wrongType } from './shape.ts';
import type { Shape } from './shape.ts';

export function textShape(): Shape<string> {
  return {
    name: 'text',
    schema: () => ({ type: 'string', pattern: '\\S' }),
    read: (node, reading) => {
      if (node.type !== 'scalar' || typeof node.value !== 'string') return notText(node, reading);
      const forbidden = findForbidden(node.value);
      if (forbidden !== undefined) return forbiddenInText(node, reading, forbidden);
      if (node.value.trim() !== '') return node.value;
      return wrongType({
        node,
        reading,
        wanted: 'text that says something',
        hint: 'Write the text, or delete the key.',
      });
    },
  };
}

function notText(node: SourceNode, reading: SourceReader): undefined {
  const isPlainWord = node.type === 'scalar' && node.value !== null;
  const hint = isPlainWord
    ? `Put it in quotes: ${JSON.stringify(String(node.value))}.`
    : 'Write one text; a long one goes under a | on the lines below.';
  return wrongType({ node, reading, wanted: 'text', hint });
}

function forbiddenInText(node: SourceNode, reading: SourceReader, character: string): undefined {
  reportFinding(reading, {
    code: 'forbidden-character',
    offset: node.start,
    message: `${shapeLabelOf(reading)} contains the character ${character}, which no command or file can carry.`,
    hint: 'Delete the escape that stands for it.',
  });
  return undefined;
}

/** Text that must match a pattern, with a message for text that does not. */
export function pattern(given: {
  readonly matches: RegExp;
  readonly wanted: string;
  readonly hint: string;
  readonly code: string;
}): Shape<string> {
  const any = textShape();
  return {
    name: given.wanted,
    schema: () => ({ type: 'string', pattern: given.matches.source }),
    read: (node, reading) => {
      const value = any.read(node, reading);
      if (value === undefined || given.matches.test(value)) return value;
      reportFinding(reading, {
        code: given.code,
        offset: node.start,
        message: `${shapeLabelOf(reading)} must be ${given.wanted}, got ${quoteShort(value)}.`,
        hint: given.hint,
      });
      return undefined;
    },
  };
}

const MEANT_AS_BOOLEAN: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  ['yes', true],
  ['on', true],
  ['no', false],
  ['off', false],
]);

export function boolean(): Shape<boolean> {
  return {
    name: 'true or false',
    schema: () => ({ type: 'boolean' }),
    read: (node, reading) => {
      if (node.type === 'scalar' && typeof node.value === 'boolean') return node.value;
      const meant = node.type === 'scalar' ? MEANT_AS_BOOLEAN.get(node.value) : undefined;
      const hint = meant === undefined ? 'Write true or false, without quotes.' : `Write ${meant}.`;
      return wrongType({ node, reading, wanted: 'true or false', hint });
    },
  };
}

export interface NumberRange {
  readonly min: number;
  readonly max: number;
}

export function integer(range: NumberRange): Shape<number> {
  return {
    name: 'a whole number',
    schema: () => ({ type: 'integer', minimum: range.min, maximum: range.max }),
    read: (node, reading) => {
      if (node.type !== 'scalar' || typeof node.value !== 'number' || !Number.isInteger(node.value)) {
        const hint = `Write a number between ${range.min} and ${range.max}, without quotes.`;
        return wrongType({ node, reading, wanted: 'a whole number', hint });
      }
      return withinRange({ node, reading, value: node.value, range, show: String });
    },
  };
}

/** The value if it is in range; otherwise reports the range. */
export function withinRange(given: {
  readonly node: SourceNode;
  readonly reading: SourceReader;
  readonly value: number;
  readonly range: NumberRange;
  readonly show: (value: number) => string;
}): number | undefined {
  const { node, reading, value, range, show } = given;
  if (value >= range.min && value <= range.max) return value;
  reportFinding(reading, {
    code: 'out-of-range',
    offset: node.start,
    message: `${shapeLabelOf(reading)} must be between ${show(range.min)} and ${show(range.max)}, got ${show(value)}.`,
    hint: value < range.min ? `Write ${show(range.min)} or more.` : `Write ${show(range.max)} or less.`,
  });
  return undefined;
}

/** An enumeration of words. */
export function choice<const Word extends string>(...words: readonly Word[]): Shape<Word> {
  const listed = words.join(', ');
  return {
    name: `one of ${listed}`,
    schema: () => ({ enum: words }),
    read: (node, reading) => {
      const written = node.type === 'scalar' ? node.value : undefined;
      const found = words.find((word) => word === written);
      if (found !== undefined) return found;
      if (typeof written !== 'string') {
        return wrongType({ node, reading, wanted: `one of ${listed}`, hint: `Write ${words.join(' or ')}.` });
      }
      const meant = nearest(written, words);
      reportFinding(reading, {
        code: 'invalid-value',
        offset: node.start,
        message: `${shapeLabelOf(reading)} must be one of ${listed}, got ${describeNode(node)}.`,
        hint: meant === undefined ? `Write ${words.join(' or ')}.` : `Did you mean ${meant}?`,
      });
      return undefined;
    },
  };
}

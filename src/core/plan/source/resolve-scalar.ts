// The value of a plain scalar under the core schema of YAML 1.2: `yes` is text, `0o17` is fifteen, `~` is null.
// Standard tags are applied where they fit; all others would need code to interpret them.

import type { Scalar } from './source-node.ts';
import { reportFinding, type SourceReader } from './source-reader.ts';

const INTEGER = /^[-+]?[0-9]+$/;
const OCTAL = /^0o[0-7]+$/;
const HEXADECIMAL = /^0x[0-9a-fA-F]+$/;
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const INFINITE = /^[-+]?\.(?:inf|Inf|INF)$/;

const WORDS: ReadonlyMap<string, Scalar> = new Map<string, Scalar>([
  ['', null],
  ['~', null],
  ['null', null],
  ['Null', null],
  ['NULL', null],
  ['true', true],
  ['True', true],
  ['TRUE', true],
  ['false', false],
  ['False', false],
  ['FALSE', false],
  ['.nan', Number.NaN],
  ['.NaN', Number.NaN],
  ['.NAN', Number.NaN],
]);
const WORD_LENGTH_MAX = 5;

export function resolveScalar(text: string): Scalar {
  if (text.length <= WORD_LENGTH_MAX) {
    const word = WORDS.get(text);
    if (word !== undefined) return word;
  }
  return mayBeNumber(text.charCodeAt(0)) ? resolveNumber(text) : text;
}

/** Possible first characters of a number; every other scalar is text without further checks. */
function mayBeNumber(code: number): boolean {
  return (code >= 48 && code <= 57) || code === 43 || code === 45 || code === 46;
}

function resolveNumber(text: string): Scalar {
  if (INTEGER.test(text) || FLOAT.test(text)) return Number(text);
  if (OCTAL.test(text) || HEXADECIMAL.test(text)) return Number(text);
  if (INFINITE.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  return text;
}

type TagName = 'str' | 'int' | 'float' | 'bool' | 'null' | 'map' | 'seq';

const STANDARD: ReadonlyMap<string, TagName> = new Map(
  (['str', 'int', 'float', 'bool', 'null', 'map', 'seq'] as const).flatMap((name) => [
    [`!!${name}`, name] as const,
    [`!<tag:yaml.org,2002:${name}>`, name] as const,
  ]),
);

/** The standard tag of a node; undefined when it has none that can be used. A foreign tag is reported. */
export function readTag(given: {
  readonly reading: SourceReader;
  readonly text: string;
  readonly event: { readonly tagStart: number; readonly tagEnd: number };
  readonly allowed: readonly TagName[];
}): TagName | undefined {
  const { reading, text, event, allowed } = given;
  if (event.tagStart === -1) return undefined;
  const written = text.slice(event.tagStart, event.tagEnd);
  const tag = written === '!' && allowed.includes('str') ? 'str' : STANDARD.get(written);
  if (tag !== undefined && allowed.includes(tag)) return tag;
  if (written === '!') return undefined;
  reportFinding(reading, {
    code: 'unsupported-tag',
    offset: event.tagStart,
    message: `The tag ${written} means nothing ${tag === undefined ? 'in a plan' : 'on a value of this kind'}.`,
    hint: 'Delete the tag; write text in quotes where it could be taken for a number.',
  });
  return undefined;
}

export function scalarUnderTag(given: {
  readonly reading: SourceReader;
  readonly text: string;
  readonly tag: TagName | undefined;
  readonly plain: boolean;
  readonly offset: number;
}): Scalar {
  const { text, tag } = given;
  if (tag === undefined) return given.plain ? resolveScalar(text) : text;
  if (tag === 'str') return text;
  const value = resolveScalar(text);
  if (fits(value, tag)) return value;
  reportFinding(given.reading, {
    code: 'unsupported-tag',
    offset: given.offset,
    message: `The value is tagged !!${tag}, but ${JSON.stringify(text)} is not one.`,
    hint: 'Delete the tag or write a value that fits it.',
  });
  return value;
}

function fits(value: Scalar, tag: TagName): boolean {
  if (tag === 'null') return value === null;
  if (tag === 'bool') return typeof value === 'boolean';
  if (tag === 'int') return Number.isInteger(value);
  return tag === 'float' && typeof value === 'number';
}

// The value of a plain scalar under the core schema of YAML 1.2: `yes` is text, `0o17` is fifteen, `~` is null.

import type { Scalar } from './source-node.ts';

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

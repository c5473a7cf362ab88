// How a text is written so that it is read back as the same text: plain where that is safe, as a block where it has
// lines, in double quotes otherwise.

import { resolveScalar } from '../source/resolve-scalar.ts';

/** Words that older YAML takes for booleans; other tools may read what we print. */
const OLD_BOOLEAN = /^(?:y|n|yes|no|on|off)$/i;
const PLAIN_IN_FLOW = /^[A-Za-z0-9_/$.](?:[\w /.$@%+=*()-]*[\w/.$@%+=*()-])?$/;
/** In a block no bracket, comma or quote inside a text matters, if only it does not come first. */
const PLAIN_IN_BLOCK = /^[A-Za-z0-9_/$.(](?:[\x20-\x7E\p{L}]*[\x21-\x39\x3B-\x7E\p{L}])?$/u;
const NEEDS_ESCAPE = /[\u007F-\u009F\u2028\u2029\uFEFF\uFFFE\uFFFF]/g;
const CONTROL = /[^\t\n\x20-\x7E\p{L}\p{N}\p{P}\p{S}\p{M}]/u;

export function writeText(value: string, indent: number): string {
  if (isPlainInBlock(value)) return value;
  return isBlock(value) ? writeBlock(value, indent) : quote(value);
}

export function writeKey(key: string): string {
  return isPlainInFlow(key) && !key.includes(' ') ? key : quote(key);
}

/** Large whole numbers are written with an exponent; twenty digits would be refused as not exact. */
export function writeNumber(value: number): string {
  if (Object.is(value, -0)) return '-0';
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? value.toExponential() : String(value);
}

export function isPlainInFlow(value: string): boolean {
  return PLAIN_IN_FLOW.test(value) && isText(value);
}

function isPlainInBlock(value: string): boolean {
  return PLAIN_IN_BLOCK.test(value) && !/: | #/.test(value) && isText(value);
}

/** Whether a plain word would be read as text at all. */
function isText(value: string): boolean {
  return typeof resolveScalar(value) === 'string' && !OLD_BOOLEAN.test(value);
}

/** Lines that a literal block keeps exactly as they are. */
function isBlock(value: string): boolean {
  if (!value.includes('\n') || CONTROL.test(value) || value.search(NEEDS_ESCAPE) !== -1) return false;
  const lines = value.endsWith('\n') ? value.slice(0, -1).split('\n') : value.split('\n');
  const [first = '', last = ''] = [lines[0], lines.at(-1)];
  return (
    /^[^ \t]/.test(first) && last !== '' && lines.every((line) => line === '' || /\S/.test(line)) && !/^\t/m.test(value)
  );
}

function writeBlock(value: string, indent: number): string {
  const pad = ' '.repeat(Math.max(indent, 2));
  const body = value.endsWith('\n') ? value.slice(0, -1) : value;
  const lines = body.split('\n').map((line) => (line === '' ? '' : `${pad}${line}`));
  return `|${value.endsWith('\n') ? '' : '-'}\n${lines.join('\n')}`;
}

/** JSON's escapes are YAML's too; some characters that JSON leaves alone YAML does not. */
export function quote(value: string): string {
  return JSON.stringify(value).replace(
    NEEDS_ESCAPE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

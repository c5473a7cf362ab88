// Characters that YAML forbids and that no command, branch or file name can contain. They are reported and skipped, so
// that the rest of the text is still read.

import { positionAt, reportFinding } from './source-reader.ts';
import type { SourceReader } from './source-reader.ts';

const LONE_SURROGATE = '[\\uD800-\\uDBFF](?![\\uDC00-\\uDFFF])|(?<![\\uD800-\\uDBFF])[\\uDC00-\\uDFFF]';
const CONTROL = '[\\x00-\\x08\\x0B\\x0C\\x0E-\\x1F\\x7F-\\x84\\x86-\\x9F\\uFFFE\\uFFFF]';
const FORBIDDEN = new RegExp(`${CONTROL}|${LONE_SURROGATE}`, 'g');
/** Escapes may produce other control characters on purpose; these two are valid nowhere. */
const FORBIDDEN_IN_VALUE = new RegExp(`\\x00|${LONE_SURROGATE}`);
/** A binary file has thousands of them; this many suffice to recognise one. */
const REPORTED_MAX = 20;

/** The text with each forbidden character replaced by a space, so that offsets stay valid. */
export function replaceForbidden(reading: SourceReader): string {
  let reported = 0;
  return reading.text.replace(FORBIDDEN, (character: string, offset: number) => {
    if (reported < REPORTED_MAX) {
      reportFinding(reading, {
        code: 'forbidden-character',
        offset,
        message: `The character ${nameOf(character)} is not allowed in a plan.`,
        hint: `Delete it at column ${positionAt(reading, offset).column}; if the file looks right, save it again as UTF-8.`,
      });
    }
    reported += 1;
    return ' ';
  });
}

/** The first forbidden character of a value that was written with escapes, such as `"\0"`. */
export function findForbidden(value: string): string | undefined {
  const at = value.search(FORBIDDEN_IN_VALUE);
  return at === -1 ? undefined : nameOf(value.charAt(at));
}

function nameOf(character: string): string {
  return `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}

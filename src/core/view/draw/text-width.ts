// How wide a text will be, without a font at hand: widths of an ordinary sans-serif face, in thousandths of its size,
// a little on the wide side, because a label that leaves its box is worse than a box that is a little too wide.

import { graphemesOf } from './label.ts';

/** Some common faces are this much wider than the one the table was made for. */
const FACES = 1.06;

const NARROW = "iljI.,:;'|!`";
const SLIM = 'ft()[]{}r/\\ "*-';
const BROAD = 'mwMW@%—…';
const WIDE_EMOJI = /\p{Extended_Pictographic}/u;
const EAST_ASIAN =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\u33FF\u3400-\u4DBF\u4E00-\u9FFF\uA000-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{20000}-\u{3FFFD}]/u;
const CAPITAL = /[\p{Lu}]/u;
const MARK_ONLY = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;

function thousandthsOf(character: string): number {
  if (NARROW.includes(character)) return 300;
  if (SLIM.includes(character)) return 390;
  if (BROAD.includes(character)) return 940;
  if (character >= 'a' && character <= 'z') return 580;
  if (character >= '0' && character <= '9') return 600;
  if (isWide(character)) return 1060;
  if (CAPITAL.test(character)) return 720;
  return 640;
}

/** True for characters as wide as an ideograph. */
function isWide(character: string): boolean {
  return EAST_ASIAN.test(character) || (WIDE_EMOJI.test(character) && (character.codePointAt(0) ?? 0) > 0x2300);
}

/** Pixels that a line takes at a font size. */
export function textWidth(text: string, fontSize: number): number {
  let thousandths = 0;
  for (const character of graphemesOf(text)) thousandths += thousandthsOf(character);
  return (thousandths * fontSize * FACES) / 1000;
}

/** Columns that a line takes in a terminal: two for East Asian characters and emoji, none for a lone mark. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of graphemesOf(text)) columns += columnsOfCharacter(character);
  return columns;
}

/** Exactly `columns` columns: cut with an ellipsis or filled with spaces. */
export function fitColumns(text: string, columns: number, ellipsis = '…'): string {
  const width = columnsOf(text);
  if (width <= columns) return text + ' '.repeat(columns - width);
  const room = Math.max(0, columns - ellipsis.length);
  let kept = '';
  let used = 0;
  for (const character of graphemesOf(text)) {
    const next = used + columnsOfCharacter(character);
    if (next > room) break;
    kept += character;
    used = next;
  }
  return kept + ellipsis.slice(0, columns) + ' '.repeat(Math.max(0, room - used));
}

/** Pictures that terminals draw as text, such as `⏺` and `✔`, take one column unless U+FE0F asks for the picture. */
const TERMINAL_EMOJI = /\p{Emoji_Presentation}|\uFE0F/u;

function columnsOfCharacter(character: string): number {
  if (MARK_ONLY.test(character)) return 0;
  return EAST_ASIAN.test(character) || TERMINAL_EMOJI.test(character) ? 2 : 1;
}

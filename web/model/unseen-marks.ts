// Foreign text with a mark in the place of every character that cannot be seen: controls, escapes, and marks that turn the
// direction of the text after them. So nothing in a diff, a path or a prompt hides what it says.
//
// unseen-marks/U1. The text of all pieces that are no marks has no such character, and nothing else is left out.

export interface MarkedPiece {
  readonly text: string;
  /** A mark instead of something that cannot be seen. */
  readonly isMark: boolean;
}

/** Marks of direction and characters without width, but not the joiner between two pictures of one emoji. */
const UNSEEN =
  /[\u061C\u200B\u200C\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF]|(?<!\p{Extended_Pictographic}(?:\uFE0F|\p{Emoji_Modifier})?)\u200D/u;
/** Line feeds and tabs are seen. */
const CONTROL = /(?![\t\n])\p{Cc}/u;
const EITHER = new RegExp(`${UNSEEN.source}|${CONTROL.source}`, 'gu');

const markOf = (character: string): string => {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `[U+${code}]`;
};

/** The returns before line feeds of files from other systems are no secret. */
export const markUnseen = (text: string): readonly MarkedPiece[] =>
  piecesOf(text.replaceAll(/\r(?=\n|$)/g, ''), EITHER);

/** Controls are left as they are, for a reader that understands them. */
export const markDirections = (text: string): readonly MarkedPiece[] => piecesOf(text, DIRECTIONS);

const DIRECTIONS = new RegExp(UNSEEN.source, 'gu');

function piecesOf(text: string, unseen: RegExp): readonly MarkedPiece[] {
  const pieces: MarkedPiece[] = [];
  let at = 0;
  for (const found of text.matchAll(unseen)) {
    if (found.index > at) pieces.push({ text: text.slice(at, found.index), isMark: false });
    pieces.push({ text: markOf(found[0]), isMark: true });
    at = found.index + found[0].length;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), isMark: false });
  return pieces;
}

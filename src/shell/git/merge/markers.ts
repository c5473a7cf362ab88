// Conflict markers in the text of a file.

const FENCE = /^(?:<{7,}|>{7,}|\|{7,})(?: |$)/;
const MIDDLE = /^={7,}$/;

const linesOf = (content: Buffer): readonly string[] => content.toString('latin1').split(/\r?\n/);

/**
 * Whether a text has lines that look like conflict markers and come from neither side. A side may have such lines of
 * its own: the middle marker is also an underline of headings.
 */
export function hasMarkers(content: Buffer, sides: readonly Buffer[]): boolean {
  const lines = linesOf(content);
  const theirs = sides.flatMap(linesOf);
  const known = new Set(theirs);
  const middles = (all: readonly string[]): number => all.filter((line) => MIDDLE.test(line)).length;
  return lines.some((line) => FENCE.test(line) && !known.has(line)) || middles(lines) > middles(theirs);
}

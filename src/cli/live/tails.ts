// The end of what workers have printed, read again only when it has grown.
import { stripVTControlCharacters } from 'node:util';
import type { ClaimRef } from '../../core/protocol/assignment.ts';
import type { ReadEnd } from '../../app/read/output-reader.ts';

/** As much as a screen shows of a line, and some to spare for lines that say nothing. */
const LINE_BYTES = 4 * 1024;
/** As far back as the output of a task can be read in the view; heddle logs has all of it. */
const LINES_BYTES = 256 * 1024;

export interface Tails {
  /** The last line that says anything; undefined when there is none. */
  readonly lastLine: (claim: ClaimRef) => string | undefined;
  readonly lines: (claim: ClaimRef) => readonly string[];
}

interface Kept {
  readonly mark: string;
  readonly lines: readonly string[];
}

export function openTails(readEnd: ReadEnd): Tails {
  const short = new Map<string, Kept>();
  const long = new Map<string, Kept>();
  const read = (kept: Map<string, Kept>, claim: ClaimRef, bytes: number): readonly string[] => {
    const key = `${claim.task} ${claim.step ?? ''} ${claim.attempt}`;
    const end = readEnd(claim, bytes, kept.get(key));
    if (end === undefined) return [];
    const { lines, mark } = 'lines' in end ? end : { mark: end.mark, lines: linesOf(end.text, end.isCut) };
    kept.set(key, { mark, lines });
    return lines;
  };
  return {
    lastLine: (claim) => read(short, claim, LINE_BYTES).findLast((line) => line.trim() !== ''),
    lines: (claim) => {
      // Only one is looked at.
      if (long.size > 1) long.clear();
      return read(long, claim, LINES_BYTES);
    },
  };
}

/** As a terminal would leave them: what a carriage return wrote over is gone, and nothing steers. */
function linesOf(text: string, isCut: boolean): readonly string[] {
  const lines = stripVTControlCharacters(text)
    .replace(/\r?\n$/, '')
    .split(/\r?\n/);
  return (isCut ? lines.slice(1) : lines).map((line) => line.slice(line.lastIndexOf('\r') + 1));
}

// The tail of workers' output, read again only when it has grown.
import type { ClaimRef } from '../../core/protocol/assignment.ts';
import type { ReadEnd } from '../../app/read/output-reader.ts';
import { terminalText } from '../terminal/terminal-text.ts';

/** The length of a line on a screen, with a margin for blank lines. */
const LINE_BYTES = 4 * 1024;
/** As far back as the output of a task can be read and searched in the view; heddle logs has all of it. */
const LINES_BYTES = 1024 * 1024;

export interface OutputLine {
  /** Where it begins, in bytes from the start of the output: it stays the same while more comes. */
  readonly at: number;
  readonly text: string;
}

export interface Output {
  readonly lines: readonly OutputLine[];
  /** Whether something came before the lines. */
  readonly isCut: boolean;
}

export interface Tails {
  /** The last line that is not blank; undefined when there is none. */
  readonly lastLine: (claim: ClaimRef) => string | undefined;
  readonly output: (claim: ClaimRef) => Output;
}

interface Kept extends Output {
  readonly mark: string;
}

const NOTHING: Output = { lines: [], isCut: false };

export function openTails(readEnd: ReadEnd): Tails {
  const short = new Map<string, Kept>();
  const long = new Map<string, Kept>();
  const read = (kept: Map<string, Kept>, claim: ClaimRef, bytes: number): Output => {
    const key = `${claim.task} ${claim.step ?? ''} ${claim.attempt}`;
    const end = readEnd(claim, bytes, kept.get(key));
    if (end === undefined) return NOTHING;
    const read = 'lines' in end ? end : { mark: end.mark, isCut: end.from > 0, lines: linesOf(end.text, end.from) };
    kept.set(key, read);
    return read;
  };
  return {
    lastLine: (claim) => read(short, claim, LINE_BYTES).lines.findLast(({ text }) => text.trim() !== '')?.text,
    output: (claim) => {
      // Only one is looked at.
      if (long.size > 1) long.clear();
      return read(long, claim, LINES_BYTES);
    },
  };
}

/** As a terminal shows them: text before a carriage return is overwritten, and control sequences are removed. */
function linesOf(text: string, from: number): readonly OutputLine[] {
  let at = from;
  const lines = text.split('\n').map((line) => {
    const begins = at;
    at += Buffer.byteLength(line) + 1;
    const shown = line.replace(/\r+$/u, '');
    return { at: begins, text: terminalText(shown.slice(shown.lastIndexOf('\r') + 1), { colour: false }) };
  });
  const whole = text.endsWith('\n') ? lines.slice(0, -1) : lines;
  // The first piece after a cut is the end of a line.
  return from > 0 ? whole.slice(1) : whole;
}

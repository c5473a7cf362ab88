// The state of reading one text: the text, the current path and the diagnostics so far.
//
// source-reader/R1. `path` is the current position; code that enters a key or an item pushes it and pops it again.
// source-reader/R2. `diagnostics` only grows, so its length before and after shows whether a part was valid.

import { DIAGNOSTICS_MAX } from './limits.ts';
import type { Diagnostic, Position, SourcePath } from '../diagnostic.ts';

export interface SourceReader {
  readonly file: string;
  readonly text: string;
  readonly path: (string | number)[];
  readonly diagnostics: Diagnostic[];
  readonly counts: Record<Diagnostic['severity'], number>;
  /** Offsets at which lines begin; filled on the first report. */
  readonly lineStarts: number[];
}

export interface SourceFinding {
  readonly code: string;
  readonly offset: number;
  readonly message: string;
  readonly hint: string;
  readonly severity?: 'error' | 'warning';
  /** The position in the plan; the current path by default. */
  readonly path?: SourcePath;
}

export function startReading(file: string, text: string): SourceReader {
  return { file, text, path: [], diagnostics: [], counts: { error: 0, warning: 0 }, lineStarts: [] };
}

export function reportFinding(reading: SourceReader, finding: SourceFinding): void {
  const severity = finding.severity ?? 'error';
  reading.counts[severity] += 1;
  const count = reading.counts[severity];
  if (count <= DIAGNOSTICS_MAX) keep(reading, finding);
  else if (count === DIAGNOSTICS_MAX + 1) keep(reading, tooMany(finding, severity));
}

/** Whether another error would be shown; callers check this first where the message is expensive. */
export function isFull(reading: SourceReader): boolean {
  return reading.counts.error > DIAGNOSTICS_MAX;
}

function tooMany(finding: SourceFinding, severity: Diagnostic['severity']): SourceFinding {
  return {
    code: 'too-many-diagnostics',
    severity,
    offset: finding.offset,
    message: `There are more than ${DIAGNOSTICS_MAX} ${severity}s; this is the last one that is shown.`,
    hint: 'Mend those above first, and look again.',
  };
}

function keep(reading: SourceReader, finding: SourceFinding): void {
  reading.diagnostics.push({
    code: finding.code,
    severity: finding.severity ?? 'error',
    message: finding.message,
    hint: finding.hint,
    file: reading.file,
    position: positionAt(reading, finding.offset),
    path: finding.path ?? reading.path.slice(),
  });
}

export function lineAt(reading: SourceReader, offset: number): number {
  return positionAt(reading, offset).line;
}

export function positionAt(reading: SourceReader, offset: number): Position {
  const starts = reading.lineStarts;
  if (starts.length === 0) fillLineStarts(reading);
  const within = Math.min(Math.max(offset, 0), reading.text.length);
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= within) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: within - (starts[low] ?? 0) + 1 };
}

/** A line ends at `\n`, at `\r\n` and at a lone `\r`, as in YAML. */
function fillLineStarts(reading: SourceReader): void {
  reading.lineStarts.push(0);
  const breaks = /\r\n|\n|\r/g;
  for (let found = breaks.exec(reading.text); found !== null; found = breaks.exec(reading.text)) {
    reading.lineStarts.push(breaks.lastIndex);
  }
}

/** Compares the positions of two diagnostics in reading order; the plan's own file comes before the others. */
export function byPosition(left: Diagnostic, right: Diagnostic): number {
  return left.position.line - right.position.line || left.position.column - right.position.column;
}

// One text being read, and what was found wrong with it so far.
//
// source-reader/R1. `path` is where the reader stands; whoever enters a key or an item pushes it and pops it again.
// source-reader/R2. `diagnostics` only grows, so its length before and after tells whether a part was sound.

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
  /** The place in the plan; where the reader stands unless given. */
  readonly path?: SourcePath;
}

export function startReading(file: string, text: string): SourceReader {
  return { file, text, path: [], diagnostics: [], counts: { error: 0, warning: 0 }, lineStarts: [] };
}

export function report(reading: SourceReader, finding: SourceFinding): void {
  const severity = finding.severity ?? 'error';
  reading.counts[severity] += 1;
  const count = reading.counts[severity];
  if (count <= DIAGNOSTICS_MAX) keep(reading, finding);
  else if (count === DIAGNOSTICS_MAX + 1) keep(reading, tooMany(finding, severity));
}

/** Whether another error would be shown; where making its sentence is dear, ask first. */
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

/** A line ends at `\n`, at `\r\n` and at a lone `\r`, as YAML has it. */
function fillLineStarts(reading: SourceReader): void {
  reading.lineStarts.push(0);
  const breaks = /\r\n|\n|\r/g;
  for (let found = breaks.exec(reading.text); found !== null; found = breaks.exec(reading.text)) {
    reading.lineStarts.push(breaks.lastIndex);
  }
}

/** Positions of two diagnostics in the order a reader meets them; the plan's own file comes before the others. */
export function byPosition(left: Diagnostic, right: Diagnostic): number {
  return left.position.line - right.position.line || left.position.column - right.position.column;
}

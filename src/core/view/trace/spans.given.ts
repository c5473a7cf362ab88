// Spans for tests: of logs, and as lines that people can compare.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunEvent } from '../../engine/event.ts';
import { readEvent } from '../../engine/events/event-format.ts';
import { spansOf } from './follow-trace.ts';
import type { TraceGiven } from './trace-memory.ts';
import type { TraceSpan } from './trace-span.ts';

export const PLAIN_TRACE: TraceGiven = { run: 'given-1', hasContent: false, areAgentsJoined: false };

export const tracedOf = (log: readonly RunEvent[], given: Partial<TraceGiven> = {}): readonly TraceSpan[] =>
  spansOf(log, { ...PLAIN_TRACE, ...given });

/** One line for each span, by start, below its parent. */
export function outlineOfSpans(spans: readonly TraceSpan[]): readonly string[] {
  const ids = new Set(spans.map(({ spanId }) => spanId));
  const below = Map.groupBy(spans, ({ parent }) => (parent !== undefined && ids.has(parent) ? parent : ''));
  const lines = (parent: string, depth: number): readonly string[] =>
    (below.get(parent) ?? [])
      .toSorted((one, other) => one.startMs - other.startMs)
      .flatMap((span) => [`${'  '.repeat(depth)}${lineOf(span)}`, ...lines(span.spanId, depth + 1)]);
  return lines('', 0);
}

const lineOf = ({ name, startMs, endMs, status, attributes }: TraceSpan): string => {
  const { 'heddle.result': result, 'heddle.reason': reason, 'heddle.tokens': tokens } = attributes;
  const said = [result, reason, tokens === undefined ? undefined : `${tokens} tokens`].filter(
    (each) => each !== undefined,
  );
  return `${name} ${startMs}–${endMs} ${status}: ${said.join(', ')}`;
};

export function readGoldenLog(file: string): readonly RunEvent[] {
  const lines = readFileSync(join(import.meta.dirname, file), 'utf8')
    .trimEnd()
    .split('\n');
  return lines.map((line) => {
    const read = readEvent(line);
    if (read.type === 'failed') throw new Error(read.message);
    return read.event;
  });
}

// The timeline of a run: the events that matter to a reader who was not there, in order.
import type { RunEvent } from '../../engine/event.ts';
import type { Label } from '../../engine/events/event-fields.ts';
import { labelOf, runStageAfter } from '../../engine/events/event-table.ts';
import type { Span } from './claim-spans.ts';

export interface TimelineEntry extends Label {
  /** Milliseconds since the run began. */
  readonly atMs: number;
}

export function timelineOf(events: readonly RunEvent[]): readonly TimelineEntry[] {
  const startedAt = events[0]?.at ?? 0;
  return events.flatMap((event): TimelineEntry[] => {
    const label = labelOf(event);
    return label === undefined ? [] : [{ ...label, atMs: Math.max(0, event.at - startedAt) }];
  });
}

/** The intervals in which the run was paused, by a person or by itself. */
export function pausesIn(events: readonly RunEvent[]): readonly Span[] {
  const startedAt = events[0]?.at ?? 0;
  const spans: { startMs: number; endMs: number | undefined }[] = [];
  for (const event of events) {
    const stage = runStageAfter(event);
    if (stage === undefined) continue;
    const last = spans.at(-1);
    const ms = Math.max(0, event.at - startedAt);
    const isOpen = last !== undefined && last.endMs === undefined;
    if (stage === 'paused' && !isOpen) spans.push({ startMs: ms, endMs: undefined });
    if (stage !== 'paused' && isOpen) last.endMs = Math.max(last.startMs, ms);
  }
  return spans;
}

// The spans of a log as it grows, for the pump: read page by page, never further ahead than the collector takes them.
import type { RunEvent } from '../../core/engine/event.ts';
import { followTrace, type TraceFollower } from '../../core/view/trace/follow-trace.ts';
import type { TraceGiven } from '../../core/view/trace/trace-memory.ts';
import type { TraceSpan } from '../../core/view/trace/trace-span.ts';
import type { SpanBatch, SpanSource } from './pump-spans.ts';

export interface LogSpansGiven {
  readonly given: TraceGiven;
  /** The events after the first `position`, at most `max`. */
  readonly read: (position: number, max: number) => readonly RunEvent[];
  /** Spans of this many first events were delivered before. */
  readonly delivered: number;
  /** Called when the spans of this many first events have been delivered. */
  readonly onDelivered: (events: number) => void;
  /** Makes a span fit to leave the machine. */
  readonly clean: (span: TraceSpan) => TraceSpan;
}

/** Events that are read at once. */
const PAGE_EVENTS = 2_048;

interface Waiting {
  readonly span: TraceSpan;
  /** The number of the event that ended it, from 1. */
  readonly event: number;
}

export function logSpans({ given, read, delivered, onDelivered, clean }: LogSpansGiven): SpanSource {
  let follower: TraceFollower | undefined;
  let position = 0;
  let waiting: Waiting[] = [];
  /** Spans whose markers were sent; those that have ended are forgotten. */
  let marked: ReadonlySet<string> = new Set();
  const readOn = (): boolean => {
    const events = read(position, PAGE_EVENTS);
    for (const event of events) {
      position += 1;
      if (event.type === 'run.started') follower ??= followTrace(event, given);
      for (const span of follower?.add(event) ?? []) if (position > delivered) waiting.push({ span, event: position });
    }
    return events.length > 0;
  };
  const markers = (): readonly TraceSpan[] => (follower?.begun() ?? []).filter(({ spanId }) => !marked.has(spanId));
  return {
    next: (max) => {
      while (waiting.length <= max && readOn());
      const taken = waiting.slice(0, max);
      const through = (waiting[taken.length]?.event ?? position + 1) - 1;
      // Beginnings matter to a person who watches; while ends are behind, they come first.
      const begun = taken.length < max ? markers().slice(0, max - taken.length) : [];
      return { spans: [...begun, ...taken.map(({ span }) => clean(span))], through };
    },
    accept: ({ spans, through }: SpanBatch) => {
      const gone = new Set(spans.map(({ spanId }) => spanId));
      const isBegun = (id: string): boolean => marked.has(id) || gone.has(id);
      marked = new Set((follower?.begun() ?? []).flatMap(({ spanId }) => (isBegun(spanId) ? [spanId] : [])));
      waiting = waiting.filter(({ span }) => !gone.has(span.spanId));
      if (through > delivered) onDelivered(through);
    },
    left: () => {
      while (readOn());
      return waiting.length;
    },
  };
}

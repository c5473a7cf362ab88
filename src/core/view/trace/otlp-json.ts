// Spans as the JSON of OTLP: ids in hexadecimal, times in nanoseconds as text, attributes with the type of their value.
import { HEDDLE } from './gen-ai-names.ts';
import type { AttributeValue, Attributes, SpanEvent, TraceSpan } from './trace-span.ts';

export interface TelemetrySource {
  /** What the spans are of: service.name and the like. */
  readonly resource: Attributes;
  readonly version: string;
}

/** The body of one call of `/v1/traces`. */
export const otlpOf = (spans: readonly TraceSpan[], { resource, version }: TelemetrySource): unknown => ({
  resourceSpans: [
    {
      resource: { attributes: attributesOf(resource) },
      scopeSpans: [{ scope: { name: 'heddle', version }, spans: spans.map(spanOf) }],
    },
  ],
});

const KINDS = { internal: 1, client: 3 } as const;
const STATUSES = { unset: 0, ok: 1, error: 2 } as const;
/** The flag that says that the trace is recorded. */
const SAMPLED = 1;

function spanOf(span: TraceSpan): unknown {
  const { traceId, spanId, parent, name, kind, startMs, endMs, events, links, status } = span;
  return {
    traceId,
    spanId,
    ...(parent === undefined ? {} : { parentSpanId: parent }),
    flags: SAMPLED,
    name,
    kind: KINDS[kind],
    startTimeUnixNano: nanos(startMs),
    endTimeUnixNano: nanos(endMs),
    attributes: attributesOf(span.attributes),
    ...(events.length === 0 ? {} : { events: events.map(eventOf) }),
    ...(links.length === 0 ? {} : { links: links.map((link) => ({ traceId: link.traceId, spanId: link.spanId })) }),
    ...(status === 'unset' ? {} : { status: { code: STATUSES[status] } }),
  };
}

const eventOf = ({ name, at, attributes }: SpanEvent): unknown => ({
  timeUnixNano: nanos(at),
  name,
  attributes: attributesOf(attributes),
});

/** Too large for a number; times of a log are whole milliseconds. */
const nanos = (ms: number): string => (ms === 0 ? '0' : `${Math.round(ms)}000000`);

function attributesOf(attributes: Attributes): readonly unknown[] {
  const list: unknown[] = [];
  for (const [key, value] of Object.entries(attributes))
    if (value !== undefined) list.push({ key, value: valueOf(key, value) });
  return list;
}

/** A sum of dollars is a fraction even where it is whole: a store of spans gives each attribute one type. */
function valueOf(key: string, value: AttributeValue): unknown {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isInteger(value) && key !== HEDDLE.costUsd ? { intValue: String(value) } : { doubleValue: value };
}

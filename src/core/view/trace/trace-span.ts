// A finished span, as a value; `otlp-json` writes it for the wire.
import type { SpanId } from '../../protocol/trace-context.ts';

export type AttributeValue = string | number | boolean;
/** Undefined values are left out. */
export type Attributes = Readonly<Record<string, AttributeValue | undefined>>;

export interface SpanEvent {
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly attributes: Attributes;
}

export interface TraceSpan extends SpanId {
  readonly parent: string | undefined;
  readonly name: string;
  /** `client` for a turn: the agent is another program. */
  readonly kind: 'internal' | 'client';
  /** Milliseconds since the epoch. */
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Attributes;
  readonly events: readonly SpanEvent[];
  readonly links: readonly SpanId[];
  readonly status: 'unset' | 'ok' | 'error';
}

/** A span that has begun. */
export interface OpenSpan extends SpanId {
  readonly parent: string | undefined;
  readonly name: string;
  readonly kind: TraceSpan['kind'];
  readonly startMs: number;
  readonly attributes: Record<string, AttributeValue | undefined>;
  readonly events: SpanEvent[];
  readonly links: readonly SpanId[];
}

/** More events than this are left out of a span, as collectors do. */
const EVENTS_MAX = 128;

export function addSpanEvent({ events }: OpenSpan, event: SpanEvent): void {
  if (events.length < EVENTS_MAX) events.push(event);
}

// The spans of claims, from the events of a run: one span per attempt of a step, check, merge and resolution.
import type { WorkType } from '../protocol/assignment.ts';
import type { RunEvent } from '../engine/event.ts';
import { claimRow } from '../engine/events/claim-events.ts';

/** One attempt on a timeline: what worked, from when to when, and how it ended. */
export interface WorkSpan {
  readonly type: WorkType;
  readonly task: string;
  readonly step: string | undefined;
  readonly startMs: number;
  readonly endMs: number;
  readonly ending: 'done' | 'failed' | 'cancelled';
}

/** Times count from the start of the run. Claims that are still running are left out. */
export function workSpansOf(events: readonly RunEvent[]): readonly WorkSpan[] {
  const { add, spans } = followSpans();
  for (const event of events) add(event);
  return spans;
}

export interface SpanFollower {
  /** Takes the next event of the run, from its first. */
  readonly add: (event: RunEvent) => void;
  /** As far as the events go; it grows in place. */
  readonly spans: readonly WorkSpan[];
}

export function followSpans(): SpanFollower {
  const open = new Map<string, number>();
  const spans: WorkSpan[] = [];
  let startedAt: number | undefined;
  const add = (event: RunEvent): void => {
    startedAt ??= event.at;
    if (!('work' in event)) return;
    const { work: type, task, step, at } = event;
    const key = `${type} ${task} ${step ?? ''}`;
    if (event.type === 'claim.made') open.set(key, at - startedAt);
    const ending = claimRow(event).span?.(event);
    const startMs = open.get(key);
    if (ending === undefined || startMs === undefined) return;
    open.delete(key);
    spans.push({ type, task, step, startMs, endMs: at - startedAt, ending });
  };
  return { add, spans };
}

interface Load {
  readonly startMs: number;
  readonly endMs: number;
  /** Tokens, or 1 for a span. */
  readonly count: number;
}

/** The highest sum of counts at one time, and the sum of counts times milliseconds. */
export function loadOf(loads: readonly Load[]): { readonly peak: number; readonly heldMs: number } {
  const changes = loads.flatMap(({ startMs, endMs, count }) => [
    { at: startMs, change: count },
    { at: endMs, change: -count },
  ]);
  let [held, peak, heldMs, since] = [0, 0, 0, 0];
  for (const { at, change } of changes.sort((one, other) => one.at - other.at || one.change - other.change)) {
    heldMs += held * (at - since);
    since = at;
    held += change;
    peak = Math.max(peak, held);
  }
  return { peak, heldMs };
}

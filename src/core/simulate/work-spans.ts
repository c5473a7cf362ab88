// The spans of claims, from the events of a run: one span per attempt of a step, check, merge and resolution.
import type { WorkType } from '../protocol/assignment.ts';
import type { RunEvent } from '../engine/event.ts';
import { claimRow } from '../engine/events/claim-events.ts';

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
  const startedAt = events[0]?.at ?? 0;
  const open = new Map<string, number>();
  const spans: WorkSpan[] = [];
  for (const event of events) {
    if (!('work' in event)) continue;
    const { work: type, task, step, at } = event;
    const key = `${type} ${task} ${step ?? ''}`;
    if (event.type === 'claim.made') open.set(key, at - startedAt);
    const ending = claimRow(event).span?.(event);
    const startMs = open.get(key);
    if (ending === undefined || startMs === undefined) continue;
    open.delete(key);
    spans.push({ type, task, step, startMs, endMs: at - startedAt, ending });
  }
  return spans;
}

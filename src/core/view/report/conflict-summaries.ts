// Conflicts between the work of tasks, and how each was resolved.
import type { RunEvent } from '../../engine/event.ts';
import { startsClaim } from '../../engine/events/claim-events.ts';
import type { Resolver } from '../../engine/events/event-fields.ts';
import { resolverIn } from '../../engine/events/event-table.ts';

export interface ConflictSummary {
  readonly task: string;
  readonly with: readonly string[];
  readonly paths: readonly string[];
  readonly atMs: number;
  /** The number of agent turns on the conflict. */
  turns: number;
  /** Undefined while the conflict is open. */
  resolvedBy: Resolver | undefined;
}

/** Of all other events a summary of conflicts takes nothing but the time of the first. */
export const tellsOfConflict = (event: RunEvent): boolean =>
  ('conflict' in event && event.conflict !== undefined) ||
  resolverIn(event) !== undefined ||
  ('work' in event && event.work === 'resolve' && startsClaim(event));

export function conflictSummaries(events: readonly RunEvent[]): readonly ConflictSummary[] {
  const startedAt = events[0]?.at ?? 0;
  const summaries: ConflictSummary[] = [];
  const open = new Map<string, ConflictSummary>();
  for (const event of events) {
    if (!('task' in event)) continue;
    const { task, at } = event;
    const conflict = open.get(task);
    if (conflict !== undefined && 'work' in event && event.work === 'resolve' && startsClaim(event))
      conflict.turns += 1;
    const resolvedBy = resolverIn(event);
    if (conflict !== undefined && resolvedBy !== undefined) {
      conflict.resolvedBy = resolvedBy;
      open.delete(task);
    }
    const found = 'conflict' in event ? event.conflict : undefined;
    if (found === undefined) continue;
    const { paths, with: others } = found;
    const atMs = Math.max(0, at - startedAt);
    const summary: ConflictSummary = { task, with: others, paths, atMs, turns: 0, resolvedBy: undefined };
    summaries.push(summary);
    open.set(task, summary);
  }
  return summaries;
}

// Conflicts between the work of tasks, and how each was resolved.
import type { RunEvent } from '../../engine/event.ts';

export interface ConflictSummary {
  readonly task: string;
  readonly with: readonly string[];
  readonly paths: readonly string[];
  readonly atMs: number;
  /** The number of agent turns on the conflict. */
  turns: number;
  /** Who resolved the conflict; `nobody` when it was given up, undefined while it is open. */
  resolvedBy: 'agent' | 'person' | 'nobody' | undefined;
}

export function tellConflicts(events: readonly RunEvent[]): readonly ConflictSummary[] {
  const startedAt = events[0]?.at ?? 0;
  const told: ConflictSummary[] = [];
  const open = new Map<string, ConflictSummary>();
  const settle = (task: string, by: ConflictSummary['resolvedBy']): void => {
    const conflict = open.get(task);
    open.delete(task);
    if (conflict !== undefined) conflict.resolvedBy = by;
  };
  for (const event of events) {
    if (!('task' in event)) continue;
    const { task, at } = event;
    const conflict = open.get(task);
    switch (event.type) {
      case 'claim.made':
        if (event.work === 'resolve' && conflict !== undefined) conflict.turns += 1;
        break;
      case 'claim.asked':
      case 'claim.ended':
        if (event.conflict !== undefined) {
          const { paths, with: others } = event.conflict;
          const atMs = Math.max(0, at - startedAt);
          const met: ConflictSummary = { task, with: others, paths, atMs, turns: 0, resolvedBy: undefined };
          told.push(met);
          open.set(task, met);
        }
        if (event.work === 'resolve' && event.type === 'claim.ended' && event.ending === 'done') settle(task, 'agent');
        break;
      case 'task.resolved':
        settle(task, 'person');
        break;
      case 'task.ended':
        // Approving a conflict means that a person accepts the tree as it is.
        settle(task, event.ending === 'done' ? 'person' : 'nobody');
        break;
    }
  }
  return told;
}

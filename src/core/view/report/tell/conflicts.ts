// Where the work of tasks did not fit together, and what became of that.
import type { RunEvent } from '../../../engine/event.ts';

export interface ConflictTold {
  readonly task: string;
  readonly with: readonly string[];
  readonly paths: readonly string[];
  readonly atMs: number;
  /** How many turns agents had on it. */
  turns: number;
  /** Who made it fit: nobody gave it up, undefined is still open. */
  resolvedBy: 'agent' | 'person' | 'nobody' | undefined;
}

export function tellConflicts(events: readonly RunEvent[]): readonly ConflictTold[] {
  const startedAt = events[0]?.at ?? 0;
  const told: ConflictTold[] = [];
  const open = new Map<string, ConflictTold>();
  const settle = (task: string, by: ConflictTold['resolvedBy']): void => {
    const conflict = open.get(task);
    open.delete(task);
    if (conflict !== undefined) conflict.resolvedBy = by;
  };
  for (const event of events) {
    if (!('task' in event)) continue;
    const { task } = event;
    switch (event.type) {
      case 'task.conflicted': {
        const { paths, with: others, at } = event;
        const atMs = Math.max(0, at - startedAt);
        const conflict: ConflictTold = { task, with: others, paths, atMs, turns: 0, resolvedBy: undefined };
        told.push(conflict);
        open.set(task, conflict);
        break;
      }
      case 'resolve.claimed': {
        const conflict = open.get(task);
        if (conflict !== undefined) conflict.turns += 1;
        break;
      }
      case 'resolve.ended':
        if (event.ending === 'done') settle(task, 'agent');
        break;
      case 'task.resolved':
        settle(task, 'person');
        break;
      case 'task.ended':
        // A conflict that is approved is taken as it stands, by a person.
        settle(task, event.ending === 'done' ? 'person' : 'nobody');
        break;
    }
  }
  return told;
}

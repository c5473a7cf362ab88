// Every attempt that was made on a task's steps and on its check, in the order of the claims.
import type { ClaimRef } from '../../core/protocol/assignment.ts';
import type { RunEvent } from '../../core/engine/event.ts';

export interface Attempt {
  readonly claim: ClaimRef;
  readonly at: number;
}

export function attemptsOf(events: readonly RunEvent[], task: string): readonly Attempt[] {
  return events.flatMap((event): Attempt[] => {
    if (!('task' in event) || event.task !== task) return [];
    if (event.type !== 'claim.made' || event.work === 'merge') return [];
    const { work, step, attempt, at } = event;
    return [{ claim: { work, task, step, attempt }, at }];
  });
}

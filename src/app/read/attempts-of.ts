// Every attempt that was made on a task's steps and on its check, in the order of the claims.
import type { ClaimRef } from '../../core/protocol/assignment.ts';
import type { RunEvent } from '../../core/engine/event.ts';

export interface Attempt {
  readonly claim: ClaimRef;
  readonly at: number;
}

export function attemptsOf(events: readonly RunEvent[], task: string): readonly Attempt[] {
  let checks = 0;
  return events.flatMap((event): Attempt[] => {
    if (!('task' in event) || event.task !== task) return [];
    if (event.type === 'check.claimed') {
      checks += 1;
      return [{ claim: { task, step: undefined, attempt: checks }, at: event.at }];
    }
    if (event.type === 'resolve.claimed')
      return [{ claim: { task, step: event.by, attempt: event.attempt }, at: event.at }];
    return event.type === 'step.claimed'
      ? [{ claim: { task, step: event.step, attempt: event.attempt }, at: event.at }]
      : [];
  });
}

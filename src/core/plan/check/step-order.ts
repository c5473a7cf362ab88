// The steps that are certain to have ended when a step of a task starts.
//
// step-order/H1. Steps start in the order written. All earlier steps have ended, except async steps that have not been
//   collected yet.

import type { SourcePath } from '../diagnostic.ts';
import type { Step, WorkTask } from '../plan.ts';

export interface StepOrder {
  readonly byId: ReadonlyMap<string, number>;
  /** True when step `earlier` is certain to have ended when step `later` starts. */
  isEnded(earlier: number, later: number): boolean;
}

export function stepOrderOf(steps: readonly Step[]): StepOrder {
  const byId = new Map<string, number>();
  for (const [place, step] of steps.entries()) if (!byId.has(step.id)) byId.set(step.id, place);
  const endedFrom = steps.map(() => Infinity);
  const collected: ReadonlySet<number>[] = [];
  for (const [place, step] of steps.entries()) {
    const own = collectedBy(step, { place, byId, collected });
    collected.push(own);
    if (step.async) continue;
    for (const earlier of [place, ...own]) endedFrom[earlier] = Math.min(endedFrom[earlier] ?? Infinity, place + 1);
  }
  return {
    byId,
    isEnded: (earlier, later) => (endedFrom[earlier] ?? Infinity) <= later || collected[later]?.has(earlier) === true,
  };
}

interface Before {
  readonly place: number;
  readonly byId: ReadonlyMap<string, number>;
  readonly collected: readonly ReadonlySet<number>[];
}

/** The waits of the step, direct and indirect. */
function collectedBy(step: Step, { place, byId, collected }: Before): ReadonlySet<number> {
  const own = new Set<number>();
  for (const id of step.needs) {
    const needed = byId.get(id);
    if (needed === undefined || needed >= place) continue;
    own.add(needed);
    for (const earlier of collected[needed] ?? []) own.add(earlier);
  }
  return own;
}

/** The way from a task to one of its steps in the plan file; a task of one step is its step. */
export function sourceOfStep(source: SourcePath, task: WorkTask, place: number): SourcePath {
  return task.form === 'steps' ? [...source, 'steps', place] : source;
}

// The steps that are certain to have ended when a step of a task starts, and where a join goes back to when it is tried again: a
// join gives the same again unless the steps that it joins do, so they run again, and all between the first of them and the join.
//
// step-order/J1. All steps from that point to the join have ended when the join is made, and no step after the join has
//   begun on what they gave; so each of them runs again exactly once.
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

export type RejoinPoint =
  | { readonly type: 'from'; readonly step: number }
  /** This step keeps the join from being tried again: it may still be running, or a later step may use its result. */
  | { readonly type: 'blocked'; readonly by: number };

/** Whether `on_result` may have the join tried again, by itself or by a person. */
export const mayRejoin = (step: Step): boolean =>
  step.type === 'join' && step.onResult.some(({ rule }) => rule === 'retry' || rule === 'gate');

export function rejoinPoint(steps: readonly Step[], place: number): RejoinPoint {
  const join = steps[place];
  const order = stepOrderOf(steps);
  const joined = (join?.needs ?? []).flatMap((id) => order.byId.get(id) ?? []);
  const from = Math.min(...joined, place);
  const isAsync = join?.async === true;
  for (let at = from; at < place; at += 1) {
    const isInTheWay = isAsync && (steps[at]?.async !== true || isCollectedAfter(steps, at, place));
    if (isInTheWay || !order.isEnded(at, place)) return { type: 'blocked', by: at };
  }
  return { type: 'from', step: from };
}

/** An async join holds up nobody, so a later step may have begun on what the join collects. */
function isCollectedAfter(steps: readonly Step[], at: number, place: number): boolean {
  const id = steps[at]?.id ?? '';
  return steps.slice(place + 1).some(({ needs }) => needs.includes(id));
}

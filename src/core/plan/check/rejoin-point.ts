// Where a join of steps goes back to when it is tried again. A join gives the same again unless the steps that it joins do, so
// they run again, and all between the first of them and the join.
//
// rejoin-point/J1. All steps from that point to the join have ended when the join is made, and no step after the join has
//   begun on what they gave; so each of them runs again exactly once.

import { stepOrderOf } from './step-order.ts';
import type { Step } from '../plan.ts';

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

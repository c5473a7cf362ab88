// Who goes first: ranks for the enabled set, from the policy and the priorities of the steps.
//
// O1. Deciding what tokens already settle (opening, dropping, closing) goes before any claim, so that a claim is
//     never made on a step that is about to be dropped.
// O2. Under the serial policy steps go in the order of the plan and one at a time.
// O3. A hold keeps a step from being claimed until another has begun or will not run. It never leaves a run idle:
//     when nothing is at work, holds do not count.
import type { Compiled } from '../compile/compiled.ts';
import { transitionCount } from '../net/net.ts';

export interface Order {
  readonly policy: 'parallel' | 'serial';
  /** By task and step, higher first; empty means the order of the plan. */
  readonly priorities: readonly (readonly number[])[];
  readonly holds: readonly Hold[];
  /** The order for a plan that this one is amended to; else that of the plan. */
  readonly after?: (compiled: Compiled) => Order;
}

/** The order of an amended plan, and of those after it. */
export function orderAfter(order: Order, compiled: Compiled): Order {
  const { policy, after } = order;
  return after === undefined ? { policy, priorities: [], holds: [] } : { ...after(compiled), after };
}

/** A step of a compiled plan, by the index of its task and its own. */
export interface StepRef {
  readonly task: number;
  readonly step: number;
}

/** `held` is not to be claimed before `until` has been. */
export interface Hold {
  readonly held: StepRef;
  readonly until: StepRef;
}

/** By claim that is held: the steps it waits for. */
export function holdsByClaim({ tasks }: Compiled, { holds }: Order): ReadonlyMap<number, readonly StepRef[]> {
  const byClaim = new Map<number, StepRef[]>();
  for (const { held, until } of holds) {
    const claim = tasks[held.task]?.steps[held.step]?.deeds.claim;
    if (claim === undefined) continue;
    const others = byClaim.get(claim);
    if (others === undefined) byClaim.set(claim, [until]);
    else others.push(until);
  }
  return byClaim;
}

const AT_ONCE = Number.MAX_VALUE;
const BEFORE_STEPS = Number.MAX_VALUE / 2;

export function ranks(compiled: Compiled, order: Order): Float64Array {
  const rank = new Float64Array(transitionCount(compiled.net));
  const set = (transition: number | undefined, value: number): void => {
    if (transition !== undefined) rank[transition] = value;
  };
  let inPlanOrder = 0;
  for (const { index, steps, deeds } of compiled.tasks) {
    for (const transition of [deeds.open, deeds.close, deeds.finish]) set(transition, AT_ONCE);
    // Finished work comes before starting more: it frees whoever waits for it.
    set(deeds.merge, BEFORE_STEPS);
    set(deeds.check, BEFORE_STEPS);
    set(deeds.resolve, BEFORE_STEPS);
    for (const step of steps) {
      inPlanOrder -= 1;
      set(step.deeds.drop, AT_ONCE);
      const priority = order.policy === 'serial' ? inPlanOrder : (order.priorities[index]?.[step.index] ?? 0);
      for (const { deeds: own } of [step, ...step.others]) set(own.claim, priority);
    }
  }
  set(compiled.run.finish, AT_ONCE);
  return rank;
}

/** The transitions the engine decides by itself, as soon as their tokens are there; the rest answer outcomes. */
export function watched(compiled: Compiled): Uint8Array {
  const watch = new Uint8Array(transitionCount(compiled.net));
  const set = (transition: number | undefined): void => {
    if (transition !== undefined) watch[transition] = 1;
  };
  for (const { steps, deeds } of compiled.tasks) {
    const { open, close, finish, merge, check, resolve } = deeds;
    for (const transition of [open, close, finish, merge, check, resolve]) set(transition);
    for (const step of steps) {
      set(step.deeds.drop);
      for (const { deeds: own } of [step, ...step.others]) set(own.claim);
    }
  }
  set(compiled.run.finish);
  return watch;
}

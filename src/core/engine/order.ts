// Priorities: ranks for the enabled set, from the policy and the priorities of the steps.
//
// order/O1. Deciding what tokens already settle (opening, dropping, closing) goes before any claim, so that a claim is
//     never made on a step that is about to be dropped.
// order/O2. Under the serial policy steps go in the order of the plan and one at a time.
// order/O3. A hold keeps a step from being claimed until another step has begun or will not run. It never leaves a run
//     idle: when nothing is running, holds do not count.
import { assert } from '../assert.ts';
import { stepOfId, taskOfPath, type Compiled } from '../compile/compiled.ts';
import { transitionCount } from '../net/net.ts';

export interface Order {
  readonly policy: 'parallel' | 'serial';
  /** By task and step, higher first; empty means the order of the plan. */
  readonly priorities: readonly (readonly number[])[];
  readonly holds: readonly StepHold[];
}

/** The priorities of a plan's steps in an event: by name, so that they stay readable for years. */
export interface Priorities {
  /** One number for each step of the task, in the order of the plan; 0 for a task that is not listed. */
  readonly tasks: readonly { readonly task: string; readonly steps: readonly number[] }[];
  readonly holds: readonly { readonly held: StepName; readonly until: StepName }[];
}

export interface StepName {
  readonly task: string;
  readonly step: string;
}

export function prioritiesIn({ tasks }: Compiled, { priorities, holds }: Order): Priorities {
  const nameOf = ({ task, step }: StepRef): StepName => {
    const named = tasks[task]?.steps[step];
    assert(named !== undefined, 'Only steps of the plan are held back.');
    return { task: tasks[task]?.task.path ?? '', step: named.step.id };
  };
  return {
    tasks: tasks.flatMap(({ task, index }) => {
      const steps = priorities[index] ?? [];
      return steps.some((priority) => priority !== 0) ? [{ task: task.path, steps }] : [];
    }),
    holds: holds.map(({ held, until }) => ({ held: nameOf(held), until: nameOf(until) })),
  };
}

/** Names that the plan lacks are ignored: priorities never make a log unreadable. */
export function orderIn({ tasks, indexOf }: Compiled, policy: Order['policy'], named: Priorities): Order {
  const byPath = new Map(named.tasks.map(({ task, steps }) => [task, steps]));
  const refOf = ({ task, step: id }: StepName): StepRef | undefined => {
    const step = stepOfId(taskOfPath({ tasks, indexOf }, task), id);
    return step === undefined ? undefined : { task: step.task, step: step.index };
  };
  return {
    policy,
    priorities: byPath.size === 0 ? [] : tasks.map(({ task }) => byPath.get(task.path) ?? []),
    holds: named.holds.flatMap((hold) => {
      const [held, until] = [refOf(hold.held), refOf(hold.until)];
      return held === undefined || until === undefined ? [] : [{ held, until }];
    }),
  };
}

/** A step of a compiled plan, by the index of its task and its own. */
export interface StepRef {
  readonly task: number;
  readonly step: number;
}

/** `held` is not claimed before `until`. */
export interface StepHold {
  readonly held: StepRef;
  readonly until: StepRef;
}

/** By held claim: the steps it waits for. */
export function holdsByClaim({ tasks }: Compiled, { holds }: Order): ReadonlyMap<number, readonly StepRef[]> {
  const byClaim = new Map<number, StepRef[]>();
  for (const { held, until } of holds) {
    const claim = tasks[held.task]?.steps[held.step]?.transitions.claim;
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
  const isInPlanOrder = order.policy === 'serial' || order.priorities.length === 0;
  let inPlanOrder = 0;
  for (const { index, steps, transitions } of compiled.tasks) {
    for (const transition of [transitions.open, transitions.close, transitions.finish]) set(transition, AT_ONCE);
    // Finished work is merged before more is started: tasks that need it can begin.
    set(transitions.merge, BEFORE_STEPS);
    set(transitions.check, BEFORE_STEPS);
    set(transitions.resolve, BEFORE_STEPS);
    for (const step of steps) {
      inPlanOrder -= 1;
      set(step.transitions.drop, AT_ONCE);
      const priority = isInPlanOrder ? inPlanOrder : (order.priorities[index]?.[step.index] ?? 0);
      for (const { transitions: own } of [step, ...step.otherVariants]) set(own.claim, priority);
    }
  }
  set(compiled.run.finish, AT_ONCE);
  return rank;
}

/** The transitions that the engine decides by itself when enabled; the others answer outcomes. */
export function watched(compiled: Compiled): Uint8Array {
  const watch = new Uint8Array(transitionCount(compiled.net));
  const set = (transition: number | undefined): void => {
    if (transition !== undefined) watch[transition] = 1;
  };
  for (const { steps, transitions } of compiled.tasks) {
    const { open, close, finish, merge, check, resolve } = transitions;
    for (const transition of [open, close, finish, merge, check, resolve]) set(transition);
    for (const step of steps) {
      set(step.transitions.drop);
      for (const { transitions: own } of [step, ...step.otherVariants]) set(own.claim);
    }
  }
  set(compiled.run.finish);
  return watch;
}

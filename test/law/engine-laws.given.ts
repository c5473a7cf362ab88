// Shared by the laws of the engine: random plans, orders and worlds, and the invariants at the end of every run.
import fc from 'fast-check';
import { expect } from 'vitest';
import { compile } from '../../src/core/compile/compile.ts';
import type { Compiled } from '../../src/core/compile/compiled.ts';
import { stepOn } from '../../src/core/engine/step/step.given.ts';
import { apply } from '../../src/core/engine/apply/apply.ts';
import { fold } from '../../src/core/engine/apply/fold.ts';
import { opensInPlace } from '../../src/core/engine/reset-set.ts';
import type { ClaimEvent, RunEvent } from '../../src/core/engine/event.ts';
import { exact } from '../../src/core/engine/ledger.ts';
import { forEachArc } from '../../src/core/net/walk-arcs.ts';
import type { Order } from '../../src/core/engine/order.ts';
import { startState, type Claim, type State } from '../../src/core/engine/state.ts';
import { countAt, markingOf } from '../../src/core/net/play.ts';
import { parsePlan } from '../../src/core/plan/build/parse.ts';
import { chance } from '../../src/core/schedule/chance.ts';
import { randomPlanText, type PlanKind } from './engine-plans.given.ts';
import { EVALUATOR, type Habits } from './engine-world.given.ts';

export const ANY: PlanKind = { isTimeless: false, tasksMax: 18 };
export const TIMELESS: PlanKind = { isTimeless: true, tasksMax: 18 };
/** Plans some of whose tasks grow. */
export const GROWING: PlanKind = { ...ANY, grows: true };
export const GROWING_TIMELESS: PlanKind = { ...TIMELESS, grows: true };
export const SERIAL: Order = { policy: 'serial', priorities: [], holds: [] };
export const PARALLEL: Order = { policy: 'parallel', priorities: [], holds: [] };

export function plan(seed: number, kind: PlanKind): Compiled {
  const text = randomPlanText(seed, kind);
  const parsed = parsePlan(text, { file: 'random.yaml' });
  if (parsed.plan === undefined) throw new Error(`${parsed.diagnostics[0]?.message}\n${text}`);
  return compile(parsed.plan);
}

/** Random priorities, so that every order of claims occurs. */
export function shuffled(compiled: Compiled, seed: number): Order {
  const random = chance(seed);
  const priorities = compiled.tasks.map(({ steps }) => steps.map(() => random.below(9)));
  const all = compiled.tasks.flatMap(({ steps }) => steps.map(({ task, index }) => ({ task, step: index })));
  // Random holds, also in cycles: a run must end with any of them.
  const holds = all.flatMap((held) => {
    const until = all[random.below(all.length)];
    return until === undefined || random.happens(0.6) ? [] : [{ held, until }];
  });
  return { policy: 'parallel', priorities, holds };
}

export const habits = (seed: number, more: Partial<Habits> = {}): Habits => ({
  seed,
  order: PARALLEL,
  failureShare: [0, 0.1, 0.4][seed % 3] ?? 0,
  meddleShare: [0, 0.05, 0.25][seed % 3] ?? 0,
  isByName: false,
  ...more,
});

export const seeds = fc.integer({ min: 1, max: 1_000_000 });
export function holds(runs: number, law: (planSeed: number, worldSeed: number) => void): void {
  fc.assert(fc.property(seeds, seeds, law), { numRuns: runs, seed: 20_26, endOnFailure: true });
}

export function expectAllOver({ compiled, play: at, tasks, ...state }: State): void {
  expect(tasks.filter(({ ended }) => ended === undefined)).toEqual([]);
  const left = Object.keys(markingOf(at));
  const expected = compiled.net.places
    .filter((place, index) => place.type === 'sink' || (compiled.net.initial[index] !== 0 && place.type !== 'source'))
    .map(({ id }) => id);
  const isSwitch = (id: string): boolean =>
    compiled.net.places.some((place) => place.id === id && place.type === 'switch');
  expect(left.filter((id) => !isSwitch(id)).sort()).toEqual(expected.filter((id) => !isSwitch(id)).sort());
  for (const { opened, closed } of compiled.pools.values()) expect(countAt(at, opened) + countAt(at, closed)).toBe(1);
  expect(state.claims.size + state.questions.size + state.queue.size).toBe(0);
}

/** A restart: folds the log, and its first step has no input. */
export function refolded(compiled: Compiled, log: readonly RunEvent[]): State {
  const state = fold(log, compiled);
  const said = stepOn(state, [], { evaluator: EVALUATOR, now: state.run.now });
  expect(said).toEqual([]);
  return state;
}

export function fail(): never {
  throw new Error('The plan parses and the log has an event at every index.');
}

/** The log without the events that resets undid: the reset tasks were never begun. */
export function withoutReset(
  compiled: Compiled,
  log: readonly RunEvent[],
  onReset: (lived: readonly RunEvent[], state: State) => void = () => undefined,
): readonly RunEvent[] {
  const state = startState(compiled, PARALLEL);
  let lived: RunEvent[] = [];
  for (const event of log) {
    if (event.type !== 'task.reset') lived.push(event);
    else lived = lived.filter((earlier) => isKept(state, new Set(event.tasks), earlier));
    apply(state, event);
    if (event.type === 'task.reset') onReset(lived, state);
  }
  return lived;
}

function isKept(state: State, reset: ReadonlySet<string>, event: RunEvent): boolean {
  const { indexOf } = state.compiled;
  if (event.type === 'run.ended') return false;
  if (!('task' in event) || !reset.has(event.task)) return true;
  if (event.type === 'task.paused' || event.type === 'task.released') return true;
  if (event.type !== 'task.opened') return false;
  const members = new Set([...reset].map((path) => indexOf.get(path) ?? fail()));
  return opensInPlace(state, members, indexOf.get(event.task) ?? fail());
}

/** Tokens of each counted place that running claims hold. */
function heldByClaims({ compiled, claims }: State): ReadonlyMap<number, number> {
  const held = new Map<number, number>();
  for (const claim of claims.values()) {
    forEachArc(compiled.net.takes, transitionOf(compiled, claim), (place, weight) => {
      if (compiled.net.counted[place] === 1) held.set(place, (held.get(place) ?? 0) + weight);
    });
  }
  return held;
}

function transitionOf({ tasks }: Compiled, claim: Claim): number {
  const task = tasks[claim.task];
  const step = task?.steps[claim.step ?? 0];
  // With another agent the step holds other pools.
  const variant = step?.otherVariants.find(({ agents }) => agents.some((agent) => agent === claim.agent)) ?? step;
  const found = claim.work === 'step' ? variant?.transitions.claim : task?.transitions[claim.work];
  if (found === undefined) throw new Error('A claim was made by a transition.');
  return found;
}

export function expectConserved(state: State): { readonly isExhausted: boolean } {
  const { net } = state.compiled;
  const held = heldByClaims(state);
  let isExhausted = false;
  for (let place = 0; place < net.places.length; place += 1) {
    const type = net.places[place]?.type;
    if (type !== 'pool' && type !== 'cap' && type !== 'merge-slots') continue;
    const free = countAt(state.play, place);
    expect(free + (held.get(place) ?? 0)).toBe(net.initial[place]);
    if (type === 'pool' && free === 0) isExhausted = true;
  }
  return { isExhausted };
}

/** The claim on a step, or on the conflict of a task where no step is named. */
export function claimOf({ compiled, claims }: State, event: ClaimEvent): Claim | undefined {
  return [...claims.values()].find(({ work, task: index, step }) => {
    const { task, steps } = compiled.tasks[index] ?? {};
    return work === event.work && task?.path === event.task && steps?.[step ?? -1]?.step.id === event.step;
  });
}

export function expectAccounts({ ledger, claims }: State, { spent, beyond }: { spent: number; beyond: number }): void {
  const reserved = [...claims.values()].reduce((sum, { reserve }) => sum + (reserve.usd ?? 0), 0);
  expect(ledger.run.spent.usd).toBeCloseTo(spent, 6);
  expect(ledger.run.reserved.usd).toBeCloseTo(reserved, 6);
  for (const account of ledger.around.flat()) {
    // In this world no turn ends with more than its reservation, and each reports its spending while it runs.
    const ceiling = exact((account.ceiling.usd ?? Infinity) + beyond);
    expect(exact(account.spent.usd + account.reserved.usd)).toBeLessThanOrEqual(ceiling);
  }
}

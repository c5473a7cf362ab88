// No starvation: when the coordinator goes to wait, nothing is left that could have been claimed.
import type { CompiledStep, CompiledTask } from '../../src/core/compile/compiled.ts';
import { reservationOf } from '../../src/core/engine/decide/claim.ts';
import { heldByOthers } from '../../src/core/engine/decide/task-holds.ts';
import { fit } from '../../src/core/engine/ledger.ts';
import { firstToMerge } from '../../src/core/engine/merge-order.ts';
import type { State } from '../../src/core/engine/state.ts';
import type { PoolDemand, PromptStep } from '../../src/core/plan/plan.ts';
import { countAt, tokensAt } from '../../src/core/net/play.ts';
import { forEachArc } from '../../src/core/net/walk-arcs.ts';
import { isInside, type Invariant, type Sight } from './invariant.ts';

export const noIdleHands: Invariant = {
  name: 'what can begin is begun',
  watch: (sight, broken) => ({
    waits: () => {
      const state = sight.state();
      const isSerialAndBusy = sight.order.policy === 'serial' && state.claims.size > 0;
      // Tokens may be kept free on purpose, for a step that has starved or for one that the order puts first.
      const isKept = (state.guard?.starving.length ?? 0) > 0 || (state.order.holds.length > 0 && state.claims.size > 0);
      if (state.run.stage !== 'going' || isSerialAndBusy || isKept) return;
      for (const of of sight.compiled.tasks) {
        const { task, steps, transitions } = of;
        if (isHeld(sight, task.path)) continue;
        const idle = steps.find((step) => isClaimable(state, inHandsOfFirst(state, step)));
        if (idle !== undefined) broken(`${task.path}/${idle.step.id} could begin, and the coordinator waits.`);
        if (transitions.check !== undefined && isEnabled(state, transitions.check))
          broken(`The check of ${task.path} could begin, and the coordinator waits.`);
        const first = firstToMerge(state);
        const mayMerge = first === undefined || first === of.index;
        if (transitions.merge !== undefined && mayMerge && isEnabled(state, transitions.merge))
          broken(`${task.path} could be merged, and the coordinator waits.`);
        const resolver = steps[of.resolver ?? -1];
        if (resolver !== undefined && isResolvable(state, of, resolver))
          broken(`The conflict of ${task.path} could be resolved, and the coordinator waits.`);
      }
    },
  }),
};

function isHeld({ state, compiled }: Sight, path: string): boolean {
  return [...state().deferred.paused, ...(state().amending?.tasks ?? [])].some((index) =>
    isInside(path, compiled.tasks[index]?.task.path ?? ''),
  );
}

/** A step with the first agent that may have it. */
interface InHands {
  readonly of: CompiledStep;
  readonly agent: string | undefined;
  readonly pools: readonly PoolDemand[];
}

/** The first of its agents that does not rest would have it; if all do, none. */
function inHandsOfFirst(state: State, of: CompiledStep): InHands | undefined {
  const { step } = of;
  if (step.type !== 'prompt') return { of, agent: undefined, pools: step.pools };
  const all = candidatesOf(state, of, step);
  const first = all.find(({ agent }) => all.length === 1 || !isLeft(state, of, agent ?? ''));
  if (first === undefined || (state.exhaustedAgents.get(first.agent ?? '') ?? 0) > state.run.now) return undefined;
  return {
    of: [of, ...of.otherVariants].find(({ agents }) => agents.some((each) => each === first.agent)) ?? of,
    ...first,
  };
}

/** The agent of this attempt, and those that take over from it. */
function candidatesOf(
  { tasks }: State,
  { task, index }: CompiledStep,
  { agent, pools, fallbacks, escalation = [] }: PromptStep,
): readonly Pick<InHands, 'agent' | 'pools'>[] {
  const rung = Math.min(tasks[task]?.steps[index]?.escalations ?? 0, escalation.length - 1);
  const own = fallbacks.find((each) => each.agent === escalation[rung]) ?? { agent, pools };
  return [own, ...fallbacks.filter((each) => each.isOnlyEscalation !== true && each.agent !== own.agent)];
}

/** Whether one of several agents is not to be asked now: by its verdict in this step, or because its account backs off. */
function isLeft({ exhausted, exhaustedAgents, compiled, run, tasks }: State, of: CompiledStep, agent: string): boolean {
  const pool = compiled.plan.agents.find(({ name }) => name === agent)?.pool ?? '';
  const barred = tasks[of.task]?.steps[of.index]?.barred.find((each) => each.agent === agent)?.until ?? 0;
  return Math.max(barred, exhausted.get(pool) ?? 0, exhaustedAgents.get(agent) ?? 0) > run.now;
}

function isClaimable(state: State, inHands: InHands | undefined): boolean {
  if (inHands === undefined) return false;
  const { of, agent } = inHands;
  const { step, task, transitions, ready } = of;
  if (transitions.claim === undefined || !isEnabled(state, transitions.claim)) return false;
  const until = tokensAt(state.play, ready[0] ?? -1)[0]?.until ?? 0;
  if (until > state.run.now || isThrottled(state, inHands)) return false;
  // An open task holds what it would take.
  if (heldByOthers(state, task, inHands.pools) !== undefined) return false;
  return (
    fit(state.ledger, task, { reserve: reservationOf(state, of, agent), isPaid: step.type === 'prompt' }).type === 'now'
  );
}

/** Whether it would hold more of a pool than its limit, after an overload, allows. */
function isThrottled(
  { throttled, compiled, play }: State,
  { pools }: { readonly pools: readonly PoolDemand[] },
): boolean {
  return pools.some(({ pool, tokens }) => {
    const parts = compiled.pools.get(pool);
    const held = (parts?.size ?? 0) - countAt(play, parts?.place ?? -1);
    return held + tokens > (throttled.get(pool)?.limit ?? Infinity);
  });
}

function isResolvable(state: State, { transitions, places, index }: CompiledTask, of: CompiledStep): boolean {
  if (transitions.resolve === undefined || !isEnabled(state, transitions.resolve)) return false;
  const until = tokensAt(state.play, places.conflicted ?? -1)[0]?.until ?? 0;
  return (
    until <= state.run.now &&
    !isThrottled(state, of.step) &&
    heldByOthers(state, index, of.step.pools) === undefined &&
    fit(state.ledger, index, { reserve: reservationOf(state, of, of.agents[0]), isPaid: true }).type === 'now'
  );
}

/** Asked of the marking, not of the enabled set, whose bookkeeping might be what is wrong. */
function isEnabled({ play }: State, transition: number): boolean {
  let isReady = true;
  const need = (place: number, weight: number): void => {
    if (countAt(play, place) < weight) isReady = false;
  };
  forEachArc(play.net.takes, transition, need);
  forEachArc(play.net.reads, transition, need);
  return isReady;
}

// Whether work whose tokens are there is claimed, by a step or by an agent's turn on a conflict: nobody holds it, it does
// not rest, nothing is kept free for another, and there is money for it.

import { assert } from '../../assert.ts';
import { isInside } from '../../compile/compiled.ts';
import { isEnabled } from '../../net/enabled-set.ts';
import { countAt } from '../../net/play.ts';
import { factsOf, variantsOf, stepFactsOf, taskAt, tokenAt } from '../facts.ts';
import { deferTransition, type Deferral } from '../deferred.ts';
import { fit } from '../ledger.ts';
import { isInTheWay, keptFor } from '../starvation-guard.ts';
import { brokenSetUp } from './breaker.ts';
import { chooseAgent, nextChoice, restsUntil } from './choose-agent.ts';
import type { CompiledStep, CompiledTask } from '../../compile/compiled.ts';
import type { TaskIndex } from '../../compile/meaning.ts';
import type { PoolDemand } from '../../plan/plan.ts';
import type { RunEvent } from '../event.ts';
import type { State } from '../state.ts';

interface Claiming {
  readonly transition: number;
  readonly now: number;
  readonly honoursHolds: boolean;
}

export function claimStep(state: State, step: CompiledStep, claiming: Claiming): RunEvent | undefined {
  const token = tokenAt(state, step.ready[0]);
  const { agent, from } = chooseAgent(state, step, claiming.now);
  if (agent !== undefined && !step.agents.includes(agent)) return leaveToAnother(state, step, claiming);
  const until = Math.max(token.until, from);
  if (!isToBeClaimed(state, { task: step.task, until, pools: poolsOf(step) }, claiming)) return undefined;
  return claimPaid(state, step, { transition: claiming.transition, at: claiming.now, agent });
}

/** In other hands than those of its own agent a step holds other pools. */
function poolsOf({ step, agents }: CompiledStep): readonly PoolDemand[] {
  const taken = step.type === 'prompt' ? step.fallbacks.find(({ agent }) => agent === agents[0]) : undefined;
  return taken?.pools ?? step.pools;
}

/** Looked at again when an account closes or opens, when a rest is over, and whenever the step comes back. */
function leaveToAnother(state: State, step: CompiledStep, { transition, now }: Claiming): undefined {
  const again = nextChoice(state, step, now);
  return deferTransition(state, transition, { by: 'precedence', until: again });
}

export function claimResolve(state: State, task: CompiledTask, claiming: Claiming): RunEvent | undefined {
  const token = tokenAt(state, task.places.conflicted);
  const step = task.steps[task.resolver ?? -1];
  assert(step !== undefined, 'A task whose conflicts an agent resolves has a step with that agent.');
  const { pools } = step.step;
  // A conflict is resolved by the step's own agent and nobody else.
  const [own] = step.agents;
  const until = Math.max(token.until, own === undefined ? 0 : restsUntil(state, step, own));
  if (!isToBeClaimed(state, { task: task.index, until, pools }, claiming)) return undefined;
  const { transition, now: at } = claiming;
  const about = { at, task: task.task.path };
  const { reserve } = step.step;
  switch (fit(state.ledger, task.index, { reserve, isPaid: true })) {
    case 'now':
      return {
        type: 'claim.made',
        work: 'resolve',
        ...about,
        step: step.step.id,
        attempt: stepFactsOf(state, step).attempts + 1,
        reserve,
      };
    case 'never':
      return { type: 'task.escalated', ...about, reason: 'cost' };
    case 'later':
      return deferTransition(state, transition, { by: 'budget', until: undefined });
  }
}

interface Wanting {
  readonly task: TaskIndex;
  /** It rests until then. */
  readonly until: number;
  readonly pools: readonly PoolDemand[];
}

/** Notes why not, so that it is looked at again when that has changed. */
function isToBeClaimed(state: State, wanting: Wanting, { transition, now, honoursHolds }: Claiming): boolean {
  const { task, until, pools } = wanting;
  if (isHeld(state, task)) {
    deferTransition(state, transition, PAUSED);
    return false;
  }
  if (until > now) {
    deferTransition(state, transition, { by: 'backoff', until });
    return false;
  }
  const isKept = isKeptFromTokens(state, transition, now) || isOverLimit(state, pools);
  if (isKept || (honoursHolds && isOnHold(state, transition))) {
    deferTransition(state, transition, { by: 'precedence', until: undefined });
    return false;
  }
  return true;
}

/** Whether it would hold more of a pool than its provider can serve for now. */
export function isOverLimit({ compiled, play, throttled }: State, pools: readonly PoolDemand[]): boolean {
  if (throttled.size === 0) return false;
  return pools.some(({ pool, tokens }) => {
    const parts = compiled.pools.get(pool);
    const held = parts === undefined ? 0 : parts.size - countAt(play, parts.place);
    return held + tokens > (throttled.get(pool)?.width ?? Infinity);
  });
}

interface Paid {
  readonly transition: number;
  readonly at: number;
  readonly agent: string | undefined;
}

function claimPaid(state: State, step: CompiledStep, { transition, at, agent }: Paid): RunEvent | undefined {
  const broken = brokenSetUp(state, agent);
  if (broken !== undefined) return { type: 'run.paused', at, cause: broken };
  const about = { at, task: taskAt(state, step.task).task.path, step: step.step.id };
  const { reserve } = step.step;
  switch (fit(state.ledger, step.task, { reserve, isPaid: step.step.type === 'prompt' })) {
    case 'now':
      return {
        type: 'claim.made',
        work: 'step',
        ...about,
        attempt: stepFactsOf(state, step).attempts + 1,
        reserve,
        agent: step.step.type === 'prompt' && step.step.fallbacks.length > 0 ? agent : undefined,
      };
    case 'never':
      return { type: 'step.skipped', ...about, ending: 'failed', reason: 'cost', cause: undefined };
    case 'later':
      return deferTransition(state, transition, { by: 'budget', until: undefined });
  }
}

/** Claims a step that only rests between attempts, where tokens allow: somebody will not wait. */
export function claimRested(state: State, step: CompiledStep, at: number): RunEvent | undefined {
  const { agent } = chooseAgent(state, step, at);
  const variant = variantsOf(state, step).find(({ agents }) => agent !== undefined && agents.includes(agent)) ?? step;
  const { claim: transition } = variant.transitions;
  if (transition === undefined || tokenAt(state, step.ready[0]).until <= at) return undefined;
  if (isHeld(state, step.task) || isSerialAndBusy(state) || !isEnabled(state.play, transition)) return undefined;
  return claimPaid(state, step, { transition, at, agent });
}

function isKeptFromTokens({ guard, play }: State, claim: number, at: number): boolean {
  const kept = guard === undefined ? undefined : keptFor(guard, play, at);
  return guard !== undefined && kept !== undefined && isInTheWay(guard, play, { claim, kept });
}

/** Whether a step that should go first has neither begun nor been given up. */
function isOnHold(state: State, claim: number): boolean {
  return state.holds.get(claim)?.some(({ task, step }) => isStillToBegin(state, task, step)) ?? false;
}

function isStillToBegin(state: State, index: number, step: number): boolean {
  const facts = factsOf(state, index);
  const ofStep = facts.steps[step];
  if (isHeld(state, index)) return false;
  if (facts.ended !== undefined || facts.cancelling !== undefined || facts.failing !== undefined) return false;
  return ofStep?.attempts === 0 && ofStep.ended === undefined;
}

export const isSerialAndBusy = (state: State): boolean => state.order.policy === 'serial' && state.claims.size > 0;

/** By a person, or until the plan is amended. */
export const isHeld = ({ compiled, held, amending }: State, task: TaskIndex): boolean =>
  isInside(compiled, held, task) || (amending !== undefined && isInside(compiled, amending.tasks, task));

/** Its task is paused: it is looked at again when the task is released. */
export const PAUSED: Deferral = { by: 'pause', until: undefined };

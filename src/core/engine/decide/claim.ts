// Whether enabled work is claimed, for a step or for an agent's turn on a conflict: its task is not paused, it does not
// back off, no tokens are kept free for another step, and its reservation fits the budgets.
//
// A circuit breaker: turns of one agent that fail in the same way, task after task, indicate a broken set-up. The run
// is then paused before it spends more.
//
// claim/V3. A successful turn of that agent, or a person who resumes the run, resets the count.
import { assert } from '../../assert.ts';
import { resolverPools } from '../../compile/sequence.ts';
import { isInside, type CompiledStep, type CompiledTask } from '../../compile/compiled.ts';
import { isEnabled } from '../../net/enabled-set.ts';
import { countAt } from '../../net/play.ts';
import { factsOf, stepFactsOf, taskAt, tokenAt, variantsOf } from '../facts.ts';
import { deferTransition, type Deferral } from '../deferred.ts';
import { accountsOf, fit, reservationFrom } from '../ledger.ts';
import { keptFor, takenInTheWay } from '../starvation-guard.ts';
import { heldByOthers, holdOf } from './task-holds.ts';
import { chooseAgent, nextChoice, backsOffUntil, reserveFor } from './choose-agent.ts';
import type { TaskIndex } from '../../compile/meaning.ts';
import type { PoolDemand } from '../../plan/plan.ts';
import type { Spend } from '../../protocol/result.ts';
import type { RunEvent } from '../event.ts';
import type { StepRef } from '../order.ts';
import type { State } from '../state.ts';

interface Claiming {
  readonly transition: number;
  readonly now: number;
  readonly honoursHolds: boolean;
}

export function claimStep(state: State, step: CompiledStep, claiming: Claiming): RunEvent | undefined {
  const deferral = deferralOfStep(state, step, claiming);
  if (deferral !== undefined) return deferTransition(state, claiming.transition, deferral);
  const { agent } = chooseAgent(state, step, claiming.now);
  return claimPaid(state, step, { transition: claiming.transition, at: claiming.now, agent });
}

/** Why an enabled step is not claimed; undefined when it may be, if its reservation fits the budgets. */
export function deferralOfStep(state: State, step: CompiledStep, claiming: Claiming): Deferral | undefined {
  const { agent, from } = chooseAgent(state, step, claiming.now);
  // Decided again when an account closes or opens, when a backoff is over, and whenever the step returns.
  if (agent !== undefined && !step.agents.includes(agent))
    return { by: 'agent', until: nextChoice(state, step, claiming.now) };
  const until = Math.max(tokenAt(state, step.ready[0]).until, from);
  return deferralOf(state, { task: step.task, until, pools: poolsOf(step) }, claiming);
}

/** The step takes other pools in the variant of another agent. */
function poolsOf({ step, agents }: CompiledStep): readonly PoolDemand[] {
  const taken = step.type === 'prompt' ? step.fallbacks.find(({ agent }) => agent === agents[0]) : undefined;
  return taken?.pools ?? step.pools;
}

/** Why an enabled conflict is not claimed; undefined when it may be, if its reservation fits the budgets. */
export function deferralOfResolve(state: State, task: CompiledTask, claiming: Claiming): Deferral | undefined {
  const step = resolverOf(task);
  // A conflict is resolved only by the step's first agent.
  const [own] = step.agents;
  const { until: token } = tokenAt(state, task.places.conflicted);
  const until = Math.max(token, own === undefined ? 0 : backsOffUntil(state, step, own));
  return deferralOf(
    state,
    { task: task.index, until, pools: resolverPools(step.step, state.compiled.plan.agents) },
    claiming,
  );
}

function resolverOf({ steps, resolver }: CompiledTask): CompiledStep {
  const step = steps[resolver ?? -1];
  assert(step !== undefined, 'A task whose conflicts an agent resolves has a step with that agent.');
  return step;
}

export function claimResolve(state: State, task: CompiledTask, claiming: Claiming): RunEvent | undefined {
  const { transition, now: at } = claiming;
  const deferral = deferralOfResolve(state, task, claiming);
  if (deferral !== undefined) return deferTransition(state, transition, deferral);
  const step = resolverOf(task);
  const about = { at, task: task.task.path };
  const reserve = reservationOf(state, step, step.agents[0]);
  const fits = fit(state.ledger, task.index, { reserve, isPaid: true });
  switch (fits.type) {
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
      return { type: 'task.escalated', ...about, reason: 'cost', budget: fits.budget };
    case 'later':
      return deferTransition(state, transition, { by: 'budget' });
  }
}

interface Wanting {
  readonly task: TaskIndex;
  /** The end of the backoff. */
  readonly until: number;
  readonly pools: readonly PoolDemand[];
}

function deferralOf(state: State, wanting: Wanting, { transition, now, honoursHolds }: Claiming): Deferral | undefined {
  const { task, until, pools } = wanting;
  if (isPaused(state, task)) return pausedAround(state, task);
  if (until > now) return { by: 'backoff', until };
  const held = heldByOthers(state, task, pools);
  if (held !== undefined) return held;
  const { play } = state;
  const guard = holdOf(taskAt(state, task)).length === 0 ? state.guard : undefined;
  const starving = guard === undefined ? undefined : keptFor(guard, play, now);
  const taken =
    guard === undefined || starving === undefined
      ? undefined
      : takenInTheWay(guard, play, { claim: transition, kept: starving });
  if (starving !== undefined && taken !== undefined) return { by: 'starvation', claim: starving, ...taken };
  const pool = overLimit(state, pools);
  if (pool !== undefined) return { by: 'throttle', pool };
  const steps = honoursHolds ? toBeginFirst(state, transition) : [];
  return steps.length === 0 ? undefined : { by: 'order', steps };
}

/** The pool in which the claim would exceed the effective limit. */
function overLimit({ compiled, play, throttled }: State, pools: readonly PoolDemand[]): string | undefined {
  if (throttled.size === 0) return undefined;
  return pools.find(({ pool, tokens }) => {
    const parts = compiled.pools.get(pool);
    const held = parts === undefined ? 0 : parts.size - countAt(play, parts.place);
    return held + tokens > (throttled.get(pool)?.limit ?? Infinity);
  })?.pool;
}

/** The reservation of a turn: the plan's, or more where earlier turns of the agent cost more. */
export function reservationOf({ ledger }: State, { task, step }: CompiledStep, agent: string | undefined): Spend {
  const [innermost] = accountsOf(ledger, task);
  if (step.type !== 'prompt') return step.reserve;
  const reserve = reserveFor(step, agent);
  return innermost === undefined ? reserve : reservationFrom(innermost.seen, agent, reserve);
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
  const reserve = reservationOf(state, step, agent);
  const fits = fit(state.ledger, step.task, { reserve, isPaid: step.step.type === 'prompt' });
  switch (fits.type) {
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
      return {
        type: 'step.skipped',
        ...about,
        ending: 'failed',
        reason: 'cost',
        cause: undefined,
        budget: fits.budget,
      };
    case 'later':
      return deferTransition(state, transition, { by: 'budget' });
  }
}

/** Claims a step that only backs off between attempts, where tokens allow, because a person asked for it. */
export function claimBackingOff(state: State, step: CompiledStep, at: number): RunEvent | undefined {
  const { agent } = chooseAgent(state, step, at);
  const variant = variantsOf(state, step).find(({ agents }) => agent !== undefined && agents.includes(agent)) ?? step;
  const { claim: transition } = variant.transitions;
  if (transition === undefined || tokenAt(state, step.ready[0]).until <= at) return undefined;
  if (isPaused(state, step.task) || isSerialAndBusy(state) || !isEnabled(state.play, transition)) return undefined;
  return claimPaid(state, step, { transition, at, agent });
}

/** The steps that go first in the planned order and have neither begun nor been dropped. */
function toBeginFirst(state: State, claim: number): readonly StepRef[] {
  return state.holds.get(claim)?.filter(({ task, step }) => isStillToBegin(state, task, step)) ?? [];
}

function isStillToBegin(state: State, index: number, step: number): boolean {
  const facts = factsOf(state, index);
  const ofStep = facts.steps[step];
  if (isPaused(state, index)) return false;
  if (facts.ended !== undefined || facts.cancelling !== undefined || facts.failing !== undefined) return false;
  return ofStep?.attempts === 0 && ofStep.ended === undefined;
}

export const isSerialAndBusy = (state: State): boolean => state.order.policy === 'serial' && state.claims.size > 0;

/** Paused by a person, or until the plan is amended. */
export const isPaused = ({ compiled, deferred, amending }: State, task: TaskIndex): boolean =>
  isInside(compiled, deferred.paused, task) || (amending !== undefined && isInside(compiled, amending.tasks, task));

/** The deferral of a paused task; it is decided again when the task is released. */
export function pausedAround(state: State, task: TaskIndex): Deferral {
  for (let at: TaskIndex | undefined = task; at !== undefined; at = taskAt(state, at).parent)
    if (state.deferred.paused.has(at)) return { by: 'pause', task: at };
  return { by: 'pause', task: undefined };
}

/** Number of tasks that fail in the same way, without a success between them, before the breaker opens. */
const SAME_FAILURES_MAX = 3;

/** Why no more turns of the agent start; undefined when they may. */
function brokenSetUp(state: State, agent: string | undefined): string | undefined {
  for (const failure of state.repeatedFailures.values()) {
    if (failure.agent !== agent || failure.tasks.length < SAME_FAILURES_MAX) continue;
    const tasks = failure.tasks.map((index) => taskAt(state, index).task.path).join(', ');
    const said = failure.says?.trimEnd().split('\n').at(-1);
    return `turns of ${agent} fail in the same way, in ${tasks} (${failure.reason})${said === undefined ? '' : `: ${said}`}`;
  }
  return undefined;
}

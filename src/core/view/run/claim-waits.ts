// Why ready work is not claimed yet, read from the net: the tokens that its claim lacks, their holders, and the
// engine's further conditions for a claim.
import { isInside, type CompiledStep, type CompiledTask } from '../../compile/compiled.ts';
import { chooseAgent } from '../../engine/decide/choose-agent.ts';
import { deferralOfResolve, deferralOfStep, isSerialAndBusy, reservationOf } from '../../engine/decide/claim.ts';
import type { Deferral } from '../../engine/deferred.ts';
import { taskAt } from '../../engine/facts.ts';
import type { Claim, State } from '../../engine/state.ts';
import { countAt } from '../../net/play.ts';
import { forEachArc, weightOf } from '../../net/walk-arcs.ts';
import {
  holderOf,
  claimInWords,
  nameOfStep,
  type TokenHolder,
  type ExplainContext,
  type Resource,
  type Wait,
} from './wait.ts';
import { exact } from '../../engine/ledger.ts';

/** Waits of a step that is ready. */
export function stepWaits(context: ExplainContext, step: CompiledStep): readonly Wait[] {
  const { claim } = step.transitions;
  if (claim === undefined) return [];
  const who = nameOfStep(context.state, step.task, step.index);
  return workWaits(context, {
    step,
    claim,
    who,
    deferral: deferralOfStep(context.state, step, lookingAt(context, claim)),
  });
}

/** Waits of a conflict that an agent will resolve. */
export function resolveWaits(context: ExplainContext, task: CompiledTask): readonly Wait[] {
  const step = task.steps[task.resolver ?? -1];
  const { resolve: claim } = task.transitions;
  if (step === undefined || claim === undefined) return [];
  const deferral = deferralOfResolve(context.state, task, lookingAt(context, claim));
  return workWaits(context, { step, claim, who: task.task.path, deferral });
}

/** The holds of the planned order do not count while nothing runs. */
const lookingAt = ({ state, now }: ExplainContext, transition: number) => ({
  transition,
  now,
  honoursHolds: state.claims.size > 0,
});

interface Waiting {
  /** The step that determines the agent and the budget. */
  readonly step: CompiledStep;
  readonly claim: number;
  readonly who: string;
  readonly deferral: Deferral | undefined;
}

function workWaits(context: ExplainContext, { step, claim, who, deferral }: Waiting): readonly Wait[] {
  const lacking = [...tokenWaits(context, claim, who), ...budgetWaits(context, step, who)];
  const deferred = deferral === undefined ? undefined : deferralWait(context.state, deferral, who);
  if (deferred?.type === 'backoff') return [...lacking, deferred];
  // Priorities matter only when nothing else is missing.
  if (lacking.length > 0) return lacking;
  return [serialWait(context.state, who) ?? deferred ?? { type: 'nothing', who }];
}

/** Undefined for deferrals that another wait reports: a paused task, a budget, the order of merges. */
function deferralWait(state: State, deferral: Deferral, who: string): Wait | undefined {
  const { guard } = state;
  switch (deferral.by) {
    case 'backoff':
      return { type: 'backoff', who, until: deferral.until };
    case 'agent':
      return deferral.until === undefined ? undefined : { type: 'backoff', who, until: deferral.until };
    case 'starvation': {
      const favoured = guard?.stepOf.get(deferral.claim);
      const of = favoured === undefined ? [] : [nameOfStep(state, favoured.task, favoured.index)];
      return { type: 'precedence', who, why: 'starvation', of };
    }
    case 'throttle':
      return { type: 'throttled', who, pool: deferral.pool, limit: state.throttled.get(deferral.pool)?.limit ?? 0 };
    case 'hold':
      return holdWait(state, who, deferral);
    case 'order':
      return {
        type: 'precedence',
        who,
        why: 'priority',
        of: deferral.steps.map(({ task, step }) => nameOfStep(state, task, step)),
      };
    case 'merge order':
    case 'pause':
    case 'budget':
    case 'choice':
      return undefined;
  }
}

export const holdWait = (state: State, who: string, { pool, task }: Extract<Deferral, { by: 'hold' }>): Wait => ({
  type: 'hold',
  who,
  pool,
  task: task === undefined ? undefined : taskAt(state, task).task.path,
});

function serialWait(state: State, who: string): Wait | undefined {
  if (!isSerialAndBusy(state)) return undefined;
  return {
    type: 'precedence',
    who,
    why: 'serial',
    of: [...state.claims.values()].map((at) => claimInWords(state, at)),
  };
}

/** Waits for the tokens that a claim lacks. */
export function tokenWaits(context: ExplainContext, claim: number, who: string): readonly Wait[] {
  const { compiled, play, exhausted } = context.state;
  const waits: Wait[] = [];
  forEachArc(compiled.net.reads, claim, (place, weight) => {
    const role = compiled.placeRole(place);
    if (role.type !== 'switch' || countAt(play, place) >= weight) return;
    if (role.pool === undefined) waits.push({ type: 'paused', who });
    else waits.push({ type: 'closed', who, pool: role.pool, until: exhausted.get(role.pool) });
  });
  forEachArc(compiled.net.takes, claim, (place, wanted) => {
    const free = countAt(play, place);
    const of = free >= wanted ? undefined : resourceAt(context.state, place);
    if (of !== undefined) waits.push({ type: 'tokens', who, of, wanted, free, holders: holdersOf(context, place) });
  });
  return waits;
}

function resourceAt(state: State, place: number): Resource | undefined {
  const role = state.compiled.placeRole(place);
  if (role.type === 'cap')
    return { type: 'cap', task: role.task === undefined ? undefined : taskAt(state, role.task).task.path };
  if (role.type === 'pool') return { type: 'pool', pool: role.pool };
  return role.type === 'merge-slots' ? { type: 'merge-slots' } : undefined;
}

/** The running claims that hold tokens of this place. */
function holdersOf(context: ExplainContext, place: number): readonly TokenHolder[] {
  const { net } = context.state.compiled;
  return [...context.state.claims.values()].flatMap((claim) => {
    const transition = claimingOf(context.state, claim);
    const holds = transition === undefined ? 0 : weightOf(net.takes, transition, place);
    return holds === 0 ? [] : [holderOf(context, claim, holds)];
  });
}

function claimingOf(state: State, { work, task, step, agent }: Claim): number | undefined {
  const { transitions, steps } = taskAt(state, task);
  switch (work) {
    case 'step':
      return inHandsOf(steps[step ?? -1], agent)?.transitions.claim;
    case 'check':
      return transitions.check;
    case 'merge':
      return transitions.merge;
    case 'resolve':
      return transitions.resolve;
  }
}

const inHandsOf = (step: CompiledStep | undefined, agent: string | undefined): CompiledStep | undefined =>
  step?.otherVariants.find(({ agents }) => agent !== undefined && agents.includes(agent)) ?? step;

type Part = 'usd' | 'tokens';

function budgetWaits(context: ExplainContext, step: CompiledStep, who: string): readonly Wait[] {
  const { state } = context;
  const { task } = step;
  const reserve = reservationOf(state, step, chooseAgent(state, step, context.now).agent);
  const scopes = scopesAround(state, task);
  return (state.ledger.around[task] ?? []).flatMap(({ ceiling, spent, reserved }, at) =>
    (['usd', 'tokens'] as const).flatMap((part): Wait[] => {
      const limit = ceiling[part];
      const wanted = reserve[part] ?? 0;
      if (limit === undefined || wanted === 0) return [];
      if (exact(spent[part] + reserved[part] + wanted) <= limit) return [];
      const scope = scopes[at];
      return [
        {
          type: 'budget',
          who,
          task: scope === undefined ? undefined : taskAt(state, scope).task.path,
          part,
          ceiling: limit,
          spent: spent[part],
          reserved: reserved[part],
          wanted,
          holders: reserving(context, scope, part),
        },
      ];
    }),
  );
}

/**
 * The task and the subplans around it that have a budget, in the order of the ledger's accounts; the run's account has
 * no task.
 */
function scopesAround({ compiled: { tasks } }: State, index: number): readonly (number | undefined)[] {
  const scopes: (number | undefined)[] = [];
  for (let at: number | undefined = index; at !== undefined; at = tasks[at]?.parent)
    if (tasks[at]?.task.budget !== undefined) scopes.push(at);
  return [...scopes, undefined];
}

function reserving(context: ExplainContext, scope: number | undefined, part: Part): readonly TokenHolder[] {
  const { compiled, claims } = context.state;
  return [...claims.values()].flatMap((claim) => {
    const holds = claim.reserve[part] ?? 0;
    const isWithin = scope === undefined || isInside(compiled, new Set([scope]), claim.task);
    return holds > 0 && isWithin ? [holderOf(context, claim, holds)] : [];
  });
}

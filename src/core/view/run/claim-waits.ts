// Why ready work is not claimed yet, read from the net: the tokens that its claim lacks, their holders, and the
// engine's further conditions for a claim.
import { type CompiledStep, type CompiledTask, isInside } from '../../compile/compiled.ts';
import { taskAt, tokenAt } from '../../engine/facts.ts';
import { isInTheWay, keptFor } from '../../engine/starvation-guard.ts';
import type { Claim, State } from '../../engine/state.ts';
import { countAt } from '../../net/play.ts';
import { forEachArc, weightOf } from '../../net/walk-arcs.ts';
import { holderOf, nameOfClaim, nameOfStep, type Look } from './explained.ts';
import type { Holder, Resource, Wait } from './wait.ts';
import { exact } from '../../engine/ledger.ts';

/** Waits of a step that is ready. */
export function stepWaits(look: Look, step: CompiledStep): readonly Wait[] {
  const who = nameOfStep(look.state, step.task, step.index);
  return workWaits(look, { step, claim: step.transitions.claim, ready: step.ready[0], who });
}

/** Waits of a conflict that an agent will resolve. */
export function resolveWaits(
  look: Look,
  { steps, resolver, transitions, places, task }: CompiledTask,
): readonly Wait[] {
  const step = steps[resolver ?? -1];
  if (step === undefined) return [];
  return workWaits(look, { step, claim: transitions.resolve, ready: places.conflicted, who: task.path });
}

interface Waiting {
  /** The step that determines the agent and the budget. */
  readonly step: CompiledStep;
  readonly claim: number | undefined;
  readonly ready: number | undefined;
  readonly who: string;
}

function workWaits(look: Look, { step, claim, ready, who }: Waiting): readonly Wait[] {
  const { state, now } = look;
  if (claim === undefined) return [];
  const waits: Wait[] = [...tokenWaits(look, claim, who)];
  const { until } = tokenAt(state, ready);
  if (until > now) waits.push({ type: 'rest', who, until });
  waits.push(...budgetWaits(look, step, who));
  // Priorities matter only when nothing else is missing.
  return waits.length > 0 ? waits : turnWaits(look, { claim, who });
}

/** Waits for the tokens that a claim lacks. */
export function tokenWaits(look: Look, claim: number, who: string): readonly Wait[] {
  const { compiled, play, exhausted } = look.state;
  const waits: Wait[] = [];
  forEachArc(compiled.net.reads, claim, (place, weight) => {
    const role = compiled.placeRole(place);
    if (role.type !== 'switch' || countAt(play, place) >= weight) return;
    if (role.pool === undefined) waits.push({ type: 'paused', who });
    else waits.push({ type: 'closed', who, pool: role.pool, until: exhausted.get(role.pool) });
  });
  forEachArc(compiled.net.takes, claim, (place, wanted) => {
    const free = countAt(play, place);
    const of = free >= wanted ? undefined : resourceAt(look.state, place);
    if (of !== undefined) waits.push({ type: 'tokens', who, of, wanted, free, holders: holdersOf(look, place) });
  });
  return waits;
}

function resourceAt(state: State, place: number): Resource | undefined {
  const role = state.compiled.placeRole(place);
  if (role.type === 'cap')
    return { type: 'cap', task: role.task === undefined ? undefined : taskAt(state, role.task).task.path };
  if (role.type === 'pool') return { type: 'pool', pool: role.pool };
  return role.type === 'lane' ? { type: 'lane' } : undefined;
}

/** The running claims that hold tokens of this place. */
function holdersOf(look: Look, place: number): readonly Holder[] {
  const { net } = look.state.compiled;
  return [...look.state.claims.values()].flatMap((claim) => {
    const transition = claimingOf(look.state, claim);
    const holds = transition === undefined ? 0 : weightOf(net.takes, transition, place);
    return holds === 0 ? [] : [holderOf(look, claim, holds)];
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

interface Ready {
  readonly claim: number;
  readonly who: string;
}

/** Waits of a claim that lacks nothing while other claims go first. */
function turnWaits({ state, now }: Look, { claim, who }: Ready): readonly Wait[] {
  const { order, claims, guard, play, holds } = state;
  if (order.policy === 'serial' && claims.size > 0) {
    const of = [...claims.values()].map((at) => nameOfClaim(state, at));
    return [{ type: 'turn', who, why: 'serial', of }];
  }
  const kept = guard === undefined ? undefined : keptFor(guard, play, now);
  const favoured = kept === undefined ? undefined : guard?.stepOf.get(kept);
  if (guard !== undefined && kept !== undefined && favoured !== undefined && isInTheWay(guard, play, { claim, kept }))
    return [{ type: 'turn', who, why: 'kept', of: [nameOfStep(state, favoured.task, favoured.index)] }];
  // The holds of the planned order do not count while nothing runs.
  const first = claims.size === 0 ? [] : (holds.get(claim) ?? []).filter((each) => isStillToBegin(state, each));
  if (first.length === 0) return [{ type: 'nothing', who }];
  return [{ type: 'turn', who, why: 'order', of: first.map(({ task, step }) => nameOfStep(state, task, step)) }];
}

function isStillToBegin({ tasks }: State, { task, step }: { readonly task: number; readonly step: number }): boolean {
  const facts = tasks[task];
  const ofStep = facts?.steps[step];
  return facts?.ended === undefined && ofStep?.attempts === 0 && ofStep.ended === undefined;
}

type Part = 'usd' | 'tokens';

function budgetWaits(look: Look, { step, task }: CompiledStep, who: string): readonly Wait[] {
  const { state } = look;
  const scopes = scopesAround(state, task);
  return (state.ledger.around[task] ?? []).flatMap(({ ceiling, spent, reserved }, at) =>
    (['usd', 'tokens'] as const).flatMap((part): Wait[] => {
      const limit = ceiling[part];
      const wanted = step.reserve[part] ?? 0;
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
          holders: reserving(look, scope, part),
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

function reserving(look: Look, scope: number | undefined, part: Part): readonly Holder[] {
  const { compiled, claims } = look.state;
  return [...claims.values()].flatMap((claim) => {
    const holds = claim.reserve[part] ?? 0;
    const isWithin = scope === undefined || isInside(compiled, new Set([scope]), claim.task);
    return holds > 0 && isWithin ? [holderOf(look, claim, holds)] : [];
  });
}

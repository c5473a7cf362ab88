// Which ceilings keep a step from starting while others hold their reservations, and who they are.

import { isInside } from '../../../compile/compiled.ts';
import { taskAt } from '../../../engine/facts.ts';
import { exact } from '../../../engine/ledger.ts';
import { holderOf } from './look.ts';
import type { CompiledStep } from '../../../compile/compiled.ts';
import type { State } from '../../../engine/state.ts';
import type { Look } from './look.ts';
import type { Holder, Wait } from './wait.ts';

type Part = 'usd' | 'tokens';

export function budgetWaits(look: Look, { step, task }: CompiledStep, who: string): readonly Wait[] {
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

/** The task and subplans around it that have a budget, in the order of the ledger's accounts; the run's has no task. */
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

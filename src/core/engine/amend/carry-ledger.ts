// What was spent counts under an amended plan as it did before (P8).
//
// Limit: a budget that a task did not have before counts the dollars that its steps have spent, and tokens from the
// amendment on. When that matters, keep an account for every task.

import { isInside } from '../../compile/compiled.ts';
import { factsOf } from '../facts.ts';
import { exact } from '../ledger.ts';
import type { TaskIndex } from '../../compile/meaning.ts';
import type { Account } from '../ledger.ts';
import type { State } from '../state.ts';
import type { Carrying } from './carrying.ts';

export function carryLedger({ old, next }: Carrying): void {
  Object.assign(next.ledger.run.spent, old.ledger.run.spent);
  for (const { task, index } of next.compiled.tasks) {
    const account = accountOf(next, index);
    if (account === undefined) continue;
    const before = old.compiled.indexOf.get(task.path);
    const known = before === undefined ? undefined : accountOf(old, before);
    Object.assign(account.spent, known?.spent ?? { usd: spentIn(next, index), tokens: 0 });
  }
}

/** Its own, where it has a budget. */
const accountOf = ({ compiled, ledger }: State, index: TaskIndex): Account | undefined =>
  compiled.tasks[index]?.task.budget === undefined ? undefined : ledger.around[index]?.[0];

function spentIn(state: State, index: TaskIndex): number {
  const these = new Set([index]);
  const inside = state.compiled.tasks.filter((task) => isInside(state.compiled, these, task.index));
  return exact(inside.flatMap((task) => factsOf(state, task.index).steps).reduce((sum, { usd }) => sum + usd, 0));
}

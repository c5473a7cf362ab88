// Pools that tasks hold from their opening to their end (`hold`), as reservations beside the net.
//
// task-holds/H1. An open task reserves its held tokens of a pool for its own steps: other tasks leave its unused tokens
//     free. Its steps take their tokens in the net like all steps, so the net alone bounds a pool (P7), and the holds
//     follow from the log: the tasks that have opened and not ended.
// task-holds/H2. A task opens when all its held tokens are free at once, and holds nothing before.
// task-holds/H3. No cycle of waits. When nothing runs, an open task has its held pools and all caps, so it waits only
//     for a pool that another open task holds and it does not. A checked plan has no cycle of pools in which a task
//     holds one and takes the next, so of the tasks that wait for each other one does not wait. The starvation guard
//     does not block a task with a hold, for the starving step may wait for that very task.
import type { CompiledTask } from '../../compile/compiled.ts';
import type { TaskIndex } from '../../compile/meaning.ts';
import { countAt } from '../../net/play.ts';
import type { PoolDemand } from '../../plan/plan.ts';
import type { Deferral } from '../deferred.ts';
import { factsOf, poolsOf, taskAt } from '../facts.ts';
import type { State } from '../state.ts';

export const holdOf = ({ task }: CompiledTask): readonly PoolDemand[] => (task.type === 'work' ? task.hold : NOTHING);

const NOTHING: readonly PoolDemand[] = [];

/** Why this task cannot take the pools now: another task holds one of them. */
export function heldByOthers(state: State, task: TaskIndex, pools: readonly PoolDemand[]): Deferral | undefined {
  if (state.compiled.holders.length === 0) return undefined;
  for (const { pool, tokens } of pools) {
    const parts = state.compiled.pools.get(pool);
    if (parts === undefined) continue;
    const holders = unusedHolds(state, pool, task);
    const unused = holders.reduce((sum, holder) => sum + holder.tokens, 0);
    const [first] = holders;
    if (first !== undefined && countAt(state.play, parts.place) - tokens < unused)
      return { by: 'hold', pool, task: first.task };
  }
  return undefined;
}

/** Why a task with holds cannot open yet: its pools are not free all at once. */
export function whyNotOpened(state: State, task: CompiledTask): Deferral | undefined {
  for (const { pool, tokens } of holdOf(task)) {
    const parts = state.compiled.pools.get(pool);
    if (parts !== undefined && countAt(state.play, parts.place) < tokens)
      return { by: 'hold', pool, task: userOf(state, pool) };
  }
  return heldByOthers(state, task.index, holdOf(task));
}

interface UnusedHold {
  readonly task: TaskIndex;
  readonly tokens: number;
}

/** Open tasks that hold more of the pool than their running steps take. */
function unusedHolds(state: State, pool: string, but: TaskIndex): readonly UnusedHold[] {
  return state.compiled.holders.flatMap((index): readonly UnusedHold[] => {
    if (index === but || !isHolding(state, index) || isBefore(state, but, index)) return [];
    const held = holdOf(taskAt(state, index)).find((demand) => demand.pool === pool)?.tokens ?? 0;
    const tokens = held - usedBy(state, index, pool);
    return tokens > 0 ? [{ task: index, tokens }] : [];
  });
}

/**
 * Whether the first task has holds too and opened earlier. After an amendment a pool may be smaller than the holds of
 * the open tasks; then the task that opened first goes first.
 */
const isBefore = (state: State, one: TaskIndex, other: TaskIndex): boolean =>
  holdOf(taskAt(state, one)).length > 0 &&
  isHolding(state, one) &&
  factsOf(state, one).openingEvent < factsOf(state, other).openingEvent;

function isHolding(state: State, index: TaskIndex): boolean {
  const { openedAt, ended } = factsOf(state, index);
  return openedAt !== undefined && ended === undefined;
}

function usedBy(state: State, index: TaskIndex, pool: string): number {
  let used = 0;
  for (const claim of state.claims.values()) {
    if (claim.task === index) used += poolsOf(state, claim).find((each) => each.pool === pool)?.tokens ?? 0;
  }
  return used;
}

/** A task whose running step has tokens of the pool. */
function userOf(state: State, pool: string): TaskIndex | undefined {
  for (const claim of state.claims.values()) if (usedBy(state, claim.task, pool) > 0) return claim.task;
  return undefined;
}

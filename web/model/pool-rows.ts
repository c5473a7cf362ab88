// Who holds the tokens of each pool, since when, and who waits for them.
import { holdOf } from '../../src/core/engine/decide/task-holds.ts';
import { factsOf, poolsOf, taskAt, variantOf } from '../../src/core/engine/facts.ts';
import type { State } from '../../src/core/engine/state.ts';
import type { PoolStatus, Status } from '../../src/core/view/run/run-status.ts';
import { countAt } from '../../src/core/net/play.ts';

export interface PoolHolder {
  readonly task: string;
  readonly step: string;
  readonly tokens: number;
  readonly since: number;
}

export interface PoolRow extends PoolStatus {
  readonly holders: readonly PoolHolder[];
  /** Steps that are ready and want tokens of the pool. */
  readonly waiting: readonly { readonly task: string; readonly step: string; readonly tokens: number }[];
}

export function poolRows(state: State, { pools }: Status): readonly PoolRow[] {
  const holders = holdersIn(state);
  const waiting = waitingIn(state);
  return pools.map((pool) => {
    const own = holders.get(pool.name) ?? [];
    return {
      ...pool,
      held: Math.max(
        pool.held,
        own.reduce((sum, { tokens }) => sum + tokens, 0),
      ),
      holders: own,
      waiting: waiting.get(pool.name) ?? [],
    };
  });
}

function holdersIn(state: State): ReadonlyMap<string, readonly Held[]> {
  const held: readonly Held[] = [...state.claims.values()].flatMap((claim) => {
    const task = taskAt(state, claim.task);
    const step = claim.work === 'resolve' ? claim.work : (variantOf(task, claim)?.step.id ?? '');
    return poolsOf(state, claim).map((held) => ({ ...held, task: task.task.path, step, since: claim.at }));
  });
  return Map.groupBy([...held, ...heldByTasks(state, held)], ({ pool }) => pool);
}

type Held = PoolHolder & { readonly pool: string };

/** Of tasks that hold pools from their opening to their end: the tokens that none of their steps takes now. */
function heldByTasks(state: State, taken: readonly Held[]): readonly Held[] {
  return state.compiled.holders.flatMap((index): readonly Held[] => {
    const { openedAt, ended } = factsOf(state, index);
    if (openedAt === undefined || ended !== undefined) return [];
    const compiled = taskAt(state, index);
    const { path } = compiled.task;
    return holdOf(compiled).flatMap(({ pool, tokens }) => {
      const used = taken.reduce((sum, each) => sum + (each.pool === pool && each.task === path ? each.tokens : 0), 0);
      const step = 'the whole task';
      return tokens > used ? [{ pool, tokens: tokens - used, task: path, step, since: openedAt }] : [];
    });
  });
}

interface Wanted {
  readonly pool: string;
  readonly task: string;
  readonly step: string;
  readonly tokens: number;
}

function waitingIn(state: State): ReadonlyMap<string, readonly Wanted[]> {
  const wanted = state.compiled.tasks.flatMap(({ task, steps }) =>
    steps
      .filter(({ ready }) => ready.every((place) => countAt(state.play, place) > 0))
      .flatMap(({ step }) => step.pools.map(({ pool, tokens }) => ({ pool, tokens, task: task.path, step: step.id }))),
  );
  return Map.groupBy(wanted, ({ pool }) => pool);
}

// Who holds the tokens of each pool, since when, and who waits for them.
import { taskAt, variantOf } from '../../src/core/engine/facts.ts';
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
  return pools.map((pool) => ({
    ...pool,
    holders: holders.get(pool.name) ?? [],
    waiting: waiting.get(pool.name) ?? [],
  }));
}

function holdersIn(state: State): ReadonlyMap<string, readonly (PoolHolder & { readonly pool: string })[]> {
  const held = [...state.claims.values()].flatMap((claim) => {
    if (claim.work === 'check' || claim.work === 'merge') return [];
    const task = taskAt(state, claim.task);
    const step = variantOf(task, claim)?.step;
    const pools = step?.pools ?? [];
    return pools.map(({ pool, tokens }) => ({
      pool,
      tokens,
      task: task.task.path,
      step: step?.id ?? '',
      since: claim.at,
    }));
  });
  return Map.groupBy(held, ({ pool }) => pool);
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

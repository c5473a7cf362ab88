// What was spent, by agent, by pool and by task, the dearest first.
import type { Compiled } from '../../src/core/compile/compiled.ts';
import { exact } from '../../src/core/engine/ledger.ts';
import type { ClaimSpan } from '../../src/core/view/report/claim-spans.ts';
import { demandsOf } from '../../src/core/view/report/uses.ts';
import type { TaskHistory } from './task-histories.ts';

export interface SpendRow {
  readonly name: string;
  readonly turns: number;
  readonly workMs: number;
  readonly tokens: number;
  readonly usd: number;
}

export interface SpendTables {
  readonly byAgent: readonly SpendRow[];
  readonly byPool: readonly SpendRow[];
  readonly byTask: readonly SpendRow[];
}

/** What one task spent. */
interface TaskSpend {
  /** Undefined before its first turn. */
  readonly task: SpendRow | undefined;
  readonly agents: readonly SpendRow[];
  readonly pools: readonly SpendRow[];
}

/** A history never changes, so its sums are made once; a history is of one plan. */
const knownSpends = new WeakMap<TaskHistory, TaskSpend>();

/** The places of tasks in the latest order: from one step to the next it is nearly the same, and sorting it costs little. */
const latestOrders = new WeakMap<Compiled, readonly number[]>();

export function spendBy(compiled: Compiled, histories: readonly TaskHistory[]): SpendTables {
  const [agents, pools] = [new Map<string, Sums>(), new Map<string, Sums>()];
  const tasks = histories.map((history) => {
    const spend = spendOf(compiled, history);
    for (const row of spend.agents) add(agents, row);
    for (const row of spend.pools) add(pools, row);
    return spend.task;
  });
  const before = latestOrders.get(compiled) ?? [];
  const known = before.filter((at) => at < tasks.length);
  const isKnown = new Set(known.length === tasks.length ? [] : known);
  const others = known.length === tasks.length ? [] : [...tasks.keys()].filter((at) => !isKnown.has(at));
  const order = [...known, ...others].sort((one, other) => byCost(tasks[one], tasks[other]));
  latestOrders.set(compiled, order);
  return { byAgent: sorted(agents), byPool: sorted(pools), byTask: order.flatMap((at) => tasks[at] ?? []) };
}

function spendOf(compiled: Compiled, history: TaskHistory): TaskSpend {
  const known = knownSpends.get(history);
  if (known !== undefined) return known;
  const turns = history.spans.filter(({ agent }) => agent !== undefined);
  const ofPools = turns.flatMap((span) => demandsOf(compiled, span).map(({ pool }) => [pool, span] as const));
  const made = {
    task: rowsOf(turns.map((span) => [span.task, span])).at(0),
    agents: rowsOf(turns.map((span) => [span.agent ?? '', span])),
    pools: rowsOf(ofPools),
  };
  knownSpends.set(history, made);
  return made;
}

function rowsOf(named: readonly (readonly [name: string, span: ClaimSpan])[]): readonly SpendRow[] {
  return [...Map.groupBy(named, ([name]) => name)].map(([name, own]): SpendRow => {
    const sum = (value: (span: ClaimSpan) => number): number => own.reduce((total, [, span]) => total + value(span), 0);
    return {
      name,
      turns: own.length,
      workMs: sum(({ startMs, endMs }) => (endMs ?? startMs) - startMs),
      tokens: sum(({ tokens }) => tokens ?? 0),
      usd: exact(sum(({ usd }) => usd ?? 0)),
    };
  });
}

type Sums = { -readonly [Key in keyof SpendRow]: SpendRow[Key] };

function add(sums: Map<string, Sums>, row: SpendRow): void {
  const own = sums.get(row.name);
  if (own === undefined) {
    sums.set(row.name, { ...row });
    return;
  }
  own.turns += row.turns;
  own.workMs += row.workMs;
  own.tokens += row.tokens;
  own.usd += row.usd;
}

const sorted = (sums: ReadonlyMap<string, Sums>): readonly SpendRow[] =>
  [...sums.values()].map((row) => ({ ...row, usd: exact(row.usd) })).toSorted(byCost);

/** Rows that cost the same are in the order of their names, whatever their order was before; those without a turn are last. */
function byCost(one: SpendRow | undefined, other: SpendRow | undefined): number {
  if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined);
  return other.usd - one.usd || other.turns - one.turns || (one.name < other.name ? -1 : Number(one.name > other.name));
}

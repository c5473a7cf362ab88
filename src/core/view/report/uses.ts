// The agents of a run and the use of pools and budgets.
import { stepOfId, taskOfPath, type Compiled } from '../../compile/compiled.ts';
import { resolverPools } from '../../compile/sequence.ts';
import type { RunEvent } from '../../engine/event.ts';
import { exact, type Account } from '../../engine/ledger.ts';
import type { Usage } from '../../protocol/result.ts';
import type { State } from '../../engine/state.ts';
import type { PoolDemand } from '../../plan/plan.ts';
import { loadOf } from '../../simulate/work-spans.ts';
import { nameOfClaim, type TurnKept } from './kept.ts';
import type { ClaimSpan } from './claim-spans.ts';

export interface AgentSummary {
  readonly agent: string;
  /** The adapter. */
  readonly use: string | undefined;
  /** The model that the plan names, or that the turns reported. */
  readonly models: readonly string[];
  readonly turns: number;
  readonly done: number;
  readonly workMs: number;
  readonly usd: number;
  readonly tokens: number;
  /** The sum over turns that reported it; undefined when none did. */
  readonly usage: Pick<Usage, 'input' | 'cached' | 'output'> | undefined;
  /** Turns that did not report their cost; their reservation counts instead. */
  readonly unreported: number;
}

export function agentSummaries(
  { plan }: Compiled,
  spans: readonly ClaimSpan[],
  turns: ReadonlyMap<string, TurnKept>,
): readonly AgentSummary[] {
  const byAgent = Map.groupBy(
    spans.filter(({ agent }) => agent !== undefined),
    ({ agent }) => agent ?? '',
  );
  return [...byAgent].map(([agent, own]) => {
    const declared = plan.agents.find(({ name }) => name === agent);
    const notes = own.flatMap((span) => turns.get(nameOfClaim(span)) ?? []);
    const models = notes.flatMap(({ model }) => model ?? []);
    return {
      agent,
      use: declared?.use,
      models: [...new Set([...(declared?.model === undefined ? [] : [declared.model]), ...models])],
      turns: own.length,
      done: own.filter(({ result }) => result === 'done').length,
      workMs: own.reduce((sum, { startMs, endMs }) => sum + (endMs ?? startMs) - startMs, 0),
      usd: exact(own.reduce((sum, { usd }) => sum + (usd ?? 0), 0)),
      tokens: own.reduce((sum, { tokens }) => sum + (tokens ?? 0), 0),
      usage: usageOf(notes),
      unreported: own.filter(({ isReported }) => isReported === false).length,
    };
  });
}

function usageOf(notes: readonly TurnKept[]): AgentSummary['usage'] {
  const said = notes.flatMap(({ usage }) => usage ?? []);
  if (said.length === 0) return undefined;
  const sum = (part: 'input' | 'cached' | 'output'): number => said.reduce((total, each) => total + each[part], 0);
  return { input: sum('input'), cached: sum('cached'), output: sum('output') };
}

export interface PoolSummary {
  readonly name: string;
  readonly size: number;
  readonly peak: number;
  /** Tokens times the milliseconds that they were held. */
  readonly heldMs: number;
  /** The share of the pool's capacity that was held, from the start of the run to the time of the report, 0 to 1. */
  readonly share: number;
  /**
   * How often the pool closed for lack of quota, and how often it was throttled because its provider was overloaded.
   */
  readonly closings: number;
  readonly throttlings: number;
}

interface Pooled {
  readonly compiled: Compiled;
  readonly events: readonly RunEvent[];
  readonly spans: readonly ClaimSpan[];
  readonly nowMs: number;
}

export function poolSummaries({ compiled, events, spans, nowMs }: Pooled): readonly PoolSummary[] {
  const loads = spans.flatMap((span) =>
    demandsOf(compiled, span).map(({ pool, tokens: count }) => ({
      pool,
      startMs: span.startMs,
      endMs: span.endMs ?? nowMs,
      count,
    })),
  );
  const byPool = Map.groupBy(loads, ({ pool }) => pool);
  const count = (type: RunEvent['type'], pool: string): number =>
    events.filter((event) => event.type === type && 'pool' in event && event.pool === pool).length;
  return compiled.plan.pools.map(({ name, size }) => {
    const { peak, heldMs } = loadOf(byPool.get(name) ?? []);
    const share = nowMs === 0 ? 0 : heldMs / (size * nowMs);
    return {
      name,
      size,
      peak,
      heldMs,
      share,
      closings: count('pool.closed', name),
      throttlings: count('pool.throttled', name),
    };
  });
}

/** The pool tokens that work holds when this agent runs it. */
export function demandsOf(
  compiled: Compiled,
  { type, task, step: id, agent }: Pick<ClaimSpan, 'type' | 'task' | 'step' | 'agent'>,
): readonly PoolDemand[] {
  if (type === 'check' || type === 'merge') return [];
  const step = stepOfId(taskOfPath(compiled, task), id)?.step;
  if (step === undefined) return [];
  if (type === 'resolve') return resolverPools(step, compiled.plan.agents);
  const other = step.type === 'prompt' ? step.fallbacks.find((each) => each.agent === agent) : undefined;
  return other?.pools ?? step.pools;
}

export interface BudgetSummary {
  /** The task or subplan; undefined for the budget of the run. */
  readonly task: string | undefined;
  readonly ceiling: Account['ceiling'];
  readonly spent: Readonly<Account['spent']>;
  readonly reserved: Readonly<Account['reserved']>;
  /** Whether steps under it were refused or ended for their cost. */
  readonly isReached: boolean;
}

export function budgetSummaries({ compiled, ledger }: State): readonly BudgetSummary[] {
  const own = compiled.tasks.flatMap(({ task, index }): BudgetSummary[] => {
    const account = task.budget === undefined ? undefined : ledger.around[index]?.[0];
    if (account === undefined) return [];
    return [{ task: task.path, ...copyOf(account) }];
  });
  return [{ task: undefined, ...copyOf(ledger.run) }, ...own];
}

/** A copy: the ledger is mutable and changes with the state, the report does not. */
const copyOf = ({ ceiling, spent, reserved, isReached }: Account): Omit<BudgetSummary, 'task'> => ({
  ceiling,
  spent: { ...spent },
  reserved: { ...reserved },
  isReached,
});

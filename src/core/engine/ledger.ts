// Money and tokens, reserved then settled (P8).
//
// ledger/B1. Spending and reservations are known for the run and for every task or subplan with a budget.
// ledger/B2. A cost that an agent did not report counts as its reservation, never as zero.
// ledger/B3. A step is claimed only when its reservation fits every ceiling around it.
// ledger/B4. Sums are exact to a thousand-millionth of a dollar, so that three dimes fit under thirty cents.
// ledger/B5. A ceiling is reached when a step under it is refused or ended for its cost. Where the budget says `stop`,
//     no further step starts under it.
//
// Costs of earlier turns, by agent, set the reservation of the next turn.
//
// ledger/B6. A turn reserves what the plan says, or more where earlier turns of its agent cost more: the upper
//     quartile of the latest turns, so that one dear turn among many does not keep the rest of a budget unused.
// ledger/B7. Only costs that an agent reported count; they are a fold of the log.
import type { Compiled } from '../compile/compiled.ts';
import type { TaskIndex } from '../compile/meaning.ts';
import type { AtCeiling, Budget, Ceilings } from '../plan/budget.ts';
import type { Spend } from '../protocol/result.ts';

export interface Amount {
  usd: number;
  tokens: number;
}

export interface Account {
  /** The task or subplan with the budget; undefined for the budget of the run. */
  readonly task: string | undefined;
  readonly ceiling: Budget;
  readonly atCeiling: AtCeiling;
  readonly spent: Amount;
  readonly reserved: Amount;
  /** Costs of earlier turns under the budget. */
  readonly seen: SeenCosts;
  isReached: boolean;
}

export interface Ledger {
  readonly run: Account;
  /** By task: the accounts of the task and of the subplans around it that have a budget, the run's last. */
  readonly around: readonly (readonly Account[])[];
}

export function openLedger({ plan, tasks }: Compiled): Ledger {
  const run = openAccount(undefined, plan.budget);
  const around: (readonly Account[])[] = [];
  for (const { task, parent } of tasks) {
    const outer = parent === undefined ? [run] : (around[parent] ?? [run]);
    around.push(task.budget === undefined ? outer : [openAccount(task.path, task.budget), ...outer]);
  }
  return { run, around };
}

const openAccount = (task: string | undefined, budget: Ceilings | undefined): Account => ({
  task,
  ceiling: { usd: budget?.usd, tokens: budget?.tokens },
  atCeiling: budget?.atCeiling ?? 'finish',
  spent: { usd: 0, tokens: 0 },
  reserved: { usd: 0, tokens: 0 },
  seen: seenCosts(),
  isReached: false,
});

type Fit =
  | { readonly type: 'now' }
  /** It does not fit until other reservations are settled. */
  | { readonly type: 'later' }
  /** Spending leaves too little of the budget of this task or subplan; undefined: of the run's. */
  | { readonly type: 'never'; readonly budget: string | undefined };

interface Wanted {
  readonly reserve: Spend;
  /** Whether the work may spend more than it reserves; a command spends nothing. */
  readonly isPaid: boolean;
}

export function fit(ledger: Ledger, task: TaskIndex, { reserve, isPaid }: Wanted): Fit {
  let answer: Fit = { type: 'now' };
  for (const { task: budget, ceiling, atCeiling, spent, reserved, isReached } of accountsOf(ledger, task)) {
    if (isReached && atCeiling === 'stop') return { type: 'never', budget };
    for (const part of PARTS) {
      const limit = ceiling[part];
      const wanted = reserve[part] ?? 0;
      if (limit === undefined) continue;
      // Work without a reservation need not wait for reservations; but an agent may not begin when all is spent.
      if (wanted === 0 && !(isPaid && spent[part] >= limit)) continue;
      if (wanted === 0 || exact(spent[part] + wanted) > limit) return { type: 'never', budget };
      if (exact(spent[part] + reserved[part] + wanted) > limit) answer = { type: 'later' };
    }
  }
  return answer;
}

const PARTS = ['usd', 'tokens'] as const;

export function reserve(ledger: Ledger, task: TaskIndex, amount: Spend): void {
  for (const { reserved } of accountsOf(ledger, task)) addTo(reserved, amount, 1);
}

export function settle(ledger: Ledger, task: TaskIndex, { reserved, spend }: { reserved: Spend; spend: Spend }): void {
  const final = finalOf(reserved, spend);
  for (const account of accountsOf(ledger, task)) {
    addTo(account.reserved, reserved, -1);
    addTo(account.spent, final, 1);
  }
}

/** Reserves more for a step that turned out to spend more. */
export function raise(ledger: Ledger, task: TaskIndex, { reserved, raised }: { reserved: Spend; raised: Spend }): void {
  for (const account of accountsOf(ledger, task)) {
    addTo(account.reserved, reserved, -1);
    addTo(account.reserved, raised, 1);
  }
}

/** The innermost account around the task whose spending and reservations exceed its ceiling. */
export function overdrawn(ledger: Ledger, task: TaskIndex): Account | undefined {
  return accountsOf(ledger, task).find(({ ceiling, spent, reserved }) =>
    PARTS.some((part) => exact(spent[part] + reserved[part]) > (ceiling[part] ?? Infinity)),
  );
}

/** The account around the task with the fewest dollars left, where one has a ceiling. */
export function tightestAccount(ledger: Ledger, task: TaskIndex): Account | undefined {
  const left = ({ ceiling, spent, reserved }: Account): number => (ceiling.usd ?? Infinity) - spent.usd - reserved.usd;
  return accountsOf(ledger, task).toSorted((one, other) => left(one) - left(other))[0];
}

/** Notes that the ceiling of this budget was reached; returns `stop` when running steps are to be ended for it. */
export function noteReached(ledger: Ledger, task: TaskIndex, budget: string | undefined): 'stop' | undefined {
  const account = accountsOf(ledger, task).find((each) => each.task === budget);
  if (account === undefined || account.isReached || !hasCeiling(account)) return undefined;
  account.isReached = true;
  return account.atCeiling === 'stop' ? 'stop' : undefined;
}

const hasCeiling = ({ ceiling }: Account): boolean => PARTS.some((part) => ceiling[part] !== undefined);

/** After a manual retry: the ceilings are tested again. */
export function forgetReached({ run, around }: Ledger): void {
  for (const account of [run, ...around.flat()]) account.isReached = false;
}

/** Dollars that a step with the reservation `own` may spend before it exceeds a ceiling; undefined without one. */
export function roomInUsd(ledger: Ledger, task: TaskIndex, own: Spend): number | undefined {
  const rooms = accountsOf(ledger, task).flatMap(({ ceiling, spent, reserved }) =>
    ceiling.usd === undefined ? [] : [exact(ceiling.usd - spent.usd - reserved.usd + (own.usd ?? 0))],
  );
  return rooms.length === 0 ? undefined : Math.max(0, Math.min(...rooms));
}

/** The counted cost of an attempt (ledger/B2). */
export const finalOf = (reserved: Spend, spend: Spend): Spend => ({
  usd: spend.usd ?? reserved.usd,
  tokens: spend.tokens ?? reserved.tokens,
});

/** When only a part of a cost is known, the part counts where it exceeds the reservation (P8). */
export function reportedOf(
  reserved: Spend,
  { spend, isPartial }: { spend: Spend; isPartial?: boolean | undefined },
): Spend {
  if (isPartial !== true) return spend;
  const above = (part: keyof Spend): number | undefined =>
    (spend[part] ?? 0) > (reserved[part] ?? 0) ? spend[part] : undefined;
  return { usd: above('usd'), tokens: above('tokens') };
}

const EXACT_TO = 1e9;
/** Sums of decimal fractions drift in binary; rounding at every step keeps them where people expect them (ledger/B4). */
export const exact = (sum: number): number => Math.round(sum * EXACT_TO) / EXACT_TO;

export const accountsOf = (ledger: Ledger, task: TaskIndex): readonly Account[] => ledger.around[task] ?? [ledger.run];

function addTo(amount: Amount, change: Spend, sign: 1 | -1): void {
  amount.usd = exact(amount.usd + sign * (change.usd ?? 0));
  amount.tokens += sign * (change.tokens ?? 0);
}

type Part = keyof Spend;
type Costs = Record<Part, number[]>;
type SeenCosts = Map<string, Costs>;

/** Number of remembered turns per agent. */
const TURNS_MAX = 20;

const seenCosts = (): SeenCosts => new Map();

export function noteCost(seen: SeenCosts, agent: string, spend: Spend): void {
  const costs = seen.get(agent) ?? { usd: [], tokens: [] };
  seen.set(agent, costs);
  for (const part of ['usd', 'tokens'] as const) {
    const cost = spend[part];
    // A turn that its provider rejected does not predict the cost of the next.
    if (cost === undefined || cost === 0) continue;
    costs[part].push(cost);
    if (costs[part].length > TURNS_MAX) costs[part].shift();
  }
}

/** The reservation of the agent's next turn. */
export function reservationFrom(seen: SeenCosts, agent: string | undefined, declared: Spend): Spend {
  const costs = agent === undefined ? undefined : seen.get(agent);
  if (costs === undefined) return declared;
  return { usd: largerOf(declared.usd, costs.usd), tokens: largerOf(declared.tokens, costs.tokens) };
}

function largerOf(declared: number | undefined, costs: readonly number[]): number | undefined {
  const sorted = costs.toSorted((one, other) => one - other);
  const upper = sorted[Math.ceil(sorted.length * 0.75) - 1];
  return upper === undefined ? declared : Math.max(upper, declared ?? 0);
}

// Money and tokens, reserved then settled (P8).
//
// ledger/B1. What is spent and what is reserved is known for the run and for every task or subplan with a budget.
// ledger/B2. A part an agent did not report counts as what was reserved for it, never as zero.
// ledger/B3. A step is claimed only when its reservation fits every ceiling around it.
// ledger/B4. Sums are exact to a thousand-millionth of a dollar, so that three dimes fit under thirty cents.
import type { Compiled } from '../compile/compiled.ts';
import type { TaskIndex } from '../compile/meaning.ts';
import type { Budget } from '../plan/plan.ts';
import type { Spend } from '../protocol/result.ts';

export interface Amount {
  usd: number;
  tokens: number;
}

export interface Account {
  readonly ceiling: Budget;
  readonly spent: Amount;
  readonly reserved: Amount;
}

export interface Ledger {
  readonly run: Account;
  /** By task, the accounts of itself and the subplans around it that have a budget, the run's last. */
  readonly around: readonly (readonly Account[])[];
}

export function openLedger({ plan, tasks }: Compiled): Ledger {
  const run = openAccount(plan.budget);
  const around: (readonly Account[])[] = [];
  for (const { task, parent } of tasks) {
    const outer = parent === undefined ? [run] : (around[parent] ?? [run]);
    around.push(task.budget === undefined ? outer : [openAccount(task.budget), ...outer]);
  }
  return { run, around };
}

const openAccount = (ceiling: Budget | undefined): Account => ({
  ceiling: ceiling ?? { usd: undefined, tokens: undefined },
  spent: { usd: 0, tokens: 0 },
  reserved: { usd: 0, tokens: 0 },
});

/** `later`: it does not fit while others hold their reservations. `never`: what is spent leaves too little. */
export type Fit = 'now' | 'later' | 'never';

export interface Wanted {
  readonly reserve: Spend;
  /** Whether it may spend more than it reserves; a command spends nothing. */
  readonly isPaid: boolean;
}

export function fit(ledger: Ledger, task: TaskIndex, { reserve, isPaid }: Wanted): Fit {
  let answer: Fit = 'now';
  for (const { ceiling, spent, reserved } of accountsOf(ledger, task)) {
    for (const part of ['usd', 'tokens'] as const) {
      const limit = ceiling[part];
      const wanted = reserve[part] ?? 0;
      if (limit === undefined) continue;
      // What reserves nothing need not wait for those that do; but an agent may not begin when all is spent.
      if (wanted === 0 && !(isPaid && spent[part] >= limit)) continue;
      if (wanted === 0 || exact(spent[part] + wanted) > limit) return 'never';
      if (exact(spent[part] + reserved[part] + wanted) > limit) answer = 'later';
    }
  }
  return answer;
}

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

/** Sets more aside for a step that turned out to spend more. */
export function raise(ledger: Ledger, task: TaskIndex, { reserved, raised }: { reserved: Spend; raised: Spend }): void {
  for (const account of accountsOf(ledger, task)) {
    addTo(account.reserved, reserved, -1);
    addTo(account.reserved, raised, 1);
  }
}

/** Whether what is spent and set aside exceeds a ceiling around the task. */
export function isOver(ledger: Ledger, task: TaskIndex): boolean {
  return accountsOf(ledger, task).some(({ ceiling, spent, reserved }) =>
    (['usd', 'tokens'] as const).some((part) => exact(spent[part] + reserved[part]) > (ceiling[part] ?? Infinity)),
  );
}

/** What a step that holds `own` may spend, in dollars, before a ceiling around it is exceeded; undefined without one. */
export function roomInUsd(ledger: Ledger, task: TaskIndex, own: Spend): number | undefined {
  const rooms = accountsOf(ledger, task).flatMap(({ ceiling, spent, reserved }) =>
    ceiling.usd === undefined ? [] : [exact(ceiling.usd - spent.usd - reserved.usd + (own.usd ?? 0))],
  );
  return rooms.length === 0 ? undefined : Math.max(0, Math.min(...rooms));
}

/** What an attempt counts as having spent (ledger/B2). */
export const finalOf = (reserved: Spend, spend: Spend): Spend => ({
  usd: spend.usd ?? reserved.usd,
  tokens: spend.tokens ?? reserved.tokens,
});

/** Of a cost of which only a part is known, the part counts where it exceeds the reservation (P8). */
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

const accountsOf = (ledger: Ledger, task: TaskIndex): readonly Account[] => ledger.around[task] ?? [ledger.run];

function addTo(amount: Amount, change: Spend, sign: 1 | -1): void {
  amount.usd = exact(amount.usd + sign * (change.usd ?? 0));
  amount.tokens += sign * (change.tokens ?? 0);
}

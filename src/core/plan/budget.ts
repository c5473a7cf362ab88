// Amounts of money and tokens, and ceilings on spending.

/** An amount of money, in US dollars, and of tokens; an absent part has none. */
export interface Budget {
  readonly usd: number | undefined;
  readonly tokens: number | undefined;
}

/** The fate of running steps at a ceiling: they finish inside their reservations, or they are ended. */
export type AtCeiling = 'finish' | 'stop';

/** Ceilings on the spending of the run, a subplan or a task. */
export interface Ceilings extends Budget {
  readonly atCeiling: AtCeiling;
}

// Amounts of money and tokens, and the ceilings on what is spent.

/** An amount of money, in US dollars, and of tokens; an absent part has none. */
export interface Budget {
  readonly usd: number | undefined;
  readonly tokens: number | undefined;
}

/** What becomes of running steps when a ceiling is reached: they finish inside their reservations, or they are ended. */
export type AtCeiling = 'finish' | 'stop';

/** The ceilings on what is spent by the run, a subplan or a task. */
export interface Ceilings extends Budget {
  readonly atCeiling: AtCeiling;
}

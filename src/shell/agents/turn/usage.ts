// Token usage of turns: sums, differences of counters that never reset, and cost.
import type { Spend, Usage } from '../../../core/protocol/result.ts';

export const NO_USAGE: Usage = { input: 0, cached: 0, output: 0, usd: undefined };

export const isNothing = ({ input, cached, output }: Usage): boolean => input + cached + output === 0;

/** The larger of two readings of one thing, part by part. */
export const larger = (one: Usage, other: Usage): Usage => ({
  input: Math.max(one.input, other.input),
  cached: Math.max(one.cached, other.cached),
  output: Math.max(one.output, other.output),
  usd: one.usd === undefined || other.usd === undefined ? (one.usd ?? other.usd) : Math.max(one.usd, other.usd),
});

const EXACT_TO = 1e9;

/** Sums of decimal fractions drift in binary; a billionth of a dollar is near enough. */
export const exactUsd = (usd: number): number => Math.round(usd * EXACT_TO) / EXACT_TO;

/** When only one side knows its dollars, the sum is the known part. */
export const plus = (one: Usage, other: Usage): Usage => ({
  input: one.input + other.input,
  cached: one.cached + other.cached,
  output: one.output + other.output,
  usd: one.usd === undefined && other.usd === undefined ? undefined : exactUsd((one.usd ?? 0) + (other.usd ?? 0)),
});

/** The increase of a counter. A counter that is lower than before has restarted, so all of it is new. */
export function since(counter: Usage, reading: Usage | undefined): Usage {
  if (reading === undefined) return counter;
  const hasBegunAgain =
    counter.input < reading.input || counter.output < reading.output || counter.cached < reading.cached;
  if (hasBegunAgain) return counter;
  return {
    input: counter.input - reading.input,
    cached: counter.cached - reading.cached,
    output: counter.output - reading.output,
    usd: usdSince(counter.usd, reading.usd),
  };
}

export function usdSince(usd: number | undefined, before: number | undefined): number | undefined {
  if (usd === undefined) return undefined;
  return before === undefined || usd < before ? usd : exactUsd(usd - before);
}

/** The spend that counts against budgets; tokens that were read from a cache are excluded. */
export const spendOf = ({ usd, input, output }: Usage): Spend => ({ usd, tokens: input + output });

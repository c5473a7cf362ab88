// Times by the clock of a host, which may be wrong.
//
// clock-skew/K1. Nothing is decided from a time of a clock that is far off: a provider's limit then lasts as long as one whose end
//     the provider does not say.
import type { HostRun } from './host-message.ts';
import type { WorkOutcome } from './work-outcome.ts';

/** Less is not worth a word, and shorter than limits of providers last. */
export const CLOCK_OFF_MS = 300_000;

export const isClockOff = (byMs: number): boolean => Math.abs(byMs) > CLOCK_OFF_MS;

/** The outcomes of a host whose clock is ahead of ours by so much. */
export const withTimes = (runs: readonly HostRun[], aheadMs: number): readonly HostRun[] =>
  isClockOff(aheadMs) ? runs.map((each) => ({ ...each, done: each.done.map(withoutTime) })) : runs;

const withoutTime = (outcome: WorkOutcome): WorkOutcome =>
  outcome.type === 'limited' ? { ...outcome, until: undefined } : outcome;

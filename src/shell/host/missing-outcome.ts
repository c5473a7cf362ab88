// The outcome of a claim whose worker cannot report it.
import type { ClaimRef } from '../../core/protocol/assignment.ts';
import type { Result, Spend } from '../../core/protocol/result.ts';
import type { WorkOutcome } from '../../core/protocol/work-outcome.ts';

/** Counts as the reservation (P8). */
export const UNKNOWN_SPEND: Spend = { usd: undefined, tokens: undefined };

/** For a claim that never reached a worker. */
export const NO_SPEND: Spend = { usd: 0, tokens: 0 };

export type MissingOutcome =
  /** Its worker died. */
  | { readonly type: 'crashed'; readonly message: string }
  /** Its worker died with an earlier coordinator; no attempt is used up. */
  | { readonly type: 'lost'; readonly message: string }
  | { readonly type: 'stopped' }
  /** Its worker lives but no longer enforces its time limit. */
  | { readonly type: 'timeout'; readonly message: string }
  /** No worker could begin it. */
  | { readonly type: 'refused'; readonly message: string; readonly isFinal: boolean };

export function outcomeOf(claim: ClaimRef, spend: Spend, end: MissingOutcome): WorkOutcome {
  switch (end.type) {
    case 'lost':
    case 'stopped':
      return { type: end.type, ...claim, spend };
    case 'crashed':
    case 'timeout':
      return { type: 'failed', ...claim, spend, reason: end.type, isFinal: false, result: failedWith(end.message) };
    case 'refused': {
      const result = failedWith(end.message);
      return { type: 'failed', ...claim, spend, reason: end.type, isFinal: end.isFinal, isUnbegun: true, result };
    }
  }
}

const failedWith = (response: string): Result => ({
  ok: false,
  response,
  output: undefined,
  exitCode: undefined,
  commit: undefined,
});

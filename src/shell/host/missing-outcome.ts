// How a claim ended when its worker cannot say so itself.
import type { ClaimRef } from '../../core/protocol/assignment.ts';
import type { Result, Spend } from '../../core/protocol/result.ts';
import type { WorkOutcome } from '../../core/protocol/work-outcome.ts';

/** What nobody has reported counts as what was reserved (P8). */
export const UNKNOWN: Spend = { usd: undefined, tokens: undefined };

/** Of a claim that never reached a worker. */
export const NOTHING: Spend = { usd: 0, tokens: 0 };

export type End =
  /** Its worker died. */
  | { readonly type: 'crashed'; readonly message: string }
  /** Its worker died with an earlier coordinator, which is nobody's failed attempt. */
  | { readonly type: 'lost'; readonly message: string }
  | { readonly type: 'stopped' }
  /** Its worker lives but cannot keep its time limit any more. */
  | { readonly type: 'timeout'; readonly message: string }
  /** It could not be begun. */
  | { readonly type: 'refused'; readonly message: string; readonly isFinal: boolean };

export function outcomeOf(claim: ClaimRef, spend: Spend, end: End): WorkOutcome {
  const { task, step, attempt } = claim;
  if (step === undefined) return outcomeOfCheck({ task, attempt }, end);
  const base = { task, step, attempt, spend };
  switch (end.type) {
    case 'lost':
      return { type: 'step.lost', ...base };
    case 'stopped':
      return { type: 'step.stopped', ...base };
    case 'crashed':
    case 'timeout':
      return { type: 'step.failed', ...base, reason: end.type, isFinal: false, result: saying(end.message) };
    case 'refused': {
      const { isFinal, message } = end;
      return { type: 'step.failed', ...base, reason: 'refused', isFinal, result: saying(message) };
    }
  }
}

function outcomeOfCheck(base: { readonly task: string; readonly attempt: number }, end: End): WorkOutcome {
  switch (end.type) {
    case 'stopped':
      return { type: 'check.stopped', ...base };
    case 'timeout':
      return { type: 'check.finished', ...base, ok: false, tail: end.message };
    case 'crashed':
    case 'lost':
    case 'refused':
      return { type: 'check.lost', ...base };
  }
}

const saying = (response: string): Result => ({
  ok: false,
  response,
  output: undefined,
  exitCode: undefined,
  commit: undefined,
});

// Outcomes of claims of which nothing was begun, so nothing was spent.
import type { ClaimRef } from '../../../core/protocol/assignment.ts';
import type { Result, Spend } from '../../../core/protocol/result.ts';
import type { WorkOutcome } from '../../../core/protocol/work-outcome.ts';

/** Also what a command costs: nothing that we count. */
export const NO_SPEND: Spend = { usd: 0, tokens: 0 };

export interface Refusal {
  readonly message: string;
  /** It would be the same another time. */
  readonly isFinal: boolean;
}

export function refused({ task, step, attempt }: ClaimRef, { message, isFinal }: Refusal): WorkOutcome {
  if (step !== undefined) {
    const result = failure(message);
    return { type: 'step.failed', task, step, attempt, spend: NO_SPEND, reason: 'refused', isFinal, result };
  }
  return isFinal
    ? { type: 'check.finished', task, attempt, ok: false, tail: `[heddle: ${message}]` }
    : { type: 'check.lost', task, attempt };
}

export const stopped = ({ task, step, attempt }: ClaimRef): WorkOutcome =>
  step === undefined
    ? { type: 'check.stopped', task, attempt }
    : { type: 'step.stopped', task, step, attempt, spend: NO_SPEND };

export const failure = (response: string): Result => ({
  ok: false,
  response,
  output: undefined,
  exitCode: undefined,
  commit: undefined,
});

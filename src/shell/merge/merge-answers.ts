// Which merges are requested, which are answered, and how often one met an error that was not its own.
//
// merge-answers/A1. Every request is answered once, however often it is repeated; a withdrawn request is not answered.
// merge-answers/A2. After an error of the environment a merge is retried a bounded number of times, with growing
//     backoff.
import { failureText, type SandboxFailure } from '../../core/protocol/sandbox-failure.ts';
import { claimKey, type ClaimRef } from '../../core/protocol/assignment.ts';
import type { Reason, Result } from '../../core/protocol/result.ts';
import type { OutcomeOf, WorkOutcome } from '../../core/protocol/work-outcome.ts';
import type { MergeRequest } from '../ports/merge-request.ts';

type WithoutClaim<Outcome> = Outcome extends WorkOutcome ? Omit<Outcome, keyof ClaimRef | 'spend'> : never;

/** The outcome of a merge, as the queue finds it. */
export type MergeAnswer = WithoutClaim<OutcomeOf<'finished' | 'failed' | 'conflict' | 'stopped' | 'lost' | 'rewound'>>;

const NO_RESULT: Result = { ok: false, response: undefined, output: undefined, exitCode: undefined, commit: undefined };

/** The work is on the run branch; without a commit when there was nothing to merge, or others had brought it. */
export const merged = (commit: string | undefined): MergeAnswer => ({
  type: 'finished',
  result: { ...NO_RESULT, ok: true, commit },
});

export const failedMerge = (reason: Reason, response: string, isBaseline = false): MergeAnswer => ({
  type: 'failed',
  reason,
  isFinal: false,
  result: { ...NO_RESULT, response },
  isBaseline,
});

const ERRORS_MAX = 5;
const BACKOFF_FIRST_MS = 200;
const NO_SPEND = { usd: 0, tokens: 0 };

export interface Answers {
  /** Returns whether anything changed. */
  readonly want: (requests: readonly MergeRequest[]) => boolean;
  /** Requested and not answered, in order. */
  readonly open: () => readonly MergeRequest[];
  readonly give: (answers: readonly Given[]) => void;
  /** Backoff before the next try; undefined after the last try, when the request is answered. */
  readonly retryAfterError: (request: MergeRequest, failure: SandboxFailure) => number | undefined;
}

interface Given {
  readonly request: MergeRequest;
  readonly answer: MergeAnswer;
}

export function openAnswers(report: (outcomes: readonly WorkOutcome[]) => void): Answers {
  let wanted: readonly MergeRequest[] = [];
  const answered = new Set<string>();
  const errors = new Map<string, number>();
  const open = (): readonly MergeRequest[] => wanted.filter((request) => !answered.has(claimKey(request)));
  const give = (answers: readonly Given[]): void => {
    const due = answers.filter(({ request }) => open().some((each) => claimKey(each) === claimKey(request)));
    for (const { request } of due) {
      answered.add(claimKey(request));
      errors.delete(claimKey(request));
    }
    if (due.length > 0) report(due.map(outcomeOf));
  };
  return {
    open,
    give,
    want: (requests) => {
      const before = listOf(wanted);
      wanted = requests;
      const keys = new Set(requests.map(claimKey));
      for (const key of answered) if (!keys.has(key)) answered.delete(key);
      return listOf(wanted) !== before;
    },
    retryAfterError: (request, failure) => {
      const count = (errors.get(claimKey(request)) ?? 0) + 1;
      errors.set(claimKey(request), count);
      if (count < ERRORS_MAX) return BACKOFF_FIRST_MS * 2 ** (count - 1);
      give([{ request, answer: failedMerge('crashed', failureText(failure)) }]);
      return undefined;
    },
  };
}

function outcomeOf({ request: { work, task, step, attempt }, answer }: Given): WorkOutcome {
  return { ...answer, work, task, step, attempt, spend: NO_SPEND };
}

const listOf = (requests: readonly MergeRequest[]): string =>
  requests.map((request) => `${claimKey(request)}${request.isToStop ? '!' : ''}`).join(' ');

// Results of the checks of a run, and the results that are not to be trusted.
import type { ClaimSpan } from './claim-spans.ts';

export interface ChecksSummary {
  /** Checks of single tasks. */
  readonly passed: number;
  readonly failed: number;
  /** Checks whose worker was lost, or that were stopped. */
  readonly returned: number;
  /** Checks of merged trees. One check of the merge queue may cover several tasks; the counts are per task. */
  readonly merged: number;
  readonly failedMerged: number;
  /** Tasks that were not to blame: the check fails without their work too. */
  readonly baseline: readonly string[];
  /** Tasks with a commit that first failed a check and then passed it. */
  readonly flaky: readonly string[];
}

export function checksSummary(spans: readonly ClaimSpan[]): ChecksSummary {
  const count = (type: ClaimSpan['type'], ...results: readonly ClaimSpan['result'][]): number =>
    spans.filter((span) => span.type === type && results.includes(span.result)).length;
  return {
    passed: count('check', 'passed', 'done'),
    failed: count('check', 'failed'),
    returned: count('check', 'returned', 'cancelled'),
    merged: count('merge', 'done'),
    failedMerged: count('merge', 'failed'),
    baseline: [...new Set(spans.flatMap(({ task, reason }) => (reason === 'baseline' ? [task] : [])))],
    flaky: flakyIn(spans),
  };
}

/** Without git there are no commits to compare, so no check is called flaky. */
function flakyIn(spans: readonly ClaimSpan[]): readonly string[] {
  const failed = new Set<string>();
  const flaky = new Set<string>();
  for (const { type, task, commit, result, reason } of spans) {
    if ((type !== 'check' && type !== 'merge') || commit === undefined) continue;
    const key = `${task} ${commit}`;
    if (reason === 'check') failed.add(key);
    if ((result === 'passed' || result === 'done') && failed.has(key)) flaky.add(task);
  }
  return [...flaky];
}

// Results of the checks of a run, and the results that are not to be trusted.
import type { RunEvent } from '../../engine/event.ts';
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

export function tellChecks(events: readonly RunEvent[], spells: readonly ClaimSpan[]): ChecksSummary {
  const count = (type: ClaimSpan['type'], ...results: readonly ClaimSpan['result'][]): number =>
    spells.filter((spell) => spell.type === type && results.includes(spell.result)).length;
  return {
    passed: count('check', 'passed', 'done'),
    failed: count('check', 'failed'),
    returned: count('check', 'returned', 'cancelled'),
    merged: count('merge', 'done'),
    failedMerged: count('merge', 'failed'),
    baseline: [...new Set(events.flatMap((event) => (isBaseline(event) ? [event.task] : [])))],
    flaky: flakyIn(events),
  };
}

const isBaseline = (event: RunEvent): event is Extract<RunEvent, { type: 'task.ended' }> =>
  event.type === 'task.ended' && event.reason === 'baseline';

/** Without git there are no commits to compare, so no check is called flaky. */
function flakyIn(events: readonly RunEvent[]): readonly string[] {
  const tips = new Map<string, string>();
  const failed = new Map<string, string>();
  const flaky = new Set<string>();
  for (const event of events) {
    if (!('task' in event)) continue;
    const { task } = event;
    const tip = tips.get(task);
    const isStep = 'work' in event && event.work === 'step';
    if (event.type === 'claim.ended' && isStep && event.result?.commit !== undefined)
      tips.set(task, event.result.commit);
    if (event.type === 'claim.made' && event.tip !== undefined) tips.set(task, event.tip);
    if (event.type === 'claim.ended' && event.redo !== undefined && tip !== undefined) failed.set(task, tip);
    const isCheck = 'work' in event && (event.work === 'check' || event.work === 'merge');
    const hasPassed = event.type === 'claim.ended' && isCheck && event.ending === 'done';
    if (hasPassed && tip !== undefined && failed.get(task) === tip) flaky.add(task);
  }
  return [...flaky];
}

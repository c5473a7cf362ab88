// Pools that tasks hold while they are open: whether they suffice for the steps of the task, and whether tasks could wait for each
// other without end.
//
// check-holds/C1. A task that holds a pool and takes another one waits for those who hold the other. Where no such waits form a
//   cycle of pools, one of the waiting tasks always has all that it needs.

import { sourceOf } from './plan-index.ts';
import type { PoolDemand, Step, WorkTask } from '../plan.ts';
import type { ReportFinding } from './plan-finding.ts';
import type { IndexedTask, PlanIndex } from './plan-index.ts';

export function checkHolds(index: PlanIndex, report: ReportFinding): void {
  const holding = index.tasks.flatMap((at) => (at.task.type === 'work' && at.task.hold.length > 0 ? [at.task] : []));
  if (holding.length === 0) return;
  const held = new Set(holding.flatMap(({ hold }) => hold.map(({ pool }) => pool)));
  /** Pools that a task takes while it holds the key. */
  const next = new Map<string, Set<string>>();
  for (const at of index.tasks) {
    const { task } = at;
    if (task.type !== 'work' || task.hold.length === 0) continue;
    reportSmall({ index, at, task, report });
    const taken = takenBesides(task).filter((pool) => held.has(pool));
    for (const { pool } of task.hold) {
      const further = next.get(pool) ?? new Set();
      for (const other of taken) further.add(other);
      next.set(pool, further);
      const cycle = taken.map((other) => wayTo(next, other, pool)).find((way) => way !== undefined);
      if (cycle === undefined) continue;
      return report({
        code: 'hold-cycle',
        path: [...sourceOf(index, at), 'hold'],
        message: `\`${task.path}\` holds \`${pool}\` while its steps take \`${cycle[0]}\`, and tasks that hold ${cycle.map((each) => `\`${each}\``).join(', then ')} take \`${pool}\`: they could wait for each other without end.`,
        hint: `Let \`${task.path}\` hold \`${cycle[0]}\` too, so that it opens with all that it takes.`,
      });
    }
  }
}

interface HoldCheck {
  readonly index: PlanIndex;
  readonly at: IndexedTask;
  readonly task: WorkTask;
  readonly report: ReportFinding;
}

/** While it waited for the rest of a pool, a task would keep its part from others, and they theirs from the task. */
function reportSmall({ index, at, task, report }: HoldCheck): void {
  for (const { pool, tokens } of task.hold) {
    const step = task.steps.find((each) =>
      demandsOf(each).some((other) => other.pool === pool && other.tokens > tokens),
    );
    if (step === undefined) continue;
    report({
      code: 'hold-too-small',
      path: [...sourceOf(index, at), 'hold', pool],
      message: `\`${task.path}\` holds ${tokens} of \`${pool}\`, and its step \`${step.id}\` takes more.`,
      hint: 'Hold as many as the largest of its steps takes.',
    });
  }
}

/** Pools that its steps take and that it does not hold. */
function takenBesides({ steps, hold }: WorkTask): readonly string[] {
  const own = new Set(hold.map(({ pool }) => pool));
  const taken = steps.flatMap((step) => demandsOf(step).map(({ pool }) => pool));
  return [...new Set(taken)].filter((pool) => !own.has(pool));
}

const demandsOf = (step: Step): readonly PoolDemand[] =>
  step.type === 'prompt' ? [...step.pools, ...step.fallbacks.flatMap(({ pools }) => pools)] : step.pools;

/** Pools from one to the other along waits, the last one left out; undefined when there is no way. */
function wayTo(
  next: ReadonlyMap<string, ReadonlySet<string>>,
  from: string,
  to: string,
): readonly string[] | undefined {
  const before = new Map<string, string | undefined>([[from, undefined]]);
  for (const pool of before.keys()) {
    for (const other of next.get(pool) ?? []) {
      if (other === to) return pathFrom(before, pool);
      if (!before.has(other)) before.set(other, pool);
    }
  }
  return undefined;
}

function pathFrom(before: ReadonlyMap<string, string | undefined>, end: string): readonly string[] {
  const way: string[] = [];
  for (let at: string | undefined = end; at !== undefined; at = before.get(at)) way.unshift(at);
  return way;
}

// Labels of hosts in a plan that works in place: only the machine of its user has that folder.

import { ownLabels } from '../host-labels.ts';
import { quotedList } from './known-names.ts';
import { sourceOf, type IndexedTask, type PlanIndex } from './plan-index.ts';
import { sourceOfStep } from './step-order.ts';
import type { SourcePath } from '../diagnostic.ts';
import type { ReportFinding } from './plan-finding.ts';

export function checkHosts(index: PlanIndex, report: ReportFinding): void {
  const { plan, tasks } = index;
  if (plan.sandbox.tree !== 'none') return;
  for (const { name, on } of plan.agents) reportLabels(['agents', name, 'on'], on ?? [], report);
  for (const at of tasks) checkTask(index, at, report);
}

/** Each label where it is written, and not again for what is inside. */
function checkTask(index: PlanIndex, at: IndexedTask, report: ReportFinding): void {
  const { task } = at;
  const source = sourceOf(index, at);
  reportLabels([...source, 'on'], ownLabels(task.on, index.tasks[at.parent]?.task.on), report);
  if (task.type !== 'work') return;
  for (const [place, step] of task.steps.entries())
    reportLabels([...sourceOfStep(source, task, place), 'on'], ownLabels(step.on, task.on), report);
}

function reportLabels(path: SourcePath, labels: readonly string[], report: ReportFinding): void {
  if (labels.length === 0) return;
  report({
    code: 'host-in-place',
    path,
    message: `\`on\` asks for a host with ${quotedList(labels, 'none')}, and sandbox.tree is none: work in place is done on this machine alone.`,
    hint: 'Delete on, or delete tree: none, so that each task has a sandbox.',
  });
}

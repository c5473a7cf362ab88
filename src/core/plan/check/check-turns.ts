// Agent turns whose work is not kept, turns that a loop goes back to, and the agents of one attempt after the other.

import { isReadOnly } from '../result-step.ts';
import { sourceOf, type IndexedTask, type PlanIndex } from './plan-index.ts';
import { sourceOfStep, stepOrderOf } from './step-order.ts';
import type { SourcePath } from '../diagnostic.ts';
import type { WorkTask } from '../plan.ts';
import type { ReportFinding } from './plan-finding.ts';

interface Turns {
  readonly index: PlanIndex;
  readonly at: IndexedTask;
  readonly task: WorkTask;
  readonly report: ReportFinding;
}

export function checkTurns(index: PlanIndex, report: ReportFinding): void {
  for (const at of index.tasks) {
    if (at.task.type !== 'work') continue;
    const turns: Turns = { index, at, task: at.task, report };
    if (at.task.steps.some(isReadOnly)) checkReadOnly(turns);
    if (at.task.repeat?.feedback !== undefined) checkFeedback(turns);
    reportUnreached(turns);
  }
}

const sourceAt = ({ index, at, task }: Turns, place: number): SourcePath =>
  sourceOfStep(sourceOf(index, at), task, place);

function checkReadOnly(turns: Turns): void {
  const { index, task, report } = turns;
  const order = stepOrderOf(task.steps);
  for (const [place, step] of task.steps.entries()) {
    if (!isReadOnly(step)) continue;
    const path = [...sourceAt(turns, place), 'read_only'];
    if (index.plan.sandbox.tree === 'none')
      report({
        code: 'read-only-in-place',
        path,
        message: `Step \`${step.id}\` of \`${task.path}\` is read-only, and sandbox.tree is none: what it writes would stay.`,
        hint: 'Delete tree: none, so that each task has a sandbox.',
      });
    const beside = step.async
      ? task.steps[place + 1]
      : task.steps.find((other, at) => at < place && other.async && !order.isEnded(at, place));
    if (beside !== undefined)
      report({
        code: 'read-only-beside',
        path,
        message: `Step \`${step.id}\` of \`${task.path}\` is read-only, and \`${beside.id}\` may run beside it in the same files.`,
        hint: step.async ? 'Delete async.' : `Let \`${step.id}\` need \`${beside.id}\`.`,
      });
  }
}

function checkFeedback({ index, at, task, report }: Turns): void {
  if (task.steps.some((step) => step.type === 'prompt' && !isReadOnly(step))) return;
  report({
    code: 'no-agent-turn',
    path: [...sourceOf(index, at), 'repeat', 'feedback'],
    message: `\`${task.path}\` has no agent turn that a review or feedback could go back to.`,
    hint: 'Add a step with a prompt, or delete the key.',
  });
}

function reportUnreached(turns: Turns): void {
  const { task, report } = turns;
  for (const [place, step] of task.steps.entries()) {
    const agents = step.type === 'prompt' ? (step.escalation ?? []) : [];
    const beyond = agents[step.attemptsMax];
    if (beyond === undefined) continue;
    report({
      code: 'escalation-unreached',
      severity: 'warning',
      path: [...sourceAt(turns, place), 'escalate'],
      message: `Step \`${step.id}\` of \`${task.path}\` has ${step.attemptsMax === 1 ? 'one attempt' : `${step.attemptsMax} attempts`}, so \`${beyond}\` may never have its turn.`,
      hint: `Write attempts: ${agents.length}, or name fewer agents.`,
    });
  }
}

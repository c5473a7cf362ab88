// Steps within a task: their needs, the collectors of async steps, and the conversation that each continues.

import { quotedList } from './known-names.ts';
import { sourceOf } from './plan-index.ts';
import { mayRejoin, rejoinPoint, sourceOfStep, stepOrderOf } from './step-order.ts';
import type { SourcePath } from '../diagnostic.ts';
import type { PromptStep, Step, WorkTask } from '../plan.ts';
import type { ReportFinding } from './plan-finding.ts';
import type { NameGuesses } from './known-names.ts';
import type { PlanIndex } from './plan-index.ts';
import type { StepOrder } from './step-order.ts';

interface Steps {
  readonly task: WorkTask;
  readonly order: StepOrder;
  readonly names: NameGuesses;
  readonly report: ReportFinding;
  sourceOf(place: number): SourcePath;
}

export function checkSteps(index: PlanIndex, names: NameGuesses, report: ReportFinding): void {
  for (const at of index.tasks) {
    const { task } = at;
    if (task.type !== 'work') continue;
    const [only] = task.steps;
    const isResuming = only?.type === 'prompt' && only.resume !== 'fresh';
    if (task.form !== 'steps' && !isResuming) continue;
    const source = sourceOf(index, at);
    const order = stepOrderOf(task.steps);
    const steps: Steps = { task, order, names, report, sourceOf: (place) => sourceOfStep(source, task, place) };
    for (const [place, step] of task.steps.entries()) checkNeedsOfStep(steps, step, place);
    reportUncollected(steps);
    checkConversations(steps);
    reportBlockedJoins(steps);
  }
}

function checkNeedsOfStep({ task, order, names, report, sourceOf: sourceAt }: Steps, step: Step, place: number): void {
  for (const [nth, id] of step.needs.entries()) {
    const needed = order.byId.get(id);
    if (needed !== undefined && needed < place) continue;
    const path = [...sourceAt(place), 'needs', nth];
    const earlier = task.steps.slice(0, place).map((other) => other.id);
    if (needed === undefined) {
      const meant = names.nearestOf(id, earlier);
      const hint =
        meant === undefined
          ? `Steps need earlier steps of the same task: ${quotedList(earlier, 'there is none before this one')}.`
          : `Did you mean \`${meant}\`?`;
      report({
        code: 'unknown-step-need',
        path,
        message: `Step \`${step.id}\` of \`${task.path}\` needs \`${id}\`, and the task has no such step.`,
        hint,
      });
    } else {
      const message =
        needed === place
          ? `Step \`${id}\` of \`${task.path}\` needs itself.`
          : `Step \`${step.id}\` of \`${task.path}\` needs \`${id}\`, which comes later.`;
      report({
        code: 'unknown-step-need',
        path,
        message,
        hint: 'Steps run in the order written; need an earlier one, or move the step.',
      });
    }
  }
  if (step.type === 'join' && step.needs.length === 0) {
    report({
      code: 'join-of-nothing',
      path: sourceAt(place),
      message: `Step \`${step.id}\` of \`${task.path}\` joins nothing.`,
      hint: 'Add needs: with the ids of the earlier steps that it should join.',
    });
  }
}

function reportUncollected({ task, report, sourceOf: sourceAt }: Steps): void {
  const lastNeeded = new Map<string, number>();
  for (const [place, step] of task.steps.entries()) for (const id of step.needs) lastNeeded.set(id, place);
  for (const [place, step] of task.steps.entries()) {
    if (!step.async || (lastNeeded.get(step.id) ?? -1) > place) continue;
    report({
      code: 'uncollected-async',
      path: [...sourceAt(place), ...(task.form === 'steps' ? ['async'] : [])],
      message: `Nothing collects the async step \`${step.id}\` of \`${task.path}\`.`,
      hint: `Let a later step say needs: [${step.id}], or delete async.`,
    });
  }
}

/** A join that may be tried again, and cannot. */
function reportBlockedJoins({ task, report, sourceOf: sourceAt }: Steps): void {
  for (const [place, step] of task.steps.entries()) {
    const point = mayRejoin(step) ? rejoinPoint(task.steps, place) : undefined;
    if (point?.type !== 'blocked') continue;
    const other = task.steps[point.by]?.id ?? '';
    report({
      code: 'join-not-repeatable',
      path: [...sourceAt(place), 'on_result'],
      message: `Step \`${step.id}\` of \`${task.path}\` cannot be tried again: \`${other}\`, which would run again too, may be in use by other steps then.`,
      hint: step.async
        ? `Delete async of \`${step.id}\`, and let it need \`${other}\`.`
        : `Let \`${step.id}\` need \`${other}\` too, or write do: abort or do: continue.`,
    });
  }
}

/** A conversation and the steps that may still be using it. */
interface OpenConversation {
  readonly running: number[];
}

function checkConversations(steps: Steps): void {
  const lastInSequence = new Map<string, OpenConversation>();
  const lastOfAll = new Map<string, OpenConversation>();
  for (const [place, step] of steps.task.steps.entries()) {
    if (step.type !== 'prompt' || step.agent === undefined) continue;
    const before = lastInSequence.get(step.agent) ?? lastOfAll.get(step.agent);
    // A conversation of another task is checked where all tasks are known.
    const isOwn = step.resume !== 'fresh' && step.resumeTask === undefined;
    if (isOwn && before === undefined) reportNothing(steps, step, place);
    const conversation = isOwn && step.resume === 'continue' ? (before ?? { running: [] }) : { running: [] };
    if (isOwn && step.resume === 'continue') reportShared(steps, conversation, place);
    if (step.async) conversation.running.push(place);
    else lastInSequence.set(step.agent, conversation);
    lastOfAll.set(step.agent, conversation);
  }
}

function reportNothing({ task, report, sourceOf: sourceAt }: Steps, step: PromptStep, place: number): void {
  const does = step.resume === 'fork' ? 'branches off' : 'continues';
  report({
    code: 'nothing-to-resume',
    path: [...sourceAt(place), 'resume'],
    message: `Step \`${step.id}\` of \`${task.path}\` ${does} a conversation, and no earlier step talked with \`${step.agent}\`.`,
    hint: 'Delete resume, write resume: false, or name another task, as in resume: { from: tasks.design }.',
  });
}

function reportShared(steps: Steps, conversation: OpenConversation, place: number): void {
  const { task, order, report } = steps;
  const other = conversation.running.find((earlier) => !order.isEnded(earlier, place));
  const step = task.steps[place];
  if (other === undefined || step === undefined) return;
  const earlier = task.steps[other]?.id ?? '';
  report({
    code: 'shared-conversation',
    path: steps.sourceOf(place),
    message: `Step \`${step.id}\` of \`${task.path}\` continues the conversation that \`${earlier}\` may still be using.`,
    hint: `Write resume: fork on one of them, or let \`${step.id}\` need \`${earlier}\`.`,
  });
}

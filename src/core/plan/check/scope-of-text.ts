// The texts of a plan, and the scope of each.

import { forEachAround, hasCopy, sourceOf, type IndexedTask, type PlanIndex } from './plan-index.ts';
import { sourceOfStep, stepOrderOf, type StepOrder } from './step-order.ts';
import { resolveTaskPath, type Reference, type TaskPath } from '../expressions/text-reference.ts';
import { HAS_MARKUP } from '../expressions/template.ts';
import type { SourcePath } from '../diagnostic.ts';
import type { WorkTask } from '../plan.ts';
import type { PlanFindingCode, ReportFinding } from './plan-finding.ts';
import type { NameGuesses } from './known-names.ts';
import type { NeedsIndex } from './needs-index.ts';

/** The steps that a text may read: those of `task` that have ended when step `place` starts. */
export interface StepsBefore {
  readonly task: WorkTask;
  readonly order: StepOrder;
  readonly place: number;
}

export interface PlacedText {
  readonly kind: 'template' | 'command' | 'condition' | 'list';
  readonly text: string;
  readonly path: () => SourcePath;
}

/** A text that is read where one task is. */
export interface TaskText extends PlacedText {
  readonly at: IndexedTask;
  /** Undefined where no step of the task has run yet. */
  readonly steps: StepsBefore | undefined;
  /** True where the result of the step itself can be read, as `result.ok` or plain `ok`. */
  readonly hasResult: boolean;
}

/** Every template and expression of a task, the inner ones of a subplan aside. */
export function* taskTexts(index: PlanIndex, at: IndexedTask): Generator<TaskText> {
  const { task } = at;
  const place = (...keys: SourcePath) => ({
    path: () => [...sourceOf(index, at), ...keys],
    at,
    steps: undefined,
    hasResult: false,
  });
  if (task.when !== undefined) yield { ...place('when'), kind: 'condition', text: task.when };
  if (task.type === 'gate') yield { ...place('gate'), kind: 'template', text: task.question };
  if (task.type === 'for_each' && task.list.type === 'later')
    yield { ...place('for_each', 'in'), kind: 'list', text: task.list.list };
  if (task.type === 'join')
    for (const [nth, { when }] of (task.onResult ?? []).entries())
      yield { ...place('on_result', nth, 'if'), hasResult: true, kind: 'condition', text: when };
  if (task.type === 'work') yield* textsOfWork(index, at, task);
}

function* textsOfWork(index: PlanIndex, at: IndexedTask, task: WorkTask): Generator<TaskText> {
  if (isPlain(task)) return;
  const order = stepOrderOf(task.steps);
  for (const [place, step] of task.steps.entries()) {
    const steps: StepsBefore = { task, order, place };
    const keys = (...more: SourcePath) => ({
      path: () => [...sourceOfStep(sourceOf(index, at), task, place), ...more],
      at,
      steps,
      hasResult: false,
    });
    if (step.when !== undefined) yield { ...keys('when'), kind: 'condition', text: step.when };
    if (step.type === 'prompt') yield { ...keys('prompt'), kind: 'template', text: step.prompt };
    if (step.type === 'run') yield { ...keys('run'), kind: 'command', text: step.run };
    for (const [nth, rule] of step.onResult.entries()) {
      yield { ...keys('on_result', nth, 'if'), hasResult: true, kind: 'condition', text: rule.when };
    }
  }
  // When all steps are over.
  const after = (...keys: SourcePath) => ({
    path: () => [...sourceOf(index, at), ...keys],
    at,
    steps: { task, order, place: task.steps.length },
    hasResult: false,
  });
  if (task.repeat !== undefined) yield { ...after('repeat', 'until'), kind: 'condition', text: task.repeat.until };
  if (task.repeat?.feedback !== undefined)
    yield { ...after('repeat', 'feedback'), kind: 'template', text: task.repeat.feedback };
  if (task.check !== undefined) yield { ...after('check'), kind: 'command', text: task.check };
}

/**
 * The commands that judge merged trees, each where it is written: an inherited one stands where it comes from. The work
 * of many tasks is in such a tree, so these texts read nothing of one task.
 */
export function* mergeChecksOf({ plan, tasks }: PlanIndex): Generator<PlacedText> {
  const ofPlan = plan.settings.merge.check;
  if (ofPlan !== undefined) yield { kind: 'command', text: ofPlan, path: () => ['merge', 'check'] };
  for (const at of tasks) {
    const text = at.task.settings.merge.check;
    const around = tasks[at.parent]?.task.settings ?? plan.settings;
    if (text === undefined || text === around.merge.check) continue;
    yield { kind: 'command', text, path: () => [...sourceOf({ tasks }, at), 'merge', 'check'] };
  }
}

/** True for the many tasks with a single text without references. */
function isPlain({ steps, repeat, check }: WorkTask): boolean {
  const [only] = steps;
  if (only === undefined || steps.length > 1 || repeat !== undefined) return false;
  if (only.type === 'join' || only.when !== undefined || only.onResult.length > 0) return false;
  const text = only.type === 'prompt' ? only.prompt : only.run;
  return !HAS_MARKUP.test(text) && !HAS_MARKUP.test(check ?? '');
}

/** Names that a for_each around the task gives to its item, nearest first. */
export function itemNamesAround(index: PlanIndex, at: IndexedTask): readonly string[] {
  const names: string[] = [];
  for (let around = forEachAround(index, at); around !== undefined; around = forEachAround(index, around)) {
    if (around.task.type === 'for_each') names.push(around.task.itemName);
  }
  return names;
}

/** A text whose references are being checked. */
export interface ReadingPlaced {
  readonly needs: NeedsIndex;
  readonly names: NameGuesses;
  readonly report: ReportFinding;
  readonly placed: PlacedText;
}

export interface ReadingText extends ReadingPlaced {
  readonly placed: TaskText;
}

interface FindingText {
  readonly code: PlanFindingCode;
  readonly severity?: 'error' | 'warning';
  readonly other?: string | undefined;
  readonly message: string;
  readonly hint: string;
}

export function say({ report, placed }: ReadingPlaced, said: FindingText): void {
  report({ ...said, path: placed.path() });
}

/** The task that `tasks.…` in a text refers to, in the plan as written; undefined when no scope has such a task. */
export function resolveTask(
  index: PlanIndex,
  from: IndexedTask,
  path: Reference['path'],
): TaskPath<IndexedTask> | undefined {
  const tree = {
    parentOf: (task: IndexedTask) => index.tasks[task.parent],
    childOf: (around: IndexedTask | undefined, segment: string | number) => childOf(index, around, segment),
  };
  return resolveTaskPath(tree, from, path);
}

function childOf(index: PlanIndex, around: IndexedTask | undefined, segment: string | number): IndexedTask | undefined {
  const place =
    around !== undefined && hasCopy(around.task, String(segment))
      ? around.children[0]
      : index.byPath.get(around === undefined ? String(segment) : `${around.task.path}.${segment}`);
  return place === undefined ? undefined : index.tasks[place];
}

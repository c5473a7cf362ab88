// The tasks of a plan in one array, so that questions about tasks are questions about numbers.
//
// plan-index/I1. Tasks stand in preorder: those inside task `i` are `i + 1` up to `end` of `i`.
// plan-index/I2. A path leads to at most one task; of twins the first one counts.

import type { SourcePath } from '../diagnostic.ts';
import { copyIds } from '../expand.ts';
import { draftIn, isGrown } from '../grown-plan.ts';
import type { Plan, Task } from '../plan.ts';

export interface IndexedTask {
  readonly index: number;
  readonly task: Task;
  /** The task around it; -1 for one at the top. */
  readonly parent: number;
  readonly children: readonly number[];
  /** Just past the last task inside it. */
  readonly end: number;
}

export interface PlanIndex {
  readonly plan: Plan;
  readonly tasks: readonly IndexedTask[];
  readonly byPath: ReadonlyMap<string, number>;
}

interface GrowingTask extends IndexedTask {
  children: readonly number[];
  end: number;
}

const NONE: readonly number[] = [];

export function indexPlan(plan: Plan): PlanIndex {
  const tasks: GrowingTask[] = [];
  const byPath = new Map<string, number>();
  // Nesting is limited when a plan is parsed, so the stack of this recursion is short.
  const add = (task: Task, parent: number): number => {
    const grown: GrowingTask = { index: tasks.length, task, parent, children: NONE, end: 0 };
    tasks.push(grown);
    if (!byPath.has(task.path)) byPath.set(task.path, grown.index);
    const inside = tasksInside(task);
    if (inside.length > 0) grown.children = inside.map((inner) => add(inner, grown.index));
    grown.end = tasks.length;
    return grown.index;
  };
  for (const task of plan.tasks) add(task, -1);
  return { plan, tasks, byPath };
}

const NO_TASKS: readonly Task[] = [];

function tasksInside(task: Task): readonly Task[] {
  if (task.type === 'subplan') return task.tasks;
  return task.type === 'for_each' ? [task.task] : NO_TASKS;
}

/** The task at a dotted path. The id of a copy, as in `fix.1`, leads to the inner task of the for_each. */
export function findTask(index: PlanIndex, path: string): IndexedTask | undefined {
  const found = index.byPath.get(path) ?? findCopy(index, path);
  return found === undefined ? undefined : index.tasks[found];
}

function findCopy(index: PlanIndex, path: string): number | undefined {
  let at: number | undefined;
  for (const segment of path.split('.')) {
    const around = at === undefined ? undefined : index.tasks[at];
    if (around !== undefined && hasCopy(around.task, segment)) at = around.children[0];
    else at = index.byPath.get(around === undefined ? segment : `${around.task.path}.${segment}`);
    if (at === undefined) return undefined;
  }
  return at;
}

/** Whether a copy of the task has this id; of a list that comes during the run every number up to its `max` may be one. */
export const hasCopy = (task: Task, id: string): boolean => task.type === 'for_each' && copyIds(task).includes(id);

/** True when `outer` is `inner` or contains it. */
export function contains(outer: IndexedTask, inner: IndexedTask): boolean {
  return outer.index <= inner.index && inner.index < outer.end;
}

/** The way to the task in the plan file. */
export function sourceOf(index: Pick<PlanIndex, 'tasks'>, at: IndexedTask): SourcePath {
  const around = index.tasks[at.parent];
  if (around === undefined) return ['tasks', at.task.id];
  const before = sourceOf(index, around);
  if (around.task.type === 'for_each') return [...before, 'for_each', 'task'];
  const isOfGrow =
    around.task.type === 'subplan' && draftIn(around.task) !== undefined && !isGrown(around.task, at.task);
  return isOfGrow ? [...before, 'grow'] : [...before, 'tasks', at.task.id];
}

/** The way to the nth need of a task in the plan file. */
export function sourceOfNeed(index: PlanIndex, at: IndexedTask, place: number): SourcePath {
  const before = [...sourceOf(index, at), 'needs'];
  switch (at.task.needs.type) {
    case 'all':
      return [...before, place];
    case 'any':
      return [...before, 'any', place];
    case 'race':
      return [...before, 'race', place];
    case 'at_least':
      return [...before, 'of', place];
  }
}

/** The nearest for_each around a task, or the task itself when it is none's. */
export function forEachAround(index: PlanIndex, at: IndexedTask): IndexedTask | undefined {
  for (let around = index.tasks[at.parent]; around !== undefined; around = index.tasks[around.parent]) {
    if (around.task.type === 'for_each') return around;
  }
  return undefined;
}

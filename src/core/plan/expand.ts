// Every `for_each` becomes a subplan with one copy of its inner task per item.
//
// expand/U1. A known list gives as many copies as it has items, a list that comes during the run as many as `max`
//   allows.
// expand/U2. A copy is called by its item where the item is a short text that can be an id, and no other item is like it
//   but for case; else by its number: `1`, `2`, …. A need inside the inner task that points into it points into the same
//   copy.
// expand/U3. A task that needs the `for_each` needs the subplan, under the same path.

import { isSafeId } from './safe-id.ts';
import type { ForEachTask, ItemOfCopy, Need, Plan, Step, Subplan, Task } from './plan.ts';

export function expand(plan: Plan): Plan {
  return { ...plan, tasks: expandAll(plan.tasks) };
}

/** The very same list when there is nothing to expand below it, so that a large plan is not copied for nothing. */
function expandAll(tasks: readonly Task[]): readonly Task[] {
  const expanded = tasks.map(expandTask);
  return expanded.every((task, index) => task === tasks[index]) ? tasks : expanded;
}

function expandTask(task: Task): Task {
  switch (task.type) {
    case 'work':
    case 'join':
    case 'gate':
      return task;
    case 'subplan': {
      const tasks = expandAll(task.tasks);
      return tasks === task.tasks ? task : { ...task, tasks };
    }
    case 'for_each':
      return expandForEach(task);
  }
}

function expandForEach(task: ForEachTask): Subplan {
  const ids = copyIds(task);
  const copies = itemsOf(task).map((item, index) => copyFor({ task, item, id: ids[index] ?? String(index + 1) }));
  return {
    type: 'subplan',
    id: task.id,
    path: task.path,
    needs: task.needs,
    when: task.when,
    settings: task.settings,
    cap: task.cap,
    budget: task.budget,
    estimateMs: task.estimateMs,
    output: task.output,
    description: task.description,
    on: task.on,
    item: task.item,
    tasks: copies,
  };
}

/** Longer items make poor names of branches and folders. */
const NAME_LENGTH_MAX = 32;

/** The ids of the copies of a `for_each`, in order. */
export function copyIds({ list, itemsMax }: Pick<ForEachTask, 'list' | 'itemsMax'>): readonly string[] {
  if (list.type === 'later') return Array.from({ length: itemsMax }, (_, index) => String(index + 1));
  const names = list.items.map((item) => (typeof item === 'string' && isName(item) ? item : undefined));
  const counts = new Map<string, number>();
  for (const name of names)
    if (name !== undefined) counts.set(name.toLowerCase(), (counts.get(name.toLowerCase()) ?? 0) + 1);
  return names.map((name, index) =>
    name === undefined || counts.get(name.toLowerCase()) !== 1 ? String(index + 1) : name,
  );
}

/** The path of the inner task, until its copies get their ids. */
export const INNER_ID = 'item';

/** A text of digits alone would be taken for the number of a copy. */
const isName = (item: string): boolean =>
  item.length <= NAME_LENGTH_MAX && isSafeId(item) && /\D/.test(item) && item.toLowerCase() !== INNER_ID;

function itemsOf(task: ForEachTask): readonly ItemOfCopy[] {
  const { list, itemName: name } = task;
  if (list.type === 'known') return list.items.map((value) => ({ type: 'known', name, value }));
  return Array.from({ length: task.itemsMax }, (_, index) => ({ type: 'later', name, list: list.list, index }));
}

function copyFor(given: { readonly task: ForEachTask; readonly item: ItemOfCopy; readonly id: string }): Task {
  const { task, item, id } = given;
  const moved = moveTask(task.task, { from: task.task.path, to: `${task.path}.${id}` });
  return expandTask({ ...moved, id, item });
}

interface PathMove {
  readonly from: string;
  readonly to: string;
}

function moveTask(task: Task, move: PathMove): Task {
  const path = movePath(task.path, move);
  const needs = moveNeed(task.needs, move);
  switch (task.type) {
    case 'work':
      return { ...task, path, needs, steps: task.steps.map((step) => moveStep(step, move)) };
    case 'join':
    case 'gate':
      return { ...task, path, needs };
    case 'subplan':
      return { ...task, path, needs, tasks: task.tasks.map((child) => moveTask(child, move)) };
    case 'for_each':
      return { ...task, path, needs, task: moveTask(task.task, move) };
  }
}

function moveStep(step: Step, move: PathMove): Step {
  if (step.type !== 'prompt' || step.resumeTask === undefined) return step;
  return { ...step, resumeTask: movePath(step.resumeTask, move) };
}

function moveNeed(need: Need, move: PathMove): Need {
  return { ...need, of: need.of.map((path) => movePath(path, move)) };
}

function movePath(path: string, move: PathMove): string {
  const isWithin = path === move.from || path.startsWith(`${move.from}.`);
  return isWithin ? `${move.to}${path.slice(move.from.length)}` : path;
}

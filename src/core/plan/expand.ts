// Every `for_each` becomes a subplan with one copy of its inner task per item.
//
// expand/U1. A known list gives as many copies as it has items, a list that comes during the run as many as `max`
//   allows.
// expand/U2. Copies are called `1`, `2`, …; a need inside the inner task that points into it points into the same copy.
// expand/U3. A task that needs the `for_each` needs the subplan, under the same path.

import type { ForEachTask, ItemOfCopy, Need, Plan, Subplan, Task } from './plan.ts';

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
  const copies = itemsOf(task).map((item, index) => copyFor({ task, item, id: String(index + 1) }));
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
    item: task.item,
    tasks: copies,
  };
}

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
    case 'join':
    case 'gate':
      return { ...task, path, needs };
    case 'subplan':
      return { ...task, path, needs, tasks: task.tasks.map((child) => moveTask(child, move)) };
    case 'for_each':
      return { ...task, path, needs, task: moveTask(task.task, move) };
  }
}

function moveNeed(need: Need, move: PathMove): Need {
  return { ...need, of: need.of.map((path) => movePath(path, move)) };
}

function movePath(path: string, move: PathMove): string {
  const isWithin = path === move.from || path.startsWith(`${move.from}.`);
  return isWithin ? `${move.to}${path.slice(move.from.length)}` : path;
}

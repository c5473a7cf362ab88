// Which task a text means by `tasks.…`, in the plan as it is written.

import type { Reference } from '../expressions/reference.ts';
import { resolveTaskPath, type TaskPath } from '../expressions/task-path.ts';
import type { IndexedTask, PlanIndex } from './plan-index.ts';

/** Undefined when no scope has a task of this name. */
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
  const isCopy = around?.task.type === 'for_each' && /^\d+$/.test(String(segment));
  const place = isCopy
    ? around.children[0]
    : index.byPath.get(around === undefined ? String(segment) : `${around.task.path}.${segment}`);
  return place === undefined ? undefined : index.tasks[place];
}

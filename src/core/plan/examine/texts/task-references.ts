// Which task a text means by `tasks.…`: the nearest scope first, just as for needs.

import type { Reference } from '../../values/reference.ts';
import type { IndexedTask, PlanIndex } from '../plan-index.ts';

export const FIELDS: readonly string[] = ['response', 'output', 'ok', 'exit_code', 'commit', 'cost'];

export interface TaskReference {
  readonly target: IndexedTask;
  /** What follows the task: `output`, `score`. */
  readonly rest: readonly (string | number)[];
}

/** Undefined when no scope has a task of this name. */
export function resolveTask(index: PlanIndex, from: IndexedTask, path: Reference['path']): TaskReference | undefined {
  let partial: TaskReference | undefined;
  for (let scope = index.tasks[from.parent]; ; scope = index.tasks[scope.parent]) {
    const found = descend(index, scope, path);
    const [field] = found?.rest ?? [];
    if (found !== undefined && (field === undefined || FIELDS.includes(String(field)))) return found;
    partial ??= found;
    if (scope === undefined) return partial;
  }
}

function descend(index: PlanIndex, scope: IndexedTask | undefined, path: Reference['path']): TaskReference | undefined {
  let target = scope;
  let taken = 0;
  for (const segment of path) {
    const inner = childOf(index, target, segment);
    if (inner === undefined) break;
    target = inner;
    taken += 1;
  }
  return target === undefined || taken === 0 ? undefined : { target, rest: path.slice(taken) };
}

function childOf(index: PlanIndex, around: IndexedTask | undefined, segment: string | number): IndexedTask | undefined {
  const isCopy = around?.task.type === 'for_each' && /^\d+$/.test(String(segment));
  const place = isCopy
    ? around.children[0]
    : index.byPath.get(around === undefined ? String(segment) : `${around.task.path}.${segment}`);
  return place === undefined ? undefined : index.tasks[place];
}

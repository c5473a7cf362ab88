// Which task a text means by `tasks.…`. The check before a run and the run itself both ask here, so they cannot differ.
//
// task-path/R1. The nearest scope that has a task of the name counts, unless what follows the task is no field of one
//   and a scope farther out makes better sense of the whole.
import type { Reference } from './reference.ts';

/** What can be read of a task or step. */
export const FIELDS: readonly string[] = ['response', 'output', 'ok', 'exit_code', 'commit', 'cost'];

/** The tasks of a plan as their reader knows them; undefined stands for the plan itself. */
export interface TaskTree<Task> {
  readonly parentOf: (task: Task) => Task | undefined;
  readonly childOf: (around: Task | undefined, segment: string | number) => Task | undefined;
}

export interface TaskPath<Task> {
  readonly target: Task;
  /** What follows the task: `output`, `score`. */
  readonly rest: readonly (string | number)[];
}

/** Undefined when no scope has a task of this name. */
export function resolveTaskPath<Task>(
  tree: TaskTree<Task>,
  from: Task,
  path: Reference['path'],
): TaskPath<Task> | undefined {
  let partial: TaskPath<Task> | undefined;
  for (let scope = tree.parentOf(from); ; scope = tree.parentOf(scope)) {
    const found = descend(tree, scope, path);
    const [field] = found?.rest ?? [];
    if (found !== undefined && (field === undefined || FIELDS.includes(String(field)))) return found;
    partial ??= found;
    if (scope === undefined) return partial;
  }
}

function descend<Task>(
  { childOf }: TaskTree<Task>,
  scope: Task | undefined,
  path: Reference['path'],
): TaskPath<Task> | undefined {
  let target = scope;
  let taken = 0;
  for (const segment of path) {
    const inner = childOf(target, segment);
    if (inner === undefined) break;
    target = inner;
    taken += 1;
  }
  return target === undefined || taken === 0 ? undefined : { target, rest: path.slice(taken) };
}

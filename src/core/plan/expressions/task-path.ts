// Resolves `tasks.…` in a text to a task. The check before a run and the run itself both use this function, so they
// agree.
//
// task-path/R1. The nearest scope with a task of that name wins, unless the next part is no field of a task and an
//   outer scope resolves the whole path.
import type { Reference } from './reference.ts';

/** The readable fields of a task or step. */
export const FIELDS: readonly string[] = ['response', 'output', 'ok', 'exit_code', 'commit', 'cost'];

/** The tasks of a plan as their reader sees them; undefined represents the plan itself. */
export interface TaskTree<Task> {
  readonly parentOf: (task: Task) => Task | undefined;
  readonly childOf: (around: Task | undefined, segment: string | number) => Task | undefined;
}

export interface TaskPath<Task> {
  readonly target: Task;
  /** The part after the task: `output`, `score`. */
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

// Two runs of one plan side by side: how each task ended, how long it took, and what it cost.
import type { Status } from '../../src/core/view/run/run-status.ts';
import type { TaskStatus } from '../../src/core/view/run/task-tree.ts';

export type Compared = Pick<TaskStatus, 'state' | 'elapsedMs' | 'usd'>;

export interface ComparedTask {
  readonly task: string;
  /** Undefined when this run has no such task. */
  readonly left: Compared | undefined;
  readonly right: Compared | undefined;
}

/** In the order of the first; tasks of the second alone come last. */
export function compareRuns(left: Pick<Status, 'tasks'>, right: Pick<Status, 'tasks'>): readonly ComparedTask[] {
  const [ofLeft, ofRight] = [tasksOf(left.tasks), tasksOf(right.tasks)];
  return [...new Set([...ofLeft.keys(), ...ofRight.keys()])].map((task) => ({
    task,
    left: ofLeft.get(task),
    right: ofRight.get(task),
  }));
}

function tasksOf(tasks: readonly TaskStatus[]): ReadonlyMap<string, TaskStatus> {
  const all = new Map<string, TaskStatus>();
  const visit = (task: TaskStatus): void => {
    if (task.type !== 'subplan') all.set(task.task, task);
    for (const child of task.children) visit(child);
  };
  for (const task of tasks) visit(task);
  return all;
}

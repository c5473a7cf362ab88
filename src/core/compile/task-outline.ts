// The plan flattened: every task with its parent, children, needs and dependents as indices.
import { assert } from '../assert.ts';
import type { Need, Plan, Task } from '../plan/plan.ts';
import type { TaskIndex } from './meaning.ts';

export interface OutlineTask {
  readonly task: Task;
  readonly index: TaskIndex;
  readonly parent: TaskIndex | undefined;
  readonly children: readonly TaskIndex[];
  readonly needs: readonly TaskIndex[];
  readonly needed: number;
  readonly dependents: readonly TaskIndex[];
}

export interface TaskOutline {
  readonly tasks: readonly OutlineTask[];
  readonly roots: readonly TaskIndex[];
  readonly indexOf: ReadonlyMap<string, TaskIndex>;
}

interface OutlineEntry {
  readonly task: Task;
  readonly parent: TaskIndex | undefined;
  readonly children: TaskIndex[];
  readonly dependents: TaskIndex[];
}

/** Lists the tasks of an expanded plan, parents before children, in the order of the file. */
export function outline(plan: Plan): TaskOutline {
  const entries: OutlineEntry[] = [];
  const roots: TaskIndex[] = [];
  const indexOf = new Map<string, TaskIndex>();
  const add = (task: Task, parent: TaskIndex | undefined, siblings: TaskIndex[]): void => {
    const index = entries.length;
    const entry: OutlineEntry = { task, parent, children: [], dependents: [] };
    entries.push(entry);
    siblings.push(index);
    indexOf.set(task.path, index);
    if (task.type === 'subplan') for (const child of task.tasks) add(child, index, entry.children);
  };
  for (const task of plan.tasks) add(task, undefined, roots);

  const tasks = entries.map((entry, index): OutlineTask => {
    const needs = [...new Set(entry.task.needs.of)].map((path) => {
      const need = indexOf.get(path);
      assert(need !== undefined, `A checked plan names only tasks that exist, and ${path} does not.`);
      entries[need]?.dependents.push(index);
      return need;
    });
    return { ...entry, index, needs, needed: neededOf(entry.task.needs, needs.length) };
  });
  return { tasks, roots, indexOf };
}

function neededOf(need: Need, of: number): number {
  switch (need.type) {
    case 'all':
      return of;
    case 'any':
    case 'race':
      return 1;
    case 'at_least':
      return need.count;
  }
}

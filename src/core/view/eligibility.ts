// What can start at once, and what blocks the rest.
import type { Compiled, CompiledTask } from '../compile/compiled.ts';

export interface Blocked {
  readonly task: string;
  /** Tasks that it, or a subplan around it, still needs. */
  readonly by: readonly string[];
}

export interface Eligibility {
  readonly ready: readonly string[];
  readonly blocked: readonly Blocked[];
}

/** Of the tasks that do something themselves; a subplan is as eligible as what is in it. */
export function eligibilityOf({ tasks }: Compiled): Eligibility {
  // Parents come before children, so what blocks a parent is known when its children are looked at.
  const blockers: (readonly string[])[] = [];
  const ready: string[] = [];
  const blocked: Blocked[] = [];
  for (const task of tasks) {
    const around = task.parent === undefined ? [] : (blockers[task.parent] ?? []);
    const by = task.needs.length === 0 ? around : [...around, ...task.needs.map((need) => pathOf(tasks, need))];
    blockers.push(by);
    if (task.task.type === 'subplan') continue;
    if (by.length === 0) ready.push(task.task.path);
    else blocked.push({ task: task.task.path, by });
  }
  return { ready, blocked };
}

const pathOf = (tasks: readonly CompiledTask[], index: number): string => tasks[index]?.task.path ?? '';

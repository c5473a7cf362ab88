// Tasks that can start at once, and the blockers of the rest.
import type { Compiled, CompiledTask } from '../../compile/compiled.ts';

export interface Blocked {
  readonly task: string;
  /** Tasks that the task, or a subplan around it, still needs. */
  readonly by: readonly string[];
}

export interface Eligibility {
  readonly ready: readonly string[];
  readonly blocked: readonly Blocked[];
}

/** Excludes subplans: a subplan is as eligible as its tasks. */
export function eligibilityOf({ tasks }: Compiled): Eligibility {
  // Parents come before children, so the blockers of a parent are known before its children are visited.
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

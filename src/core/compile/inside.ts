// Which tasks stand inside which, asked from the inside out.
import type { Compiled } from './compiled.ts';
import type { TaskIndex } from './meaning.ts';

/** Whether a task is one of these, or stands inside one of them at any depth. */
export function isInside({ tasks }: Compiled, these: ReadonlySet<TaskIndex>, task: TaskIndex): boolean {
  if (these.size === 0) return false;
  for (let at: TaskIndex | undefined = task; at !== undefined; at = tasks[at]?.parent) if (these.has(at)) return true;
  return false;
}

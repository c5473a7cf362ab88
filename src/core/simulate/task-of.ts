import { assert } from '../assert.ts';
import type { Compiled, CompiledTask } from '../compile/compiled.ts';

/** The task at an index that came from the same compiled plan. */
export function taskOf({ tasks }: Compiled, index: number): CompiledTask {
  const task = tasks[index];
  assert(task !== undefined, 'An index of a compiled plan is of one of its tasks.');
  return task;
}

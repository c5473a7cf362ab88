// The order of merges where the plan sets it (`merge.order: plan`): the order of the file, except that a task comes
// after all tasks that it needs.
//
// merge-order/O1. A task is merged when every task before it in this order has ended. The order follows the needs, so
//     no task waits for one that needs it.
import type { Compiled, CompiledTask } from '../compile/compiled.ts';
import type { TaskIndex } from '../compile/meaning.ts';
import type { Ended } from './event.ts';

/** Undefined where tasks are merged as they finish. */
export function mergeOrderOf(compiled: Compiled): readonly TaskIndex[] | undefined {
  if (compiled.plan.settings.merge.order !== 'plan') return undefined;
  const order: TaskIndex[] = [];
  const seen = new Set<TaskIndex>();
  // Each index is on the stack twice: to push its predecessors, and then to be placed.
  const stack: { readonly index: TaskIndex; readonly isReady: boolean }[] = [];
  for (const { index: root } of compiled.tasks) {
    stack.push({ index: root, isReady: false });
    for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
      const { index, isReady } = top;
      if (isReady) order.push(index);
      const task = compiled.tasks[index];
      if (isReady || task === undefined || seen.has(index)) continue;
      seen.add(index);
      stack.push({ index, isReady: true });
      for (const before of beforeOf(compiled, task).toReversed()) stack.push({ index: before, isReady: false });
    }
  }
  return order.filter((index) => compiled.tasks[index]?.task.type === 'work');
}

interface Merging {
  readonly mergeOrder: readonly TaskIndex[] | undefined;
  readonly tasks: readonly { readonly ended: Ended | undefined }[];
}

/** The next task to merge; undefined where the plan sets no order. */
export const firstToMerge = ({ mergeOrder, tasks }: Merging): TaskIndex | undefined =>
  mergeOrder?.find((index) => tasks[index]?.ended === undefined);

/** The needs of the task and of the subplans around it; a subplan comes after all tasks in it. */
function beforeOf(compiled: Compiled, task: CompiledTask): readonly TaskIndex[] {
  const before = [...task.needs];
  for (let at = task.parent; at !== undefined; at = compiled.tasks[at]?.parent)
    before.push(...(compiled.tasks[at]?.needs ?? []));
  return [...before, ...task.children];
}

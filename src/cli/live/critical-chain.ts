// The chain of tasks that the end of a run waits for: back from the one that is expected to end last, always to the need
// that ends last.
import type { Compiled, CompiledTask } from '../../core/compile/compiled.ts';
import type { Expected } from '../../core/simulate/simulate-on.ts';

export function criticalChain(compiled: Compiled, { tasks: expected }: Expected): readonly string[] {
  const { tasks } = compiled;
  const endOf = (index: number): number => expected.get(tasks[index]?.task.path ?? '')?.endAt ?? -Infinity;
  const last = (indices: readonly number[]): number | undefined => {
    const [first, ...rest] = indices.filter((index) => endOf(index) > -Infinity);
    return first === undefined
      ? undefined
      : rest.reduce((best, each) => (endOf(each) > endOf(best) ? each : best), first);
  };
  const chain: string[] = [];
  let at = last(tasks.flatMap(({ parent, index }) => (parent === undefined ? [index] : [])));
  while (at !== undefined) {
    const task: CompiledTask | undefined = tasks[at];
    if (task === undefined || chain.includes(task.task.path)) break;
    const inside = last(task.children);
    if (inside === undefined) chain.push(task.task.path);
    at = inside ?? last(needsAround(compiled, task));
  }
  return chain.reverse();
}

/** What a task needs, and what the subplans around it do. */
function needsAround(compiled: Compiled, { needs, parent }: CompiledTask): readonly number[] {
  const around = parent === undefined ? undefined : compiled.tasks[parent];
  return around === undefined ? needs : [...needs, ...needsAround(compiled, around)];
}

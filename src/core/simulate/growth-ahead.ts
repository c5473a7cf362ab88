// What a plan that grows leaves open: how many tasks may be added, and what limits their cost.
import type { Compiled, CompiledTask } from '../compile/compiled.ts';
import { isDraft } from '../plan/grown-plan.ts';

/** Growth that no forecast counts, because its tasks are not written yet. */
export interface GrowthAhead {
  /** The subplan that grows. */
  readonly task: string;
  readonly tasksMax: number;
  /** The smallest budgets around its tasks; undefined without one. */
  readonly usd: number | undefined;
  readonly tokens: number | undefined;
}

export function growthAhead(compiled: Compiled): readonly GrowthAhead[] {
  return compiled.tasks.flatMap(({ task, parent }) => {
    const subplan = compiled.tasks[parent ?? -1];
    if (!isDraft(task) || subplan === undefined) return [];
    const least = (part: 'usd' | 'tokens'): number | undefined => leastBudget(compiled, subplan, part);
    return [{ task: subplan.task.path, tasksMax: task.drafts.tasksMax, usd: least('usd'), tokens: least('tokens') }];
  });
}

function leastBudget({ plan, tasks }: Compiled, of: CompiledTask, part: 'usd' | 'tokens'): number | undefined {
  const found = [plan.budget?.[part]];
  for (let at: CompiledTask | undefined = of; at !== undefined; at = tasks[at.parent ?? -1])
    found.push(at.task.budget?.[part]);
  const amounts = found.filter((amount) => amount !== undefined);
  return amounts.length === 0 ? undefined : Math.min(...amounts);
}

// A changed plan with what the run has grown: a plan file has the `grow` and not the tasks that it added.
//
// regrow/R1. A subplan that grows in both plans keeps its added tasks and its gate; whether its draft is still the same
//     task is for the comparison of the plans to say.
import { expand } from '../../plan/expand.ts';
import { draftIn, isDraft } from '../../plan/grown-plan.ts';
import type { Plan, Subplan, Task } from '../../plan/plan.ts';
import type { State } from '../state.ts';

export function regrow({ compiled, tasks }: State, plan: Plan): Plan {
  const grown = new Map<string, Subplan>();
  for (const { task, index, parent } of compiled.tasks) {
    const around = compiled.tasks[parent ?? -1]?.task;
    if (isDraft(task) && tasks[index]?.hasGrown === true && around?.type === 'subplan') grown.set(around.path, around);
  }
  return grown.size === 0 ? plan : { ...expand(plan), tasks: regrowIn(expand(plan).tasks, grown) };
}

function regrowIn(tasks: readonly Task[], grown: ReadonlyMap<string, Subplan>): readonly Task[] {
  return tasks.map((task) => {
    if (task.type !== 'subplan') return task;
    const draft = draftIn(task);
    const before = grown.get(task.path);
    const confirm = before === undefined ? undefined : draftIn(before)?.drafts.confirm;
    if (before === undefined || draft === undefined || confirm === undefined)
      return { ...task, tasks: regrowIn(task.tasks, grown) };
    const same = { ...draft, drafts: { ...draft.drafts, confirm } };
    return { ...task, tasks: [same, ...before.tasks.slice(1)] };
  });
}

// Numbers of attempts, checks, merges and questions never come twice in a run: they are fences, and names of folders.
import { factsOf, taskAt } from '../facts.ts';
import type { Retired, State } from '../state.ts';
import type { Carrying } from './carrying.ts';

/** Notes the numbers of all that is not kept, and begins those that are to go on from there. */
export function carryNumbers({ old, next, keptFrom }: Carrying): void {
  for (const [path, numbers] of old.retired) next.retired.set(path, numbers);
  for (const { task, index } of old.compiled.tasks)
    if (!keptFrom.has(index)) next.retired.set(task.path, numbersOf(old, index, next.retired.get(task.path)));
  for (const { task, steps, index } of next.compiled.tasks) {
    const numbers = next.retired.get(task.path);
    if (numbers === undefined) continue;
    const facts = factsOf(next, index);
    const { merges, checks, asked, life } = numbers;
    Object.assign(facts, { merges, checks, asked, life: life + 1 });
    for (const { step, index: at } of steps) Object.assign(facts.steps[at] ?? {}, numbers.steps.get(step.id));
  }
}

function numbersOf(state: State, index: number, earlier: Retired | undefined): Retired {
  const { merges, checks, asked, life, steps } = factsOf(state, index);
  const byStep = new Map(earlier?.steps);
  for (const { step, index: at } of taskAt(state, index).steps) {
    const { attempts, usd } = steps[at] ?? { attempts: 0, usd: 0 };
    byStep.set(step.id, { attempts, usd });
  }
  return { merges, checks, asked, life, steps: byStep };
}

// The longest chain of work through a plan. More agents do not make it shorter.
import type { Compiled } from '../compile/compiled.ts';
import { earliest } from './earliest.ts';
import type { ActivityMeaning, PlanProblem } from './problem-of.ts';
import { taskOf } from './task-of.ts';

export interface CriticalStep {
  readonly type: 'step' | 'check' | 'merge';
  readonly task: string;
  readonly step: string | undefined;
  readonly ms: number;
}

export function criticalPath(compiled: Compiled, planned: PlanProblem): readonly CriticalStep[] {
  return chainOf(compiled, planned).flatMap((activity) => {
    const meaning = planned.meanings[activity];
    const ms = planned.problem.durationMs[activity] ?? 0;
    return meaning === undefined || ms === 0 ? [] : criticalStep(compiled, meaning, ms);
  });
}

/** Walks back from the activity that ends last, each time to the activity that it waited for. */
function chainOf(compiled: Compiled, planned: PlanProblem): readonly number[] {
  const { cause, last } = earliest(compiled, planned);
  const chain: number[] = [];
  for (let at = last; at >= 0; at = cause[at] ?? -1) chain.push(at);
  return chain.reverse();
}

function criticalStep(compiled: Compiled, meaning: ActivityMeaning, ms: number): readonly CriticalStep[] {
  const { task, steps } = taskOf(compiled, meaning.task);
  switch (meaning.type) {
    case 'opens':
    case 'ends':
      return [];
    case 'step':
      return [{ type: 'step', task: task.path, step: steps[meaning.step]?.step.id, ms }];
    case 'check':
    case 'merge':
      return [{ type: meaning.type, task: task.path, step: undefined, ms }];
  }
}

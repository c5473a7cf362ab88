// The longest chain of work through a plan: no number of agents makes it shorter.
import type { Compiled } from '../compile/compiled.ts';
import { longestRemainingMs } from '../schedule/priorities.ts';
import type { Learnt } from './estimate.ts';
import { problemOf, type ActivityMeaning, type PlanProblem } from './problem-of.ts';
import { taskOf } from './task-of.ts';

export interface CriticalStep {
  readonly type: 'step' | 'check' | 'merge';
  readonly task: string;
  readonly step: string | undefined;
  readonly ms: number;
}

export function criticalPath(compiled: Compiled, learnt: Learnt): readonly CriticalStep[] {
  const planned = problemOf(compiled, learnt);
  return chainOf(planned).flatMap((activity) => {
    const meaning = planned.meanings[activity];
    const ms = planned.problem.durationMs[activity] ?? 0;
    return meaning === undefined || ms === 0 ? [] : criticalStep(compiled, meaning, ms);
  });
}

/** Follows, from the activity with the longest way to the end, always the successor with the longest way. */
function chainOf({ problem }: PlanProblem): readonly number[] {
  const remaining = longestRemainingMs(problem);
  const { start, to } = problem.successors;
  const longest = (candidates: Iterable<number>): number | undefined => {
    let best: number | undefined;
    for (const each of candidates)
      if (best === undefined || (remaining[each] ?? 0) > (remaining[best] ?? 0)) best = each;
    return best;
  };
  const chain: number[] = [];
  for (let at = longest(problem.topological); at !== undefined; at = longest(to.subarray(start[at], start[at + 1])))
    chain.push(at);
  return chain;
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

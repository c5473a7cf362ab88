// The longest chain of work through a plan, which more agents do not make shorter; it follows from the earliest end of
// every activity if slots and pools were unlimited, and the activity that determines its start.
//
// A task that needs fewer than all of its needs opens when enough of them have ended, not when the last has. A racer
// that only loses ends with the race, and a task that needs it is skipped, so they make no run longer: nothing waits for
// them but the race itself.
import type { Compiled, CompiledTask } from '../compile/compiled.ts';
import type { ActivityMeaning, PlanProblem } from './problem-of.ts';
import { taskAt } from '../engine/facts.ts';
import { lowerBounds } from '../schedule/bounds.ts';

interface Earliest {
  /** By activity. */
  readonly endMs: Float64Array;
  /** By activity: the activity whose end lets it start; -1 for an activity without predecessors. */
  readonly cause: Int32Array;
  /** The activity that ends last among those of tasks that run in every run; -1 when there is none. */
  readonly last: number;
}

export function earliest(compiled: Compiled, { problem, meanings }: PlanProblem): Earliest {
  const { durationMs, predecessors, topological } = problem;
  const endMs = new Float64Array(problem.count);
  const cause = new Int32Array(problem.count).fill(-1);
  const isOptional = optionalTasks(compiled);
  let last = -1;
  for (const activity of topological) {
    const meaning = meanings[activity];
    const waits = predecessors.to.subarray(predecessors.start[activity], predecessors.start[activity + 1]);
    const opening = meaning?.type === 'opens' ? taskAt({ compiled }, meaning.task) : undefined;
    const isCertain = (each: number): boolean => !isOptional.has(meanings[each]?.task ?? -1);
    const counted =
      opening === undefined || opening.needed === opening.needs.length
        ? isOptional.has(meaning?.task ?? -1)
          ? waits
          : waits.filter(isCertain)
        : firstToCome({ waits, endMs, needed: opening.needed, isNeed: (each) => meanings[each]?.type === 'ends' });
    for (const each of counted) {
      const known = cause[activity] ?? -1;
      if (known < 0 || (endMs[each] ?? 0) > (endMs[known] ?? 0)) cause[activity] = each;
    }
    const start = endMs[cause[activity] ?? -1] ?? 0;
    endMs[activity] = start + (durationMs[activity] ?? 0);
    if (
      meaning !== undefined &&
      !isOptional.has(meaning.task) &&
      (last < 0 || (endMs[activity] ?? 0) > (endMs[last] ?? 0))
    )
      last = activity;
  }
  return { endMs, cause, last };
}

interface Arrivals {
  readonly waits: Int32Array;
  readonly endMs: Float64Array;
  readonly needed: number;
  readonly isNeed: (activity: number) => boolean;
}

/** The predecessors that determine the start: the first `needed` needs to end, and all other predecessors. */
function firstToCome({ waits, endMs, needed, isNeed }: Arrivals): readonly number[] {
  const needs = [...waits]
    .filter((each) => isNeed(each))
    .sort((left, right) => (endMs[left] ?? 0) - (endMs[right] ?? 0));
  return [...needs.slice(0, needed), ...[...waits].filter((each) => !isNeed(each))];
}

/**
 * The tasks that a race may leave undone: the racers, the tasks that need one of them or nothing but such tasks, and
 * everything inside them.
 */
function optionalTasks(compiled: Compiled): ReadonlySet<number> {
  const racers = racersOf(compiled);
  const optional = new Set(racers);
  const isOptional = ({ needs, needed, parent }: CompiledTask): boolean =>
    (parent !== undefined && optional.has(parent)) ||
    (needs.length > 0 && needs.every((need) => optional.has(need)) && needed === needs.length) ||
    (needed === needs.length && needs.some((need) => racers.has(need)));
  // A task may need one that the plan has later, so the passes go on until nothing is added.
  for (let size = -1; size < optional.size;) {
    size = optional.size;
    for (const task of compiled.tasks) if (isOptional(task)) optional.add(task.index);
  }
  return optional;
}

/** The tasks that run in a race, with everything inside them. */
function racersOf(compiled: Compiled): ReadonlySet<number> {
  const racing = new Set<number>();
  for (const { task, needs } of compiled.tasks)
    if (task.needs.type === 'race') for (const need of needs) racing.add(need);
  // Parents come before children, so one pass reaches every depth.
  for (const { index, parent } of compiled.tasks) if (parent !== undefined && racing.has(parent)) racing.add(index);
  return racing;
}

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
  const { task, steps } = taskAt({ compiled }, meaning.task);
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

/**
 * Racers may be cancelled at any moment, so only the path to the first winner counts for the bound, and none of their
 * work.
 */
export function lowerBoundOf(compiled: Compiled, planned: PlanProblem): number {
  const { endMs, last } = earliest(compiled, planned);
  const pathMs = endMs[last] ?? 0;
  const isCertain = compiled.tasks.every(({ needed, needs }) => needed === needs.length);
  return isCertain ? Math.max(pathMs, lowerBounds(planned.problem).bestMs) : pathMs;
}

// A compiled plan as a scheduling problem: activities, precedence links and resource demands.
//
// Every task has an opening and an ending activity of duration zero; its steps, check and merge lie between them. Needs
// and subplans link openings and endings, so the number of links stays linear in the size of the plan.
import { runCapOf } from '../plan/run-cap.ts';
import { assert } from '../assert.ts';
import type { Compiled, CompiledStep, CompiledTask } from '../compile/compiled.ts';
import { isCheckedMerged } from '../compile/task-life.ts';
import { MERGE_WINDOW } from '../compile/resources.ts';
import { withoutMilestones, type WithoutMilestones } from '../schedule/milestones.ts';
import { buildProblem, type Activity, type Demand, type Problem } from '../schedule/problem.ts';
import { estimateCheck, estimateMerge, estimateStep, type History } from './estimate.ts';

/** The part of the plan that an activity represents. */
export type ActivityMeaning =
  | { readonly type: 'opens' | 'ends'; readonly task: number }
  | { readonly type: 'step'; readonly task: number; readonly step: number }
  | { readonly type: 'check' | 'merge'; readonly task: number };

export interface PlanProblem {
  readonly problem: Problem;
  readonly meanings: readonly ActivityMeaning[];
  /** By task and step: the activity. */
  readonly steps: readonly (readonly number[])[];
}

interface Draft {
  readonly durationMs: number;
  readonly successors: number[];
  readonly demands: readonly Demand[];
}

export function problemOf(compiled: Compiled, history: History): PlanProblem {
  const pools = poolsOf(compiled);
  const activities: Draft[] = [];
  const meanings: ActivityMeaning[] = [];
  const add = (meaning: ActivityMeaning, durationMs: number, demands: readonly Demand[]): number => {
    meanings.push(meaning);
    return activities.push({ durationMs, successors: [], demands }) - 1;
  };
  const link = (from: number | undefined, to: number | undefined): void => {
    assert(from !== undefined && to !== undefined, 'Both ends of a link exist.');
    activities[from]?.successors.push(to);
  };

  const opens = compiled.tasks.map(({ index }) => add({ type: 'opens', task: index }, 0, []));
  const ends = compiled.tasks.map(({ index }) => add({ type: 'ends', task: index }, 0, []));
  const steps = compiled.tasks.map((task) =>
    task.steps.map((step) => {
      const { ms } = estimateStep(compiled, step, history);
      return add({ type: 'step', task: task.index, step: step.index }, ms, pools.heldBy(task, step));
    }),
  );
  for (const task of compiled.tasks) {
    const { index, parent, needs } = task;
    if (parent !== undefined) {
      link(opens[parent], opens[index]);
      link(ends[index], ends[parent]);
    }
    for (const need of needs) link(ends[need], opens[index]);
    let last = linkSteps(task, { opens: opens[index], steps: steps[index] ?? [], link });
    const stage = (type: 'check' | 'merge', ms: number, demands: readonly Demand[]): void => {
      const activity = add({ type, task: index }, ms, demands);
      link(last, activity);
      last = activity;
    };
    if (task.transitions.check !== undefined)
      stage('check', estimateCheck(compiled, task, history).ms, pools.capsOf(task));
    if (task.transitions.merge !== undefined) stage('merge', estimateMerge(history).ms, pools.heldByMerge(task));
    link(last, ends[index]);
  }
  const built = buildProblem({ activities: activities satisfies readonly Activity[], capacity: pools.capacity });
  assert(built.type === 'problem', 'A checked plan has no cycle and asks no pool for more than it has.');
  return { problem: built.problem, meanings, steps };
}

/** The problem without openings and endings of tasks, which take no time and would only cost a search its budget. */
export const workOf = ({ problem, meanings }: PlanProblem): WithoutMilestones =>
  withoutMilestones(problem, (activity) => ['opens', 'ends'].includes(meanings[activity]?.type ?? ''));

interface StepLinks {
  readonly opens: number | undefined;
  readonly steps: readonly number[];
  readonly link: (from: number | undefined, to: number | undefined) => void;
}

/** Links the steps of a task and returns the activity that ends last. */
function linkSteps({ steps: compiledSteps }: CompiledTask, { opens, steps, link }: StepLinks): number | undefined {
  let launcher = opens;
  for (const { index, step, needs } of compiledSteps) {
    link(launcher, steps[index]);
    for (const need of needs) link(steps[need], steps[index]);
    if (!step.async) launcher = steps[index];
  }
  return launcher;
}

interface Pools {
  readonly capacity: readonly number[];
  readonly capsOf: (task: CompiledTask) => readonly Demand[];
  readonly heldBy: (task: CompiledTask, step: CompiledStep) => readonly Demand[];
  readonly heldByMerge: (task: CompiledTask) => readonly Demand[];
}

/** The merge slots are the second resource, after the cap of the run. */
const LANE: Demand = { pool: 1, tokens: 1 };

function poolsOf({ plan, tasks }: Compiled): Pools {
  const capacity: number[] = [runCapOf(plan), MERGE_WINDOW];
  const byName = new Map(plan.pools.map(({ name, size }) => [name, capacity.push(size) - 1]));
  const caps: (readonly Demand[])[] = [];
  for (const { task, parent } of tasks) {
    const around = parent === undefined ? [{ pool: 0, tokens: 1 }] : (caps[parent] ?? []);
    caps.push(task.cap === undefined ? around : [...around, { pool: capacity.push(task.cap) - 1, tokens: 1 }]);
  }
  const capsOf = ({ index }: CompiledTask): readonly Demand[] => caps[index] ?? [];
  return {
    capacity,
    capsOf,
    heldByMerge: (task) => (isCheckedMerged(task.task) ? [LANE, ...capsOf(task)] : [LANE]),
    heldBy: (task, { step }) => {
      if (step.type === 'join') return [];
      const demands = step.pools.map(({ pool, tokens }) => ({ pool: byName.get(pool) ?? -1, tokens }));
      return demands.length === 0 ? capsOf(task) : [...capsOf(task), ...demands];
    },
  };
}

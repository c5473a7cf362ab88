// The order of the steps inside one task, before any place exists.
//
// sequence/Q1. A step in sequence ends before the next starts; an async step starts and does not hold up the next.
// sequence/Q2. Every async step is collected by a later one, so the last step in sequence ends after all of them.
import { assert } from '../assert.ts';
import type { Agent, PoolDemand, Step, WorkTask } from '../plan/plan.ts';
import { isReadOnly } from '../plan/result-step.ts';

/** The trigger of the first steps of a task: its opening. */
export const OPENING = -1;

export interface SequencedStep {
  readonly step: Step;
  readonly index: number;
  /** The step in sequence whose end launches this one, or OPENING. */
  readonly launchedBy: number;
  /** Async steps that must have ended before this one starts. */
  readonly needs: readonly number[];
  /** All steps in its `needs`, in that order; those in sequence have ended long before. */
  readonly named: readonly number[];
  /** Later steps that collect this one, when it is async. */
  readonly collectors: readonly number[];
}

const NONE: readonly number[] = [];

export function sequence(steps: readonly Step[]): readonly SequencedStep[] {
  const [only] = steps;
  // Most tasks of a large plan are a single step and share empty lists.
  if (only !== undefined && steps.length === 1 && !only.async)
    return [{ step: only, index: 0, launchedBy: OPENING, needs: NONE, named: NONE, collectors: NONE }];
  const indexOf = new Map(steps.map((step, index) => [step.id, index]));
  const collectors = steps.map((): number[] => []);
  let launchedBy = OPENING;
  const sequenced = steps.map((step, index): SequencedStep => {
    const named = [...new Set(step.needs)].map((id) => {
      const need = indexOf.get(id);
      assert(need !== undefined && need < index, `A checked step needs only earlier steps, and ${id} is not one.`);
      return need;
    });
    const needs = named.filter((need) => steps[need]?.async === true);
    for (const need of needs) collectors[need]?.push(index);
    const launcher = launchedBy;
    if (!step.async) launchedBy = index;
    return { step, index, launchedBy: launcher, needs, named, collectors: collectors[index] ?? [] };
  });
  assert(steps.at(-1)?.async === false, 'A checked task ends with a step in sequence.');
  return sequenced;
}

/** Whether the step is an agent turn whose work is kept. */
const isOwnTurn = (step: Step): boolean => step.type === 'prompt' && !isReadOnly(step);

/** Where a task goes back to when its check fails: its last agent turn in sequence, or its first step. */
export function redoPoint(steps: readonly Step[]): number | undefined {
  const last = steps.findLastIndex((step) => isOwnTurn(step) && !step.async);
  if (last >= 0) return last;
  return steps.some(isOwnTurn) ? 0 : undefined;
}

/** Where the next round of a loop starts: with feedback where a failed check sends the task, else at the first step. */
export const roundStart = ({ steps, repeat }: Pick<WorkTask, 'steps' | 'repeat'>): number =>
  repeat?.feedback === undefined ? 0 : (redoPoint(steps) ?? 0);

/** The step whose agent resolves the task's conflicts: its last turn. */
export function resolverOf(steps: readonly Step[]): number | undefined {
  const last = steps.findLastIndex((step) => isOwnTurn(step) && step.type === 'prompt' && step.agent !== undefined);
  return last < 0 ? undefined : last;
}

/** What a turn on a conflict holds: the pool of its agent, and nothing that the step needed besides for its work. */
export function resolverPools(step: Step | undefined, agents: readonly Agent[]): readonly PoolDemand[] {
  const agent = step?.type === 'prompt' ? agents.find(({ name }) => name === step.agent) : undefined;
  return agent?.pool === undefined ? [] : [{ pool: agent.pool, tokens: 1 }];
}

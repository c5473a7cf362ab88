// Expected durations and costs, and the source of each estimate.
//
// Sources in order of preference: the plan, medians of earlier runs, a default for the kind of work. A default may be
// wrong in minutes, but long work stays longer than short work.
import type { Compiled, CompiledStep } from '../compile/compiled.ts';
import { taskOf } from './task-of.ts';

/** Medians of earlier runs, in milliseconds. */
export interface Learnt {
  /** By `path/step`. */
  readonly steps: ReadonlyMap<string, number>;
  readonly agents: ReadonlyMap<string, number>;
  /** By path. */
  readonly checks: ReadonlyMap<string, number>;
  /** Over all checks; undefined when no earlier run had one. */
  readonly anyCheckMs: number | undefined;
}

export const NOTHING_LEARNT: Learnt = { steps: new Map(), agents: new Map(), checks: new Map(), anyCheckMs: undefined };

export type Origin = 'plan' | 'earlier runs' | 'default';

export interface Estimate {
  readonly ms: number;
  readonly origin: Origin;
}

export const PROMPT_DEFAULT_MS = 5 * 60_000;
export const RUN_DEFAULT_MS = 60_000;
const CHECK_DEFAULT_MS = 60_000;
export const MERGE_DEFAULT_MS = 2_000;

/** The share of its reservation that a turn is expected to spend. */
export const SPENT_SHARE = 0.5;

export function estimateStep(compiled: Compiled, compiledStep: CompiledStep, learnt: Learnt): Estimate {
  const { step } = compiledStep;
  const { task, steps } = taskOf(compiled, compiledStep.task);
  if (step.type === 'join') return { ms: 0, origin: 'plan' };
  if (step.estimateMs !== undefined) return { ms: step.estimateMs, origin: 'plan' };
  if (task.estimateMs !== undefined) {
    const sharing = steps.filter((each) => each.step.type !== 'join' && each.step.estimateMs === undefined).length;
    const stated = steps.reduce((sum, each) => sum + (each.step.estimateMs ?? 0), 0);
    return { ms: Math.max(0, task.estimateMs - stated) / sharing, origin: 'plan' };
  }
  const earlier =
    learnt.steps.get(`${task.path}/${step.id}`) ??
    (step.type === 'prompt' && step.agent !== undefined ? learnt.agents.get(step.agent) : undefined);
  if (earlier !== undefined) return { ms: earlier, origin: 'earlier runs' };
  return { ms: step.type === 'prompt' ? PROMPT_DEFAULT_MS : RUN_DEFAULT_MS, origin: 'default' };
}

/** A check without history is estimated like the other checks of its plan. */
export const estimateCheck = (path: string, { checks, anyCheckMs }: Learnt): number =>
  checks.get(path) ?? anyCheckMs ?? CHECK_DEFAULT_MS;

// Expected durations and costs, and the source of each estimate.
//
// Sources in order of preference: the plan, medians of earlier runs, a default for the kind of work. A default may be
// wrong in minutes, but long work stays longer than short work. A stated estimate that earlier runs contradict gives
// way to their median.
import type { Compiled, CompiledStep, CompiledTask } from '../compile/compiled.ts';
import type { Step } from '../plan/plan.ts';
import { taskAt } from '../engine/facts.ts';
import { PRIOR, type Variability } from './variability.ts';

/** Medians of earlier runs, in milliseconds. */
export interface History {
  /** By `path/step`. */
  readonly steps: ReadonlyMap<string, number>;
  readonly agents: ReadonlyMap<string, number>;
  /** Over all commands, drawn towards the default while few are known; undefined when no earlier run had one. */
  readonly anyCommandMs: number | undefined;
  /** By path. */
  readonly checks: ReadonlyMap<string, number>;
  /** Over all checks; undefined when no earlier run had one. */
  readonly anyCheckMs: number | undefined;
  /** Over all merges, the checks of merged trees included; undefined when no earlier run had one. */
  readonly mergeMs: number | undefined;
  /** By `path/step`: how many durations the median is of. */
  readonly seen: ReadonlyMap<string, number>;
  /** The logarithms of the durations of different steps: their mean, and their deviation apart from chance. */
  readonly usual: { readonly log: number; readonly deviation: number };
  readonly contradictions: readonly Contradiction[];
  /** Of durations. */
  readonly variability: Variability;
  /** Of costs, around the share of a reservation that a turn is expected to spend. */
  readonly spending: Variability;
}

/** A stated estimate that earlier runs contradict. */
export interface Contradiction {
  readonly task: string;
  /** Undefined when the estimate is the task's. */
  readonly step: string | undefined;
  readonly statedMs: number;
  /** The median of the earlier runs, and their number. */
  readonly seenMs: number;
  readonly runs: number;
}

/** No earlier runs: estimates come from the plan alone. */
export const NO_HISTORY: History = {
  steps: new Map(),
  agents: new Map(),
  anyCommandMs: undefined,
  checks: new Map(),
  anyCheckMs: undefined,
  mergeMs: undefined,
  seen: new Map(),
  usual: { log: 0, deviation: Infinity },
  contradictions: [],
  variability: PRIOR,
  spending: PRIOR,
};

export type EstimateOrigin = 'plan' | 'earlier runs' | 'default';

export interface Estimate {
  readonly ms: number;
  readonly origin: EstimateOrigin;
  /** The standard deviation of the estimate's own error, as a logarithm. */
  readonly doubt: number;
  /** The mean of this error. */
  readonly lean: number;
}

export const PROMPT_DEFAULT_MS = 5 * 60_000;
export const RUN_DEFAULT_MS = 60_000;
export const MERGE_DEFAULT_MS = 2_000;
/** The estimate of an unseen check, as a share of the work that it checks. */
const CHECK_SHARE = 0.05;

/** The share of its reservation that a turn is expected to spend. */
export const SPENT_SHARE = 0.5;

const DEFAULT_DOUBT = 0.6;
const STATED_DOUBT = 0.2;

export const stepKey = (task: string, step: string): string => `${task}/${step}`;

export function estimateStep(compiled: Compiled, compiledStep: CompiledStep, history: History): Estimate {
  const { step } = compiledStep;
  const compiledTask = taskAt({ compiled }, compiledStep.task);
  const { task } = compiledTask;
  if (step.type === 'join') return stated(0, 0);
  const name = stepKey(task.path, step.id);
  const own = history.steps.get(name);
  const statedMs = statedFor(compiledTask, compiledStep);
  if (statedMs !== undefined && (own === undefined || !isContradicted(history.contradictions, task.path, step)))
    return stated(statedMs, STATED_DOUBT);
  if (own !== undefined) return ofItself(own, history.seen.get(name) ?? 1, history);
  const agents = step.type === 'prompt' && step.agent !== undefined ? history.agents.get(step.agent) : undefined;
  if (agents !== undefined) return learnt(agents, history.variability.amongSteps);
  if (step.type === 'prompt') return assumed(PROMPT_DEFAULT_MS, DEFAULT_DOUBT);
  const { anyCommandMs } = history;
  if (anyCommandMs !== undefined) return learnt(anyCommandMs, DEFAULT_DOUBT, -(DEFAULT_DOUBT ** 2) / 2);
  return assumed(RUN_DEFAULT_MS, DEFAULT_DOUBT);
}

/** A median of few durations is partly chance, the more so the further it lies from those of other steps. */
function ofItself(ms: number, seen: number, { variability, usual }: History): Estimate {
  const variance = variability.spread.deviation ** 2 / seen;
  const chance = variance === 0 ? 0 : variance / (variance + usual.deviation ** 2);
  return learnt(
    ms,
    Math.sqrt(variance * (1 - chance)),
    chance === 0 ? 0 : chance * (usual.log - Math.log(Math.max(1, ms))),
  );
}

const stated = (ms: number, doubt: number): Estimate => ({ ms, origin: 'plan', doubt, lean: 0 });

const learnt = (ms: number, doubt = 0, lean = 0): Estimate => ({ ms, origin: 'earlier runs', doubt, lean });

/** A default is the mean of what is not known. */
const assumed = (ms: number, doubt = 0): Estimate => ({ ms, origin: 'default', doubt, lean: -(doubt ** 2) / 2 });

/** The plan's estimate of a step, or its share of the task's estimate; undefined when the plan has none. */
export function statedFor({ task, steps }: CompiledTask, { step }: CompiledStep): number | undefined {
  if (step.estimateMs !== undefined) return step.estimateMs;
  if (task.estimateMs === undefined) return undefined;
  const sharing = steps.filter((each) => sharesEstimate(each)).length;
  const stated = steps.reduce((sum, each) => sum + (each.step.estimateMs ?? 0), 0);
  return Math.max(0, task.estimateMs - stated) / sharing;
}

export const sharesEstimate = ({ step }: CompiledStep): boolean =>
  step.type !== 'join' && step.estimateMs === undefined;

export function isContradicted(contradictions: readonly Contradiction[], path: string, step: Step): boolean {
  const statedOf = step.estimateMs === undefined ? undefined : step.id;
  return contradictions.some((each) => each.task === path && each.step === statedOf);
}

/** A check without history is estimated like the other checks of its plan, else as a small share of its task's work. */
export function estimateCheck(compiled: Compiled, task: CompiledTask, history: History): Estimate {
  const seenMs = history.checks.get(task.task.path) ?? history.anyCheckMs;
  if (seenMs !== undefined) return learnt(seenMs);
  const work = task.steps.reduce((sum, step) => sum + estimateStep(compiled, step, history).ms, 0);
  return assumed(CHECK_SHARE * work);
}

export const estimateMerge = ({ mergeMs }: History): Estimate =>
  mergeMs === undefined ? assumed(MERGE_DEFAULT_MS) : learnt(mergeMs);

// The history of a plan from earlier runs: medians of durations, the variation around them, and contradicted estimates.
import type { Compiled, CompiledTask } from '../compile/compiled.ts';
import type { Step, Task } from '../plan/plan.ts';
import {
  isContradicted,
  stepKey,
  NO_HISTORY,
  RUN_DEFAULT_MS,
  sharesEstimate,
  statedFor,
  type Contradiction,
  type History,
} from './estimate.ts';
import { fitVariability, meanOf, median, pooled, type Observation } from './fit-variability.ts';
import { PRIOR, type Variability } from './variability.ts';
import { costHistoryOf } from './cost-history.ts';
import type { PastWork } from './past-work.ts';
import type { WorkSpan } from './work-spans.ts';

interface Seen extends WorkSpan {
  readonly run: number;
  readonly ms: number;
}

/**
 * Medians over all attempts that succeeded; a step counts for itself and for its agent. What the run under way has
 * finished counts without the part that is common to this run, which `variability` has.
 */
export function historyOf(compiled: Compiled, earlier: readonly PastWork[], underWay?: PastWork): History {
  const runs = underWay === undefined ? earlier : [...earlier, underWay];
  const spans = runs.flatMap((past, run) =>
    past.spans.map((span): Seen => ({ ...span, run, ms: span.endMs - span.startMs })),
  );
  if (spans.length === 0) return NO_HISTORY;
  const contradictions = contradictionsIn(compiled, spans.filter(isDoneStep));
  const failed = spans.filter((span) => span.ending === 'failed' && isAttempt(span)).length;
  const raw = spans.filter(({ ending }) => ending === 'done');
  const known = stepsOf(compiled, runs);
  const variability = fitVariability(
    observationsIn(compiled, raw, { known, contradictions }),
    { failed, succeeded: raw.filter(isAttempt).length },
    earlier.length,
  );
  const shift = (variability.underWay?.mean ?? 0) - variability.level;
  const done = raw.map((span) => (span.run < earlier.length ? span : { ...span, ms: span.ms * Math.exp(-shift) }));
  const ofSteps = done.filter((span) => span.type === 'step');
  const ofChecks = done.filter((span) => span.type === 'check');
  const ofMerges = done.filter((span) => span.type === 'merge');
  const steps = byStep(ofSteps);
  return {
    steps: medians(steps),
    agents: medians(groupBy(ofSteps, (span) => agentIn(stepIn(known, span)))),
    anyCommandMs: commandMs(ofSteps.filter((span) => stepIn(known, span)?.type === 'run')),
    checks: medians(groupBy(ofChecks, ({ task }) => task)),
    anyCheckMs: medianOf(ofChecks),
    mergeMs: medianOf(ofMerges),
    seen: new Map([...steps].map(([name, all]) => [name, all.length])),
    usual: usualOf(steps, variability),
    contradictions,
    variability,
    spending: costHistoryOf(runs, known),
  };
}

/** Steps differ by about this much before any was seen. */
const USUAL_PRIOR = { deviation: 0.8, degrees: 2 };

function usualOf(steps: ReadonlyMap<string, readonly Seen[]>, { spread }: Variability): History['usual'] {
  if (steps.size === 0) return NO_HISTORY.usual;
  const logs = [...medians(steps).values()].map((ms) => Math.log(Math.max(ms, LEAST_MS)));
  const mean = meanOf(logs);
  const squares = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0);
  const chance = meanOf([...steps.values()].map(({ length }) => spread.deviation ** 2 / length));
  const { deviation } = pooled(USUAL_PRIOR, { squares, degrees: logs.length - 1 });
  return { log: mean, deviation: Math.sqrt(Math.max(0, deviation ** 2 - chance)) };
}

const byStep = (spans: readonly Seen[]): ReadonlyMap<string, readonly Seen[]> =>
  groupBy(spans, ({ task, step = '' }) => stepKey(task, step));

const isDoneStep = ({ type, ending }: WorkSpan): boolean => type === 'step' && ending === 'done';

const isAttempt = ({ type }: WorkSpan): boolean => type === 'step' || type === 'check';

type Named = readonly [name: string, step: Step];

/** The steps of the plan, and of the tasks that earlier runs have grown by. */
function stepsOf({ tasks }: Compiled, runs: readonly PastWork[]): ReadonlyMap<string, Step> {
  const grown = runs.flatMap((past) => past.grown.flatMap(stepsInside));
  return new Map([...grown, ...tasks.flatMap(({ task }) => stepsIn(task))]);
}

function stepsInside(task: Task): readonly Named[] {
  return task.type === 'subplan' ? task.tasks.flatMap(stepsInside) : stepsIn(task);
}

const stepsIn = (task: Task): readonly Named[] =>
  task.type === 'work' ? task.steps.map((step) => [stepKey(task.path, step.id), step]) : [];

const stepIn = (known: ReadonlyMap<string, Step>, { task, step = '' }: Seen): Step | undefined =>
  known.get(stepKey(task, step));

const agentIn = (step: Step | undefined): string | undefined => (step?.type === 'prompt' ? step.agent : undefined);

/** The default counts as so many commands, since those that ran first may differ from the others. */
const COMMANDS_ASSUMED = 2;

function commandMs(spans: readonly Seen[]): number | undefined {
  const seenMs = medianOf(spans);
  if (seenMs === undefined) return undefined;
  const share = spans.length / (spans.length + COMMANDS_ASSUMED);
  return RUN_DEFAULT_MS * (Math.max(1, seenMs) / RUN_DEFAULT_MS) ** share;
}

/** Items without a key are left out. */
function groupBy<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string | undefined,
): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === undefined) continue;
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [item]);
    else known.push(item);
  }
  return groups;
}

const medians = (groups: ReadonlyMap<string, readonly Seen[]>): ReadonlyMap<string, number> =>
  new Map([...groups].map(([name, all]) => [name, median(all.map(({ ms }) => ms))]));

const medianOf = (spans: readonly Seen[]): number | undefined =>
  spans.length === 0 ? undefined : median(spans.map(({ ms }) => ms));

/** Shorter times are indistinguishable: start and end of a process, and the clock's rounding. */
const LEAST_MS = 100;

interface Knowing {
  readonly known: ReadonlyMap<string, Step>;
  readonly contradictions: readonly Contradiction[];
}

function observationsIn(
  compiled: Compiled,
  done: readonly Seen[],
  { known, contradictions }: Knowing,
): readonly Observation[] {
  const stated = new Map<string, number>();
  for (const task of compiled.tasks)
    for (const step of task.steps) {
      const { path } = task.task;
      const statedMs = isContradicted(contradictions, path, step.step) ? undefined : statedFor(task, step);
      if (statedMs !== undefined) stated.set(stepKey(path, step.step.id), Math.max(statedMs, LEAST_MS));
    }
  return done.map((span) => {
    const { type, task, step = '', run, ms } = span;
    const statedMs = type === 'step' ? stated.get(stepKey(task, step)) : undefined;
    const agent = type === 'step' ? agentIn(stepIn(known, span)) : undefined;
    return { run, work: `${type} ${stepKey(task, step)}`, agent, value: Math.max(ms, LEAST_MS), stated: statedMs };
  });
}

/** Earlier runs contradict an estimate only when there are this many and they miss it by this factor, beyond chance. */
const RUNS_MIN = 3;
const FACTOR_MIN = 1.5;
const ERRORS_MIN = 2.5;

function contradictionsIn({ tasks }: Compiled, spans: readonly Seen[]): readonly Contradiction[] {
  const steps = byStep(spans);
  return tasks.flatMap((compiledTask) =>
    statementsOf(compiledTask).flatMap(({ step, statedMs, parts }): Contradiction[] => {
      const { path } = compiledTask.task;
      const all = sumsByRun(parts.map((part) => steps.get(stepKey(path, part)) ?? []));
      if (!isRefuted(all, statedMs)) return [];
      return [{ task: path, step, statedMs, seenMs: median(all), runs: all.length }];
    }),
  );
}

interface Statement {
  /** Undefined when the estimate is the task's. */
  readonly step: string | undefined;
  readonly statedMs: number;
  /** The steps whose durations add up to it. */
  readonly parts: readonly string[];
}

function statementsOf({ task, steps }: CompiledTask): readonly Statement[] {
  const own = steps.flatMap(({ step }): Statement[] =>
    step.estimateMs === undefined ? [] : [{ step: step.id, statedMs: step.estimateMs, parts: [step.id] }],
  );
  const sharing = steps.filter(sharesEstimate).map(({ step }) => step.id);
  if (task.estimateMs === undefined || sharing.length === 0) return own;
  const statedMs = task.estimateMs - own.reduce((sum, each) => sum + each.statedMs, 0);
  return [...own, { step: undefined, statedMs, parts: sharing }];
}

/** By run in which every part was done: the sum of their last durations. */
function sumsByRun(parts: readonly (readonly Seen[])[]): readonly number[] {
  const byRun = parts.map((spans) => new Map(spans.map(({ run, ms }) => [run, ms])));
  const runs = [...(byRun[0]?.keys() ?? [])].filter((run) => byRun.every((each) => each.has(run)));
  return runs.map((run) => byRun.reduce((sum, each) => sum + (each.get(run) ?? 0), 0));
}

function isRefuted(all: readonly number[], statedMs: number): boolean {
  if (all.length < RUNS_MIN || statedMs <= 0) return false;
  const logs = all.map((ms) => Math.log(Math.max(1, ms) / statedMs));
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length;
  const squares = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0);
  const { deviation, degrees } = PRIOR.spread;
  const variance = (degrees * deviation ** 2 + squares) / (degrees + logs.length - 1);
  return Math.abs(mean) > Math.max(Math.log(FACTOR_MIN), ERRORS_MIN * Math.sqrt(variance / logs.length));
}

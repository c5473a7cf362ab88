// The probable duration and cost of a plan, before the run starts: the engine run many times in virtual time.
import type { Compiled } from '../compile/compiled.ts';
import { listSchedule } from '../schedule/list-schedule.ts';
import { isCostly } from '../schedule/online-priorities.ts';
import { longestRemainingMs } from '../schedule/priorities.ts';
import { loadOf, workSpansOf, type WorkSpan } from './work-spans.ts';
import { criticalPath, lowerBoundOf, type CriticalStep } from './critical-path.ts';
import { estimateStep, SPENT_SHARE, type History, type EstimateOrigin } from './estimate.ts';
import type { Prepared } from './prepare-run.ts';
import { growthAhead, type GrowthAhead } from './growth-ahead.ts';
import { rangeOf, type Range } from './range.ts';
import { asEstimated, drawScenarios } from './draw-scenarios.ts';
import { simulate } from './simulate-run.ts';
import { taskAt } from '../engine/facts.ts';

/** How long a plan takes, what it costs, and what decides that. */
export interface Forecast {
  /** The makespan when every duration equals its estimate and nothing fails. */
  readonly expectedMs: number;
  /** The 10th, 50th and 90th percentile of the simulated runs; of a very large plan, of one schedule in many worlds. */
  readonly makespanMs: Range;
  readonly usd: Range;
  readonly tokens: Range;
  /** The number of simulated runs; 0 when the plan is too large to simulate. */
  readonly runs: number;
  /** A lower bound: with these estimates no schedule is shorter. */
  readonly lowerBoundMs: number;
  /** The sum of all estimates: the duration with one step after the other. */
  readonly serialMs: number;
  readonly peakParallelism: number;
  readonly critical: readonly CriticalStep[];
  /** The number of steps by source of their estimate. */
  readonly origins: Readonly<Record<EstimateOrigin, number>>;
  readonly gates: number;
  /** Tasks that will be written during the run; nothing above counts them. */
  readonly ahead: readonly GrowthAhead[];
  /** The share of the simulated runs that a budget ended early. */
  readonly budgetShare: number;
  readonly spans: readonly WorkSpan[];
}

/** A given value replaces the one that earlier runs teach. */
export interface Forecasting {
  readonly spread?: number | undefined;
  /** Failed attempts cost time and money. The last attempt succeeds, because the forecast is of a run that succeeds. */
  readonly failureShare?: number | undefined;
}

/** Bound on simulated steps over all runs of one forecast, so that even a large plan is forecast in seconds. */
const STEPS_SIMULATED_MAX = 20_000;

/** Forecasts time, cost and parallelism of a plan. */
export function forecast(compiled: Compiled, prepared: Prepared, forecasting: Forecasting = {}): Forecast {
  const { planned, history } = prepared;
  const steps = compiled.tasks.reduce((sum, task) => sum + task.steps.length, 0);
  const tried =
    steps > STEPS_SIMULATED_MAX || isCostly(planned.problem)
      ? scheduled(compiled, prepared)
      : simulated(compiled, prepared, { ...forecasting, steps });
  return {
    ...tried,
    lowerBoundMs: lowerBoundOf(compiled, planned),
    serialMs: planned.problem.durationMs.reduce((sum, ms) => sum + ms, 0),
    peakParallelism: peakOf(tried.spans),
    critical: criticalPath(compiled, planned),
    origins: originsOf(compiled, history),
    gates: compiled.tasks.filter(({ task }) => task.type === 'gate').length,
    ahead: growthAhead(compiled),
  };
}

type Tried = Pick<Forecast, 'expectedMs' | 'makespanMs' | 'usd' | 'tokens' | 'runs' | 'budgetShare' | 'spans'>;

function simulated(
  compiled: Compiled,
  { order, history, seed }: Prepared,
  { spread, failureShare, steps }: Forecasting & { readonly steps: number },
): Tried {
  const expected = simulate(compiled, order, asEstimated({ history, seed }));
  const scenarios = drawScenarios({ history, seed }, { steps, stepsMax: STEPS_SIMULATED_MAX, least: 1 });
  const runs = scenarios.map((scenario) => {
    const { state, makespanMs } = simulate(compiled, order, {
      ...scenario,
      // A given spread covers all variation of a run, so nothing is added to it.
      ...(spread === undefined
        ? {}
        : { spread, factor: 1, bias: 1, spending: { spread, factor: 1 }, hasDoubts: false }),
      ...(failureShare === undefined ? {} : { failureShare }),
    });
    const { usd, tokens } = state.ledger.run.spent;
    return { makespanMs, usd, tokens, isCut: state.tasks.some(({ ended }) => ended?.reason === 'cost') };
  });
  return {
    expectedMs: expected.makespanMs,
    makespanMs: rangeOf(runs.map((run) => run.makespanMs)),
    usd: rangeOf(runs.map((run) => run.usd)),
    tokens: rangeOf(runs.map((run) => run.tokens)),
    runs: runs.length,
    budgetShare: runs.filter(({ isCut }) => isCut).length / runs.length,
    spans: workSpansOf(expected.events),
  };
}

/**
 * A very large plan gets one schedule instead of simulations, which would take seconds each. In so many steps chance
 * averages out; only the factor common to all durations of a run remains.
 */
function scheduled(compiled: Compiled, { planned, history, seed }: Prepared): Tried {
  const { problem, meanings } = planned;
  const { startMs, makespanMs } = listSchedule(problem, { priority: longestRemainingMs(problem) });
  const spans = meanings.flatMap((meaning, activity): WorkSpan[] => {
    const ms = problem.durationMs[activity] ?? 0;
    if (meaning.type === 'opens' || meaning.type === 'ends' || ms === 0) return [];
    const { task, steps } = taskAt({ compiled }, meaning.task);
    const step = meaning.type === 'step' ? steps[meaning.step]?.step.id : undefined;
    const start = startMs[activity] ?? 0;
    return [{ type: meaning.type, task: task.path, step, startMs: start, endMs: start + ms, ending: 'done' }];
  });
  const spent = (part: 'usd' | 'tokens'): Range => {
    let sum = 0;
    for (const { steps } of compiled.tasks)
      for (const { step } of steps) sum += SPENT_SHARE * (step.reserve[part] ?? 0);
    return only(sum);
  };
  const usd = spent('usd');
  const isCut = usd.likely > (compiled.plan.budget?.usd ?? Infinity);
  const factors = drawScenarios({ history, seed }, { steps: 1, stepsMax: WORLDS, least: WORLDS }).map(
    ({ spread, failureShare, factor = 1, bias = 1 }) =>
      (factor * bias * Math.exp(spread ** 2 / 2)) / (1 - failureShare),
  );
  return {
    expectedMs: makespanMs,
    makespanMs: rangeOf(factors.map((factor) => factor * makespanMs)),
    usd,
    tokens: spent('tokens'),
    runs: 0,
    budgetShare: isCut ? 1 : 0,
    spans,
  };
}

const WORLDS = 100;

const only = (value: number): Range => ({ low: value, likely: value, high: value });

/** The highest number of steps that run at once. */
const peakOf = (spans: readonly WorkSpan[]): number =>
  loadOf(spans.filter(({ type }) => type === 'step').map((span) => ({ ...span, count: 1 }))).peak;

function originsOf(compiled: Compiled, history: History): Record<EstimateOrigin, number> {
  const counts: Record<EstimateOrigin, number> = { plan: 0, 'earlier runs': 0, default: 0 };
  for (const task of compiled.tasks) {
    for (const step of task.steps)
      if (step.step.type !== 'join') counts[estimateStep(compiled, step, history).origin] += 1;
  }
  return counts;
}

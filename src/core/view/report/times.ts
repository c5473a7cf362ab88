// The duration of a run, compared with serial execution and with the lower bound of all schedules.
import type { Compiled } from '../../compile/compiled.ts';
import { criticalPath, lowerBoundOf, type CriticalStep } from '../../simulate/critical-path.ts';
import { NO_HISTORY } from '../../simulate/estimate.ts';
import { problemOf, type PlanProblem } from '../../simulate/problem-of.ts';
import { loadOf } from '../../simulate/work-spans.ts';
import { idleWithin, type ClaimSpan, type Span } from './claim-spans.ts';

export interface TimesSummary {
  /** From the start of the run to its end, or to the latest event. */
  readonly elapsedMs: number;
  /** From the first claim to the last end. */
  readonly makespanMs: number;
  /** The time in which at least one claim ran: nights and coordinator downtime make no run slower. */
  readonly activeMs: number;
  /** The sum of all spans without the waits of merges for each other: the duration of a serial run. */
  readonly workMs: number;
  /** A lower bound: with these caps and pools, no schedule of the same work is shorter. */
  readonly boundMs: number;
  /** The work divided by the active time; 0 when nothing ran. */
  readonly speedUp: number;
  /** The active time divided by the lower bound; 1 is an optimal schedule. */
  readonly timesBound: number;
  /** The highest number of steps, checks and turns on conflicts that ran at once. */
  readonly peak: number;
  /** The time in which nothing ran because the run was paused. */
  readonly pausedMs: number;
  /** The time in which nothing ran, the run was not paused, and a question to a person was open. */
  readonly askingMs: number;
}

export interface Timed {
  readonly compiled: Compiled;
  readonly spans: readonly ClaimSpan[];
  readonly pauses: readonly Span[];
  readonly questions: readonly Span[];
  /** The time of the report, in milliseconds since the run began. */
  readonly nowMs: number;
}

export interface TimesAndCriticalPath {
  readonly times: TimesSummary;
  readonly critical: readonly CriticalStep[];
}

export function timesSummary(timed: Timed): TimesAndCriticalPath {
  const { compiled, spans, pauses, questions, nowMs } = timed;
  const whole = spans.map(({ startMs, endMs }) => ({ startMs, endMs: endMs ?? nowMs }));
  const firstMs = whole.reduce((first, { startMs }) => Math.min(first, startMs), Infinity);
  const lastMs = whole.reduce((last, { endMs }) => Math.max(last, endMs), 0);
  const makespanMs = whole.length === 0 ? 0 : lastMs - firstMs;
  const tookMs = ownTimes(spans, nowMs);
  const workMs = tookMs.reduce((sum, ms) => sum + ms, 0);
  const planned = problemAsItWas(compiled, spans, tookMs);
  const activeMs = idleWithin(spans, [], nowMs);
  const boundMs = Math.min(activeMs, lowerBoundOf(compiled, planned));
  return {
    times: {
      elapsedMs: nowMs,
      makespanMs,
      activeMs,
      workMs,
      boundMs,
      speedUp: activeMs === 0 ? 0 : workMs / activeMs,
      timesBound: boundMs === 0 ? 0 : activeMs / boundMs,
      peak: peakOf(timed),
      pausedMs: idleWithin(pauses, [spans], nowMs),
      askingMs: idleWithin(questions, [spans, pauses], nowMs),
    },
    critical: criticalPath(compiled, planned),
  };
}

/**
 * The working time of each span, in the order of the spans. Merges go through one merge queue, and waiting for an
 * earlier merge is no work: where merges overlap, the time counts for the earliest alone.
 */
function ownTimes(spans: readonly ClaimSpan[], nowMs: number): readonly number[] {
  const tookMs = spans.map(({ startMs, endMs }) => (endMs ?? nowMs) - startMs);
  const merges = spans.flatMap(({ type, startMs }, at) => (type === 'merge' ? [{ at, startMs }] : []));
  let freeMs = 0;
  for (const { at, startMs } of merges.toSorted((left, right) => left.startMs - right.startMs)) {
    const endMs = startMs + (tookMs[at] ?? 0);
    tookMs[at] = Math.max(0, endMs - Math.max(startMs, freeMs));
    freeMs = Math.max(freeMs, endMs);
  }
  return tookMs;
}

/** The plan as a scheduling problem with the measured durations, all attempts of a step added up. */
function problemAsItWas(compiled: Compiled, spans: readonly ClaimSpan[], ownMs: readonly number[]): PlanProblem {
  const planned = problemOf(compiled, NO_HISTORY);
  const tookMs = new Map<string, number>();
  for (const [at, { type, task, step }] of spans.entries()) {
    // A turn on a conflict holds the resources of the step whose agent resolves it.
    const key = keyOf(type === 'resolve' ? 'step' : type, task, step);
    tookMs.set(key, (tookMs.get(key) ?? 0) + (ownMs[at] ?? 0));
  }
  const durationMs = Float64Array.from(planned.meanings, (meaning) => {
    if (meaning.type === 'opens' || meaning.type === 'ends') return 0;
    const found = compiled.tasks[meaning.task];
    const step = meaning.type === 'step' ? found?.steps[meaning.step]?.step.id : undefined;
    return tookMs.get(keyOf(meaning.type, found?.task.path ?? '', step)) ?? 0;
  });
  return { ...planned, problem: { ...planned.problem, durationMs } };
}

const keyOf = (type: string, task: string, step: string | undefined): string => `${type} ${task} ${step ?? ''}`;

/** Merges mostly wait for each other in the merge queue, so they do not count. */
function peakOf({ spans, nowMs }: Timed): number {
  const working = spans.filter(({ type }) => type !== 'merge');
  return loadOf(working.map(({ startMs, endMs }) => ({ startMs, endMs: endMs ?? nowMs, count: 1 }))).peak;
}

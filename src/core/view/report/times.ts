// How long a run took, what that is against one step after the other, and against what no schedule could beat.
import type { Compiled } from '../../compile/compiled.ts';
import { lowerBounds } from '../../schedule/bounds.ts';
import { criticalPath, type CriticalStep } from '../../simulate/critical-path.ts';
import { earliest } from '../../simulate/earliest.ts';
import { NOTHING_LEARNT } from '../../simulate/estimate.ts';
import { problemOf, type PlanProblem } from '../../simulate/problem-of.ts';
import type { ClaimSpan } from './claim-spans.ts';
import { idleWithin, type Span } from './spans.ts';

export interface TimesTold {
  /** From the start of the run to its end, or to the latest event. */
  readonly elapsedMs: number;
  /** From the first claim to the last end. */
  readonly makespanMs: number;
  /** In which anything was at work: a person who sleeps and a coordinator that is down make no run slower. */
  readonly activeMs: number;
  /** All spells one after the other, and what merges waited for each other not counted: what a serial run takes. */
  readonly workMs: number;
  /** No schedule of the same work on these caps and pools could have been shorter. */
  readonly boundMs: number;
  /** The work divided by the active time; 0 when nothing was at work. */
  readonly speedUp: number;
  /** The active time divided by the bound: 1 is a schedule that nothing beats. */
  readonly timesBound: number;
  /** The most spells of steps, checks and turns on conflicts at one moment. */
  readonly peak: number;
  /** How long nothing was at work because the run was paused. */
  readonly pausedMs: number;
  /** How long nothing was at work, the run was not paused, and a person was asked something. */
  readonly askingMs: number;
}

export interface Timed {
  readonly compiled: Compiled;
  readonly spells: readonly ClaimSpan[];
  readonly pauses: readonly Span[];
  readonly questions: readonly Span[];
  /** Milliseconds since the run began, of the moment that is told. */
  readonly nowMs: number;
}

export interface Told {
  readonly times: TimesTold;
  readonly critical: readonly CriticalStep[];
}

export function tellTimes(timed: Timed): Told {
  const { compiled, spells, pauses, questions, nowMs } = timed;
  const spans = spells.map(({ startMs, endMs }) => ({ startMs, endMs: endMs ?? nowMs }));
  const firstMs = spans.reduce((first, { startMs }) => Math.min(first, startMs), Infinity);
  const lastMs = spans.reduce((last, { endMs }) => Math.max(last, endMs), 0);
  const makespanMs = spans.length === 0 ? 0 : lastMs - firstMs;
  const tookMs = ownTimes(spells, nowMs);
  const workMs = tookMs.reduce((sum, ms) => sum + ms, 0);
  const planned = problemAsItWas(compiled, spells, tookMs);
  const activeMs = idleWithin(spells, [], nowMs);
  const boundMs = Math.min(activeMs, boundOf(compiled, planned));
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
      pausedMs: idleWithin(pauses, [spells], nowMs),
      askingMs: idleWithin(questions, [spells, pauses], nowMs),
    },
    critical: criticalPath(compiled, planned),
  };
}

/**
 * How long each spell was at work itself, in the order of the spells. Merges go through one train, each behind those that
 * came before it, and a wait for others is no work: where merges overlap, a moment counts for the first of them alone.
 */
function ownTimes(spells: readonly ClaimSpan[], nowMs: number): readonly number[] {
  const tookMs = spells.map(({ startMs, endMs }) => (endMs ?? nowMs) - startMs);
  const merges = spells.flatMap(({ type, startMs }, at) => (type === 'merge' ? [{ at, startMs }] : []));
  let freeMs = 0;
  for (const { at, startMs } of merges.toSorted((left, right) => left.startMs - right.startMs)) {
    const endMs = startMs + (tookMs[at] ?? 0);
    tookMs[at] = Math.max(0, endMs - Math.max(startMs, freeMs));
    freeMs = Math.max(freeMs, endMs);
  }
  return tookMs;
}

/** The plan as a scheduling problem in which everything takes what it took, all of its attempts together. */
function problemAsItWas(compiled: Compiled, spells: readonly ClaimSpan[], ownMs: readonly number[]): PlanProblem {
  const planned = problemOf(compiled, NOTHING_LEARNT);
  const tookMs = new Map<string, number>();
  for (const [at, { type, task, step }] of spells.entries()) {
    // A turn on a conflict holds what the step holds whose agent has it.
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

/** Where not all needs have to end well, only the way to the first that do is certain. */
function boundOf(compiled: Compiled, planned: PlanProblem): number {
  const { endMs, last } = earliest(compiled, planned);
  const pathMs = endMs[last] ?? 0;
  const isCertain = compiled.tasks.every(({ needed, needs }) => needed === needs.length);
  return isCertain ? Math.max(pathMs, lowerBounds(planned.problem).bestMs) : pathMs;
}

/** Merges wait for each other in the train more than they work, so they do not count. */
function peakOf({ spells, nowMs }: Timed): number {
  const moments = spells
    .filter(({ type, startMs, endMs }) => type !== 'merge' && (endMs ?? nowMs) > startMs)
    .flatMap(({ startMs, endMs }) => [
      { at: startMs, change: 1 },
      { at: endMs ?? nowMs, change: -1 },
    ])
    .sort((left, right) => left.at - right.at || left.change - right.change);
  let atWork = 0;
  let peak = 0;
  for (const { change } of moments) {
    atWork += change;
    peak = Math.max(peak, atWork);
  }
  return peak;
}

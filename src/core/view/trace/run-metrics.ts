// The numbers of a run that monitoring wants: counted from its events, and read from its state.
import type { ClaimEvent, RunEvent } from '../../engine/event.ts';
import { claimRow, endsClaim, startsClaim } from '../../engine/events/claim-events.ts';
import type { Stage } from '../../engine/events/event-fields.ts';
import type { State } from '../../engine/state.ts';
import type { WorkType } from '../../protocol/assignment.ts';
import { statusOf, type PoolStatus, type SpendStatus } from '../run/run-status.ts';
import { stageOf } from '../run/stage.ts';

/** Upper bounds of the buckets, in seconds. */
export const BUCKETS_SECONDS = [0.1, 0.5, 1, 5, 15, 60, 300, 900, 3_600] as const;

/** How many values lie in each bucket alone; the last counts those above all bounds. */
export interface Histogram {
  readonly counts: number[];
  sum: number;
}

export interface ClaimCount {
  readonly work: WorkType;
  readonly result: string;
  /** Empty where there is none. */
  readonly reason: string;
  count: number;
}

export interface RunCounts {
  /** Claims that are over, by work, result and reason. */
  readonly claims: ReadonlyMap<string, ClaimCount>;
  /** How long work waited before it was claimed. */
  readonly waits: ReadonlyMap<WorkType, Histogram>;
  readonly durations: ReadonlyMap<WorkType, Histogram>;
}

export interface RunGauges {
  readonly stage: State['run']['stage'];
  readonly tasks: ReadonlyMap<Stage, number>;
  readonly running: number;
  readonly cap: number;
  readonly spend: SpendStatus;
  readonly pools: readonly PoolStatus[];
  /** Tasks in the merge queue, and how many of them are being merged. */
  readonly mergeQueue: { readonly length: number; readonly merging: number };
  readonly questions: number;
}

export interface RunMetrics extends RunCounts, RunGauges {
  readonly project: string;
  readonly run: string;
  readonly plan: string;
  readonly isUp: boolean;
}

export interface MetricsFollower extends RunCounts {
  readonly add: (event: RunEvent) => void;
}

export function followMetrics(): MetricsFollower {
  const claims = new Map<string, ClaimCount>();
  const [waits, durations] = [new Map<WorkType, Histogram>(), new Map<WorkType, Histogram>()];
  /** By task: when something last happened to it. By claim: when it began. */
  const [lastAt, since] = [new Map<string, number>(), new Map<string, number>()];
  const follow = (event: ClaimEvent, now: number): void => {
    const { work, task, step } = event;
    const key = `${work} ${task} ${step ?? ''}`;
    if (startsClaim(event)) {
      since.set(key, now);
      observe(waits, work, now - (lastAt.get(task) ?? now));
    }
    if (!endsClaim(event)) return;
    observe(durations, work, now - (since.get(key) ?? now));
    since.delete(key);
    count(claims, work, event);
  };
  let now = 0;
  return {
    claims,
    waits,
    durations,
    add: (event) => {
      now = Math.max(now, event.at);
      if ('work' in event) follow(event, now);
      if ('task' in event) lastAt.set(event.task, now);
      if (event.type === 'task.ended' || event.type === 'task.skipped') lastAt.delete(event.task);
    },
  };
}

function count(claims: Map<string, ClaimCount>, work: WorkType, event: ClaimEvent): void {
  const { result = 'done', reason = '' } = claimRow(event).over?.(event) ?? {};
  const key = `${work} ${result} ${reason}`;
  const known = claims.get(key);
  if (known === undefined) claims.set(key, { work, result, reason, count: 1 });
  else known.count += 1;
}

function observe(histograms: Map<WorkType, Histogram>, work: WorkType, ms: number): void {
  const histogram = histograms.get(work) ?? {
    counts: Array.from({ length: BUCKETS_SECONDS.length + 1 }, () => 0),
    sum: 0,
  };
  histograms.set(work, histogram);
  const seconds = ms / 1000;
  const found = BUCKETS_SECONDS.findIndex((bound) => seconds <= bound);
  const bucket = found === -1 ? BUCKETS_SECONDS.length : found;
  histogram.counts[bucket] = (histogram.counts[bucket] ?? 0) + 1;
  histogram.sum += seconds;
}

export function gaugesOf(state: State): RunGauges {
  const { stage, cap, spend, pools, questions } = statusOf(state, {
    now: state.run.now,
    given: { inputs: state.run.inputs, env: {} },
  });
  const tasks = new Map<Stage, number>();
  for (const task of state.compiled.tasks) {
    if (task.task.type === 'subplan') continue;
    const at = stageOf(state, task);
    tasks.set(at, (tasks.get(at) ?? 0) + 1);
  }
  const merging = tasks.get('merging') ?? 0;
  return {
    stage,
    tasks,
    running: cap.held,
    cap: cap.size,
    spend,
    pools,
    mergeQueue: { length: (tasks.get('queued') ?? 0) + merging, merging },
    questions: questions.length,
  };
}

// A log → spans: one for the run, one for each opening of a task, one for each claim. Pure: the same log gives the same
// spans, and what ended in a part of the log is among the spans of the whole, unchanged.
import { labelOf, tasksIn } from '../../engine/events/event-table.ts';
import { taskRow, type TaskEvent } from '../../engine/events/task-events.ts';
import type { RunEvent, RunStarted } from '../../engine/event.ts';
import { traceIdsOf } from '../../protocol/trace-context.ts';
import { followClaim } from './claim-span.ts';
import { ERROR_TYPE, HEDDLE } from './gen-ai-names.ts';
import { expand } from '../../plan/expand.ts';
import { growPlan } from '../../plan/grown-plan.ts';
import type { Plan } from '../../plan/plan.ts';
import { outlineOf } from './plan-outline.ts';
import { addSpanEvent, type OpenSpan, type TraceSpan } from './trace-span.ts';
import {
  causeShown,
  closeRun,
  closeTask,
  ensureRun,
  ensureTask,
  closePausedRun,
  type TraceGiven,
  type TraceMemory,
} from './trace-memory.ts';

export interface TraceFollower {
  /** The spans that end with this event. */
  readonly add: (event: RunEvent) => readonly TraceSpan[];
  /** A marker for each span that has begun and not ended: the wire knows no open spans. */
  readonly begun: () => readonly TraceSpan[];
}

export function followTrace(started: RunStarted, given: TraceGiven): TraceFollower {
  const memory = startMemory(started, given);
  return {
    add: (event) => {
      memory.now = Math.max(memory.now, event.at);
      follow(memory, event);
      // What runs when a run is paused or stopped may go on for hours, and belongs to it.
      if (memory.isPaused && memory.claims.size === 0) closePausedRun(memory);
      return memory.finished.splice(0);
    },
    begun: () => [
      ...(memory.run === undefined ? [] : [markerOf(memory, memory.run)]),
      ...[...memory.tasks.values(), ...memory.claims.values()].map(({ span }) => markerOf(memory, span)),
    ],
  };
}

/** All spans of a log that have ended. */
export function spansOf(events: readonly RunEvent[], given: TraceGiven): readonly TraceSpan[] {
  const [started] = events;
  if (started?.type !== 'run.started') return [];
  const follower = followTrace(started, given);
  return events.flatMap((event) => follower.add(event));
}

function startMemory({ at: startedAt, plan, seed, base }: RunStarted, given: TraceGiven): TraceMemory {
  const outline = outlineOf(plan);
  return {
    given,
    ids: traceIdsOf({ run: given.run, startedAt, seed, base, tasks: outline.tasks.size }),
    plan,
    outline,
    now: startedAt,
    period: 0,
    run: undefined,
    isPaused: false,
    tasks: new Map(),
    openings: new Map(),
    claims: new Map(),
    failed: new Set(),
    readings: new Map(),
    finished: [],
  };
}

function markerOf({ ids, given }: TraceMemory, span: OpenSpan): TraceSpan {
  return {
    ...ids.ofStart(span),
    parent: span.spanId,
    name: `${span.name} (started)`,
    kind: 'internal',
    startMs: span.startMs,
    endMs: span.startMs,
    attributes: { [HEDDLE.run]: given.run, [HEDDLE.task]: span.attributes[HEDDLE.task], [HEDDLE.marker]: 'start' },
    events: [],
    links: [],
    status: 'unset',
  };
}

function follow(memory: TraceMemory, event: RunEvent): void {
  if ('work' in event) return followClaim(memory, event);
  if ('step' in event) return void ensureTask(memory, event.task);
  if ('task' in event) return followTask(memory, event);
  followRun(memory, event);
}

function followTask(memory: TraceMemory, event: TaskEvent): void {
  const { task: path } = event;
  const { span } = taskRow(event);
  // Events that change no span may come to a task that is not open yet.
  if (span === 'unchanged') return;
  if (span === 'restarts') return putBackAll(memory, event);
  const task = ensureTask(memory, path);
  if (span === 'opens') return;
  if (span === 'ends') {
    // A skipped subplan stays open until its tasks are skipped.
    const staysOpen = event.type === 'task.skipped' && memory.outline.tasks.get(path)?.type === 'subplan';
    if ('ending' in event && !staysOpen) endTask(memory, event);
    return;
  }
  addSpanEvent(task.span, { name: span.event, at: memory.now, attributes: {} });
  task.lastAt = memory.now;
}

function putBackAll(memory: TraceMemory, event: TaskEvent): void {
  for (const path of tasksIn(event) ?? []) putBack(memory, path);
}

function endTask(memory: TraceMemory, event: Extract<TaskEvent, { type: 'task.ended' | 'task.skipped' }>): void {
  const { task: path, ending, reason, cause } = event;
  ensureTask(memory, path);
  const hasFailed = ending === 'failed';
  if (hasFailed) memory.failed.add(path);
  else memory.failed.delete(path);
  closeTask(memory, path, {
    status: hasFailed ? 'error' : ending === 'done' ? 'ok' : 'unset',
    attributes: {
      [HEDDLE.result]: ending,
      [HEDDLE.reason]: reason,
      [HEDDLE.cause]: causeShown(memory, cause),
      [ERROR_TYPE]: hasFailed ? (reason ?? 'failed') : undefined,
    },
  });
}

/** A task that is to be done again; whether its span ended before or ends here. */
function putBack(memory: TraceMemory, path: string): void {
  memory.failed.delete(path);
  closeTask(memory, path, { status: 'unset', attributes: { [HEDDLE.result]: 'reset' } });
}

type WholeEvent = Exclude<RunEvent, { task: string }>;

function followRun(memory: TraceMemory, event: WholeEvent): void {
  if (event.type === 'run.ended') return closeRun(memory);
  if (event.type === 'run.resumed') memory.isPaused = false;
  addLabel(memory, event);
  if (event.type === 'run.paused') memory.isPaused = true;
  if (event.type === 'task.reset') for (const path of event.tasks) putBack(memory, path);
  if (event.type === 'plan.amended') {
    for (const path of [...event.restarted, ...event.cancelled]) putBack(memory, path);
    followPlan(memory, event.plan);
  }
  if (event.type === 'plan.grown') followPlan(memory, growPlan(expand(memory.plan), event.draft, event.fragment.tasks));
}

/** A paused run of which nothing runs has no span, and an event that begins no work opens none. */
function addLabel(memory: TraceMemory, event: WholeEvent): void {
  if (memory.isPaused && memory.run === undefined) return;
  const run = ensureRun(memory);
  const label = labelOf(event);
  if (label === undefined) return;
  const attributes = { [HEDDLE.pool]: 'pool' in event ? event.pool : undefined };
  addSpanEvent(run, { name: label.type, at: memory.now, attributes });
}

function followPlan(memory: TraceMemory, plan: Plan): void {
  memory.plan = plan;
  memory.outline = outlineOf(plan);
}

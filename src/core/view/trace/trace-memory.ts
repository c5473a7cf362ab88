// What is open while a log is read: the run, tasks and claims, each with its span, and how one is opened and closed.
//
// trace-memory/M1. A span is closed once and never changes after; a task that is opened again has another.
// trace-memory/M2. A span is closed after everything inside it and opened after everything around it, and time never goes
//     back, so children lie inside their parents.
import type { Plan } from '../../plan/plan.ts';
import type { ClaimRef } from '../../protocol/assignment.ts';
import type { Spend, Usage } from '../../protocol/result.ts';
import type { SpanId, TraceIds } from '../../protocol/trace-context.ts';
import { GEN_AI, HEDDLE, OPERATIONS } from './gen-ai-names.ts';
import type { PlanOutline } from './plan-outline.ts';
import type { Attributes, OpenSpan, TraceSpan } from './trace-span.ts';

export interface TraceGiven {
  readonly run: string;
  /** Prompts and answers become part of the spans. */
  readonly hasContent: boolean;
  /** Agents send spans of their own, with their tokens, so the tokens are not counted here once more. */
  readonly areAgentsJoined: boolean;
  /** The prompt of a turn, where it can be read. */
  readonly promptOf?: ((claim: ClaimRef) => string | undefined) | undefined;
}

export interface OpenTask {
  readonly span: OpenSpan;
  /** When something last happened to it: what it claims next has waited since. */
  lastAt: number;
}

export interface OpenClaim {
  readonly span: OpenSpan;
  readonly claim: ClaimRef;
  readonly agent: string | undefined;
  reserve: Spend;
}

export interface TraceMemory {
  readonly given: TraceGiven;
  readonly ids: TraceIds;
  plan: Plan;
  outline: PlanOutline;
  /** The latest time of any event. */
  now: number;
  period: number;
  run: OpenSpan | undefined;
  isPaused: boolean;
  readonly tasks: Map<string, OpenTask>;
  readonly openings: Map<string, number>;
  /** By work, task and step. */
  readonly claims: Map<string, OpenClaim>;
  /** Tasks that ended as failed. */
  readonly failed: Set<string>;
  /** By conversation: the counters at its latest turn. */
  readonly readings: Map<string, Usage>;
  readonly finished: TraceSpan[];
}

/** The task that is the cause, or, where content is asked for, a text: that may be the answer of an agent. */
export const causeShown = ({ given, outline }: TraceMemory, cause: string | undefined): string | undefined =>
  given.hasContent || (cause !== undefined && outline.tasks.has(cause)) ? cause?.slice(0, TEXT_MAX) : undefined;

/** Longer texts are cut: collectors refuse large spans. */
export const TEXT_MAX = 32_768;

export interface SpanEnd {
  readonly status: TraceSpan['status'];
  readonly attributes: Attributes;
}

export function closeSpan({ now, finished }: TraceMemory, span: OpenSpan, { status, attributes }: SpanEnd): void {
  const { traceId, spanId, parent, name, kind, startMs, events, links } = span;
  const all = { ...span.attributes, ...attributes };
  finished.push({ traceId, spanId, parent, name, kind, startMs, endMs: now, attributes: all, events, links, status });
}

/** The span of the run; a run that had ended or was paused begins another. */
export function ensureRun(memory: TraceMemory): OpenSpan {
  if (memory.run !== undefined) return memory.run;
  memory.period += 1;
  const { ids, given, plan, period, outline, now } = memory;
  const { name } = plan;
  memory.run = {
    ...ids.ofRun(period),
    parent: undefined,
    name: `${OPERATIONS.run} ${name}`,
    kind: 'internal',
    startMs: now,
    attributes: {
      [GEN_AI.operation]: OPERATIONS.run,
      [GEN_AI.workflow]: name,
      [HEDDLE.run]: given.run,
      [HEDDLE.tasks]: outline.tasks.size,
    },
    events: [],
    links: period === 1 ? [] : [ids.ofRun(period - 1)],
  };
  return memory.run;
}

export function closeRun(memory: TraceMemory): void {
  const run = ensureRun(memory);
  for (const path of memory.tasks.keys()) closeTask(memory, path, LEFT);
  const hasFailed = memory.failed.size > 0;
  closeSpan(memory, run, {
    status: hasFailed ? 'error' : 'ok',
    attributes: { [HEDDLE.result]: hasFailed ? 'failed' : 'done' },
  });
  memory.run = undefined;
}

/**
 * Ends the span of a run that is paused or stopped, once nothing of it runs. Nobody knows whether it goes on, and a run without a
 * span of its own is invisible to most viewers.
 */
export function closePausedRun(memory: TraceMemory): void {
  const { run } = memory;
  if (run === undefined) return;
  for (const path of memory.tasks.keys()) closeTask(memory, path, PAUSED);
  closeSpan(memory, run, PAUSED);
  memory.run = undefined;
}

const PAUSED: SpanEnd = { status: 'unset', attributes: { [HEDDLE.result]: 'paused' } };

/** Of spans that end with something else: what they were to become is not known. */
const LEFT: SpanEnd = { status: 'unset', attributes: {} };

/** The span of a task, and of the subplans around it, opened where they are not. */
export function ensureTask(memory: TraceMemory, path: string): OpenTask {
  const open = memory.tasks.get(path);
  if (open !== undefined) return open;
  const outlined = memory.outline.tasks.get(path);
  const around: SpanId = outlined?.parent === undefined ? ensureRun(memory) : ensureTask(memory, outlined.parent).span;
  const opening = (memory.openings.get(path) ?? 0) + 1;
  memory.openings.set(path, opening);
  const { ids, given, now } = memory;
  const task: OpenTask = {
    span: {
      ...ids.ofTask(path, opening),
      ...below(ids, around),
      name: `task ${path}`,
      kind: 'internal',
      startMs: now,
      attributes: { [HEDDLE.run]: given.run, [HEDDLE.task]: path, [HEDDLE.kind]: outlined?.type },
      events: [],
    },
    lastAt: now,
  };
  memory.tasks.set(path, task);
  return task;
}

/** A task of a very large run is linked to what is around it, which is in another trace. */
const below = (
  { isSplit }: TraceIds,
  { traceId, spanId }: SpanId,
): { readonly parent: string | undefined; readonly links: readonly SpanId[] } =>
  isSplit ? { parent: undefined, links: [{ traceId, spanId }] } : { parent: spanId, links: [] };

export function closeTask(memory: TraceMemory, path: string, closing: SpanEnd): void {
  const open = memory.tasks.get(path);
  if (open === undefined) return;
  if (memory.outline.tasks.get(path)?.type === 'subplan')
    for (const inner of memory.tasks.keys())
      if (memory.outline.tasks.get(inner)?.parent === path) closeTask(memory, inner, LEFT);
  for (const [key, { claim, span }] of memory.claims) {
    if (claim.task !== path) continue;
    memory.claims.delete(key);
    closeSpan(memory, span, LEFT);
  }
  memory.tasks.delete(path);
  closeSpan(memory, open.span, closing);
}

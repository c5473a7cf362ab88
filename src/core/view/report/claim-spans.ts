// The spans of claims, with the agent, the cost and the result of each, from the log alone.
//
// H1. A claim that is still running has no end in the report.
// H2. A cost that an agent did not report counts as its reservation, as in the ledger (P8).
import { stepOfId, taskOfPath, type Compiled } from '../../compile/compiled.ts';
import type { ClaimEvent, RunEvent } from '../../engine/event.ts';
import {
  claimRow,
  endsClaim,
  startsClaim,
  type ClaimResult,
  type OverEvent,
} from '../../engine/events/claim-events.ts';
import type { WorkType } from '../../protocol/assignment.ts';
import type { Reason, Spend } from '../../protocol/result.ts';
import { finalOf } from '../../engine/ledger.ts';

export interface ClaimSpan {
  readonly type: WorkType;
  readonly task: string;
  /** Of a turn on a conflict: the step whose agent resolves it. */
  readonly step: string | undefined;
  readonly attempt: number;
  /** The agent of an agent turn; undefined for other work. */
  readonly agent: string | undefined;
  /** The host on another machine that had it; undefined on the coordinator's machine. */
  host: string | undefined;
  /** Milliseconds since the run began. */
  readonly startMs: number;
  /** Undefined while the claim runs. */
  endMs: number | undefined;
  result: 'working' | ClaimResult['result'];
  reason: Reason | undefined;
  /** The error text of a claim that did not succeed. */
  says: string | undefined;
  exitCode: number | undefined;
  /** The commit that a step left, or that was checked or merged; undefined without git. */
  commit: string | undefined;
  usd: number | undefined;
  tokens: number | undefined;
  /** Whether the agent reported its cost; undefined for work without cost. */
  isReported: boolean | undefined;
}

interface Open {
  readonly span: ClaimSpan;
  reserve: Spend;
}

interface Memory {
  readonly compiled: Compiled;
  readonly startedAt: number;
  readonly open: Map<string, Open>;
  /** By task: the latest commit of its work. */
  readonly tips: Map<string, string>;
  readonly spans: ClaimSpan[];
}

export function claimSpans(compiled: Compiled, events: readonly RunEvent[]): readonly ClaimSpan[] {
  const startedAt = events[0]?.at ?? 0;
  const memory: Memory = { compiled, startedAt, open: new Map(), tips: new Map(), spans: [] };
  for (const event of events) if ('work' in event) follow(memory, event);
  return memory.spans;
}

function follow(memory: Memory, event: ClaimEvent): void {
  if (startsClaim(event)) return begin(memory, event);
  const found = memory.open.get(keyOf(event));
  if (found !== undefined && 'reserve' in event) found.reserve = event.reserve;
  if (found !== undefined && event.type === 'claim.placed') found.span.host = event.host;
  if (found !== undefined && endsClaim(event)) end(memory, event, found);
}

function begin(
  { compiled, startedAt, open, tips, spans }: Memory,
  event: Extract<ClaimEvent, { type: 'claim.made' }>,
): void {
  const { work: type, task, step, attempt, reserve, at, tip } = event;
  if (tip !== undefined) tips.set(task, tip);
  const span: ClaimSpan = {
    type,
    task,
    step,
    attempt,
    agent: event.agent ?? (step === undefined ? undefined : agentOf(compiled, task, step)),
    host: undefined,
    startMs: Math.max(0, at - startedAt),
    endMs: undefined,
    result: 'working',
    reason: undefined,
    says: undefined,
    exitCode: undefined,
    commit: type === 'check' || type === 'merge' ? tips.get(task) : undefined,
    usd: undefined,
    tokens: undefined,
    isReported: undefined,
  };
  spans.push(span);
  open.set(keyOf(event), { span, reserve });
}

function end({ startedAt, open, tips }: Memory, event: OverEvent, { span, reserve }: Open): void {
  open.delete(keyOf(event));
  const { result, reason, says, exitCode, commit } = claimRow(event).over?.(event) ?? { result: 'done' };
  const { usd, tokens } = finalOf(reserve, event.spend);
  Object.assign(span, { result, reason, says, exitCode, usd, tokens });
  span.commit ??= commit;
  if (span.commit !== undefined) tips.set(span.task, span.commit);
  // A clock that was set back must not make a span end before it begins.
  span.endMs = Math.max(span.startMs, event.at - startedAt);
  if (span.agent !== undefined) span.isReported = event.spend.usd !== undefined;
}

function agentOf(compiled: Compiled, path: string, id: string): string | undefined {
  const step = stepOfId(taskOfPath(compiled, path), id)?.step;
  return step?.type === 'prompt' ? step.agent : undefined;
}

const keyOf = ({ work, task, step }: ClaimEvent): string => `${work} ${task} ${step ?? ''}`;

export interface Span {
  /** Milliseconds since the run began. */
  readonly startMs: number;
  /** Undefined while the interval is open. */
  readonly endMs: number | undefined;
}

interface Edge {
  readonly at: number;
  readonly change: 1 | -1;
  readonly isWanted: boolean;
}

/** The total time in which at least one of `wanted` holds and none of the others does. */
export function idleWithin(wanted: readonly Span[], others: readonly (readonly Span[])[], nowMs: number): number {
  if (wanted.length === 0) return 0;
  const edges = [
    ...edgesOf(wanted, { nowMs, isWanted: true }),
    ...others.flatMap((spans) => edgesOf(spans, { nowMs, isWanted: false })),
  ].sort((one, other) => one.at - other.at);
  let [open, covered, sinceMs, sum] = [0, 0, 0, 0];
  for (const { at, change, isWanted } of edges) {
    if (open > 0 && covered === 0) sum += at - sinceMs;
    sinceMs = at;
    if (isWanted) open += change;
    else covered += change;
  }
  return sum;
}

const edgesOf = (
  spans: readonly Span[],
  { nowMs, isWanted }: { readonly nowMs: number; readonly isWanted: boolean },
): readonly Edge[] =>
  spans.flatMap(({ startMs, endMs }) => [
    { at: startMs, change: 1, isWanted } as const,
    { at: Math.max(startMs, endMs ?? nowMs), change: -1, isWanted } as const,
  ]);

// Every time that anything was at work in a run, with who had it, what it cost and what came of it, from its log alone.
//
// H1. A spell that has no end yet has none in the report either: what is at work is told as being at work.
// H2. What an agent did not report counts as what was reserved for it, as in the ledger (P8).
import type { Compiled } from '../../../compile/compiled.ts';
import type { Ending, RunEvent } from '../../../engine/event.ts';
import type { Reason, Spend } from '../../../protocol/result.ts';
import { finalOf } from '../../../engine/ledger.ts';

export interface SpellTold {
  readonly type: 'step' | 'check' | 'merge' | 'resolve';
  readonly task: string;
  /** Of a turn on a conflict, the step whose agent has it. */
  readonly step: string | undefined;
  readonly attempt: number;
  /** Who had it, where it was an agent's turn. */
  readonly agent: string | undefined;
  /** Milliseconds since the run began. */
  readonly startMs: number;
  /** Undefined while it is at work. */
  endMs: number | undefined;
  result: 'working' | 'passed' | 'returned' | 'asked' | 'conflict' | Ending;
  reason: Reason | undefined;
  /** What it said of why it did not go well. */
  says: string | undefined;
  exitCode: number | undefined;
  usd: number | undefined;
  tokens: number | undefined;
  /** Whether the agent said what it cost; undefined where nothing costs anything. */
  isReported: boolean | undefined;
}

interface Open {
  readonly spell: SpellTold;
  reserve: Spend;
}

interface Memory {
  readonly compiled: Compiled;
  readonly startedAt: number;
  readonly open: Map<string, Open>;
  readonly told: SpellTold[];
  /** By task, how often its check and its merge were claimed. */
  readonly checks: Map<string, number>;
  readonly merges: Map<string, number>;
}

export function tellSpells(compiled: Compiled, events: readonly RunEvent[]): readonly SpellTold[] {
  const startedAt = events[0]?.at ?? 0;
  const memory: Memory = { compiled, startedAt, open: new Map(), told: [], checks: new Map(), merges: new Map() };
  for (const event of events) if ('task' in event) hear(memory, event);
  return memory.told;
}

type OfTask = Extract<RunEvent, { task: string }>;

function hear(memory: Memory, event: OfTask): void {
  if (begins(memory, event)) return;
  switch (event.type) {
    case 'step.ended':
      return end(memory, event, {
        type: 'step',
        result: event.ending,
        reason: event.reason,
        says: event.result?.ok === true ? undefined : event.result?.response,
        exitCode: event.result?.exitCode,
        spend: event.spend,
      });
    case 'step.returned':
      return end(memory, event, { ...returned(event), type: 'step' });
    case 'step.asked':
      return end(memory, event, { type: 'step', result: 'asked', spend: event.spend, says: event.question });
    case 'check.passed':
      return end(memory, event, { type: 'check', result: 'passed' });
    case 'check.failed':
      return end(memory, event, { type: 'check', result: 'failed', reason: 'check', says: event.tail });
    case 'check.returned':
      return end(memory, event, { type: 'check', result: 'returned', reason: event.reason });
    case 'task.requeued':
      return end(memory, event, { type: 'merge', result: 'returned' });
    case 'task.conflicted':
      return end(memory, event, { type: 'merge', result: 'conflict', reason: 'conflict' });
    case 'merge.failed':
      return end(memory, event, { type: 'merge', result: 'failed', reason: 'check', says: event.tail });
    case 'resolve.ended':
      return end(memory, event, { type: 'resolve', result: event.ending, reason: event.reason, spend: event.spend });
    case 'resolve.returned':
      return end(memory, event, { ...returned(event), type: 'resolve' });
    case 'task.ended':
      for (const type of ['check', 'merge'] as const)
        end(memory, event, { type, result: event.ending, reason: event.reason });
      return;
    case 'step.raised':
    case 'resolve.raised':
      return raise(memory, event);
  }
}

const returned = ({ reason, says, spend }: Extract<OfTask, { type: 'step.returned' | 'resolve.returned' }>) =>
  ({ result: 'returned', reason, says, spend }) as const;

function begins(memory: Memory, event: OfTask): boolean {
  const { task } = event;
  switch (event.type) {
    case 'step.claimed': {
      const { step, attempt, reserve } = event;
      const agent = event.agent ?? agentOf(memory.compiled, task, step);
      begin(memory, event, { type: 'step', step, attempt, agent, reserve });
      return true;
    }
    case 'resolve.claimed': {
      const { by, attempt, reserve } = event;
      begin(memory, event, { type: 'resolve', step: by, attempt, agent: agentOf(memory.compiled, task, by), reserve });
      return true;
    }
    case 'check.claimed':
      begin(memory, event, { type: 'check', attempt: next(memory.checks, task) });
      return true;
    case 'task.merging':
      begin(memory, event, { type: 'merge', attempt: next(memory.merges, task) });
      return true;
  }
  return false;
}

const NOTHING: Spend = { usd: undefined, tokens: undefined };

type Begun = Pick<SpellTold, 'type' | 'attempt'> & Partial<Pick<SpellTold, 'step' | 'agent'>> & { reserve?: Spend };

function begin({ startedAt, open, told }: Memory, { task, at }: OfTask, begun: Begun): void {
  const { type, step, attempt, agent, reserve = NOTHING } = begun;
  const spell: SpellTold = {
    type,
    task,
    step,
    attempt,
    agent,
    startMs: Math.max(0, at - startedAt),
    endMs: undefined,
    result: 'working',
    reason: undefined,
    says: undefined,
    exitCode: undefined,
    usd: undefined,
    tokens: undefined,
    isReported: undefined,
  };
  told.push(spell);
  open.set(keyOf(type, task, step), { spell, reserve });
}

type Finished = Pick<SpellTold, 'type' | 'result'> &
  Partial<Pick<SpellTold, 'reason' | 'says' | 'exitCode'>> & { readonly spend?: Spend };

function end({ startedAt, open }: Memory, event: OfTask, finished: Finished): void {
  const key = keyOf(finished.type, event.task, 'step' in event ? event.step : undefined);
  const found = open.get(key);
  if (found === undefined) return;
  open.delete(key);
  const { spell, reserve } = found;
  const { result, reason, says, exitCode, spend = NOTHING } = finished;
  const { usd, tokens } = finalOf(reserve, spend);
  Object.assign(spell, { result, reason, says, exitCode, usd, tokens });
  // A clock that was set back does not make anything end before it began.
  spell.endMs = Math.max(spell.startMs, event.at - startedAt);
  if (spell.agent !== undefined) spell.isReported = spend.usd !== undefined;
}

function raise({ open }: Memory, event: Extract<OfTask, { type: 'step.raised' | 'resolve.raised' }>): void {
  const type = event.type === 'step.raised' ? 'step' : 'resolve';
  const found = open.get(keyOf(type, event.task, 'step' in event ? event.step : undefined));
  if (found !== undefined) found.reserve = event.reserve;
}

function agentOf({ indexOf, tasks }: Compiled, path: string, id: string): string | undefined {
  const steps = tasks[indexOf.get(path) ?? -1]?.steps ?? [];
  const step = steps.find((each) => each.step.id === id)?.step;
  return step?.type === 'prompt' ? step.agent : undefined;
}

function next(counts: Map<string, number>, task: string): number {
  const count = (counts.get(task) ?? 0) + 1;
  counts.set(task, count);
  return count;
}

/** A task has one turn on a conflict at a time, whoever has it. */
const keyOf = (type: SpellTold['type'], task: string, step: string | undefined): string =>
  `${type} ${task} ${type === 'step' ? (step ?? '') : ''}`;

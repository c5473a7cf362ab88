// What came of an agent's turn: its adapter reads the lines and has the last word, unless we ended the turn ourselves.
import type { Assignment } from '../../../core/engine/hosts/assignment.ts';
import type { Reason, Result, Spend } from '../../../core/engine/event.ts';
import type { WorkOutcome } from '../../../core/engine/hosts/sync.ts';
import type { Adapter, Verdict } from '../../ports.ts';
import type { Fits, Judge } from './judge.ts';
import { splitLines } from './lines.ts';
import { outputOf } from './output-value.ts';
import type { Ended } from '../program/program.ts';
import { failure, refused } from './unbegun.ts';

export interface Turn {
  readonly assignment: Assignment;
  readonly adapter: Adapter;
  readonly fits: Fits;
  readonly onSpent: (spend: Spend) => void;
}

export function judgeTurn({ assignment, adapter, fits, onSpent }: Turn): Judge {
  const { claim, output: schema } = assignment;
  const reader = adapter.reader();
  // Nothing is known of what it costs until the agent says, and what is not known is not nothing.
  let spend: Spend = { usd: undefined, tokens: undefined };
  let toolsRunning = 0;
  const lines = splitLines((line) => {
    for (const event of reader.line(line)) {
      if (event.type === 'tool') toolsRunning = Math.max(0, toolsRunning + (event.isRunning ? 1 : -1));
      if (event.type !== 'spent') continue;
      spend = event.spend;
      onSpent(spend);
    }
  });
  const of = () => ({ task: claim.task, step: claim.step ?? '', attempt: claim.attempt, spend });
  const failed = (reason: Reason, isFinal: boolean, message: string): WorkOutcome => ({
    type: 'step.failed',
    ...of(),
    reason,
    isFinal,
    result: failure(message),
  });
  const accept = async (verdict: Verdict): Promise<WorkOutcome> => {
    switch (verdict.type) {
      case 'limited':
        return { type: 'step.limited', ...of(), pool: verdict.pool, until: verdict.until };
      case 'failed':
        return failed(verdict.reason, verdict.isFinal, verdict.message);
      case 'finished': {
        const result = await withOutput(verdict.result, { schema, fits });
        return typeof result === 'string'
          ? failed('failed', false, result)
          : { type: 'step.finished', ...of(), result };
      }
    }
  };
  const judge = async (ended: Ended): Promise<WorkOutcome> => {
    lines.end();
    const { timeoutMs, idleTimeoutMs } = assignment.limits;
    switch (ended.type) {
      case 'exited':
        return accept(reader.verdict({ code: ended.code, signal: undefined }));
      case 'killed':
        return accept(reader.verdict({ code: undefined, signal: ended.signal }));
      case 'timeout':
        return failed('timeout', false, `The turn was ended: it took longer than ${timeoutMs} ms.`);
      case 'idle':
        return failed('idle', false, `The turn was ended: the agent was silent for ${idleTimeoutMs} ms.`);
      case 'stopped':
        return { type: 'step.stopped', ...of() };
      case 'unstarted':
        return refused(claim, ended);
    }
  };
  return {
    hear: (from, chunk) => {
      if (from === 'stdout') lines.push(chunk);
    },
    isBusy: () => toolsRunning > 0,
    judge,
  };
}

/** The result with the value that the plan declares, or why it has none. */
async function withOutput(
  result: Result,
  { schema, fits }: { readonly schema: Assignment['output']; readonly fits: Fits },
): Promise<Result | string> {
  if (schema === undefined || !result.ok) return result;
  // An agent without a way to give a value gives it as its answer.
  const text = result.output === undefined ? (result.response ?? '') : JSON.stringify(result.output);
  const value = await outputOf({ text, schema, fits });
  return value.type === 'output' ? { ...result, output: value.output } : value.message;
}

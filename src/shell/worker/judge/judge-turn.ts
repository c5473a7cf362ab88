// What came of an agent's turn: its adapter reads the lines and has the last word, unless we ended the turn ourselves.
import type { Assignment, Usage } from '../../../core/engine/hosts/assignment.ts';
import type { Reason, Result, Spend } from '../../../core/engine/event.ts';
import type { WorkOutcome } from '../../../core/engine/hosts/sync.ts';
import type { TurnNote } from '../../attempt-folder.ts';
import type { Exit, TurnOrder, TurnReader, Verdict } from '../../ports.ts';
import type { Fits, Judge } from './judge.ts';
import { splitLines } from './lines.ts';
import { outputOf } from './output-value.ts';
import { makeTail, textOf } from './tail.ts';
import { failure, refused } from './unbegun.ts';

export interface Turn {
  readonly assignment: Assignment;
  readonly order: TurnOrder;
  readonly reader: TurnReader;
  readonly fits: Fits;
  readonly onSpent: (spend: Spend) => void;
  readonly onEnd: (note: TurnNote) => void;
}

/** What is waited when an account may not ask more and nobody says until when. */
const REST_MS = { rate_limit: 60_000, quota: 900_000 } as const;
/** Of what an agent writes to its error stream, the end may say why it failed. */
const COMPLAINT_MAX_BYTES = 4096;

export function judgeTurn({ assignment, order, reader, fits, onSpent, onEnd }: Turn): Judge {
  const { claim, output: schema, limits } = assignment;
  const launchedAt = Date.now();
  // Nothing is known of what it costs until the agent says, and what is not known is not nothing.
  let spend: Spend = { usd: undefined, tokens: undefined };
  let usage: Usage | undefined;
  let toolsRunning = 0;
  const complaint = makeTail(COMPLAINT_MAX_BYTES);
  const lines = splitLines((line) => {
    for (const event of reader.line(line)) {
      if (event.type === 'tool.called') toolsRunning += 1;
      if (event.type === 'tool.ended') toolsRunning = Math.max(0, toolsRunning - 1);
      if (event.type !== 'spent') continue;
      ({ spend, usage } = event);
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
      case 'limited': {
        const until = verdict.until ?? Date.now() + REST_MS[verdict.by];
        return { type: 'step.limited', ...of(), pool: undefined, until };
      }
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
  const exited = async (exit: Exit, hasChanges: () => Promise<boolean | undefined>): Promise<WorkOutcome> => {
    const verdict = reader.verdict({
      exit,
      hasChanges: await hasChanges(),
      complaint: textOf(complaint.bytes(), COMPLAINT_MAX_BYTES),
      now: Date.now(),
    });
    note(verdict);
    return await accept(verdict);
  };
  const note = (verdict: TurnNote['verdict']): void =>
    onEnd({
      ...aboutTurn(order),
      launchedAt,
      completedAt: Date.now(),
      conversation: reader.conversation(),
      usage,
      verdict,
    });
  const ended = (type: 'timeout' | 'idle' | 'limit', message: string): WorkOutcome => {
    note({ type: 'failed', reason: type, isFinal: false, message });
    return failed(type, false, message);
  };
  const judge: Judge['judge'] = async (end, hasChanges) => {
    lines.end();
    switch (end.type) {
      case 'exited':
        return exited({ code: end.code, signal: undefined }, hasChanges);
      case 'killed':
        return exited({ code: undefined, signal: end.signal }, hasChanges);
      case 'timeout':
        return ended(end.type, `The turn was ended: it took longer than ${limits.timeoutMs} ms.`);
      case 'idle':
        return ended(end.type, `The turn was ended: the agent was silent for ${limits.idleTimeoutMs} ms.`);
      case 'limit':
        return ended(end.type, end.message);
      case 'stopped':
        note({ type: 'stopped' });
        return { type: 'step.stopped', ...of() };
      case 'unstarted':
        return refused(claim, end);
    }
  };
  return {
    hear: (from, chunk) => (from === 'stdout' ? lines : complaint).push(chunk),
    isBusy: () => toolsRunning > 0,
    judge,
  };
}

const aboutTurn = ({ agent, prompt, conversation }: TurnOrder) => ({
  agent: { name: agent.name, use: agent.use, model: agent.model },
  prompt,
  from: conversation,
});

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

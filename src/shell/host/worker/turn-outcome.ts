// What came of an agent's turn: its adapter reads the lines and has the last word, unless we ended the turn ourselves.
import { showDuration } from '../../../core/plan/language/literals.ts';
import type { Assignment } from '../../../core/protocol/assignment.ts';
import type { Permission, Result, Spend } from '../../../core/protocol/result.ts';
import type { WorkOutcome } from '../../../core/protocol/work-outcome.ts';
import type { TurnRecord } from '../../attempt-folder.ts';
import type { Exit, TurnOrder, Verdict } from '../../ports.ts';
import type { Ended } from '../../exec/supervised-process.ts';
import type { Fits, Judge } from './outcome-reader.ts';
import { jsonIn, outputOf } from './output-value.ts';
import { TurnEar, type Listening } from './turn-output.ts';
import { failure, refused } from './unstarted-outcome.ts';

export interface Turn extends Listening {
  readonly assignment: Assignment;
  readonly order: TurnOrder;
  readonly fits: Fits;
  readonly onEnd: (note: TurnRecord) => void;
}

export function judgeTurn(turn: Turn): Judge {
  const ear = new TurnEar(turn);
  const launchedAt = Date.now();
  return {
    hear: (from, chunk) => ear.hear(from, chunk),
    isBusy: () => ear.isBusy,
    end: () => ear.end(),
    judge: async (ended, hasChanges) => {
      const { reader, order, onEnd } = turn;
      const noted = (verdict: TurnRecord['verdict']): void => {
        const times = { launchedAt, completedAt: Date.now() };
        onEnd({ ...aboutTurn(order), ...times, conversation: reader.conversation(), usage: ear.usage, verdict });
      };
      const begun = begunOr(ended, turn, ear);
      if (begun.type === 'unstarted') {
        noted({ type: 'failed', reason: 'refused', isFinal: begun.isFinal, message: begun.message });
        return refused(turn.assignment.claim, begun);
      }
      const verdict = await verdictOn(begun, { turn, ear, hasChanges });
      noted(verdict);
      return outcomeOf(verdict, turn, ear);
    },
  };
}

/** What shells exit with when there is no such program. */
const NOT_FOUND = 127;

/** What keeps a program apart starts it last, and says by its exit that there is none. */
function begunOr(ended: Ended, { order }: Turn, { hasSpoken, complaint }: TurnEar): Ended {
  if (ended.type !== 'exited' || ended.code !== NOT_FOUND || hasSpoken) return ended;
  const said = complaint.trim().split('\n').at(-1) ?? '';
  const where = `The program of ${order.agent.name} was not found where its turn was to begin`;
  const message = `${where}${said === '' ? '' : ` (${said})`}: install it, or put the folder that holds all of it on the PATH; heddle agents says what is here.`;
  return { type: 'unstarted', message, isFinal: true };
}

interface Judging {
  readonly turn: Turn;
  readonly ear: TurnEar;
  readonly hasChanges: () => Promise<boolean | undefined>;
}

/** The agent's own, unless we ended the turn ourselves. */
async function verdictOn(
  ended: Exclude<Ended, { type: 'unstarted' }>,
  { turn, ear, hasChanges }: Judging,
): Promise<TurnRecord['verdict']> {
  const { timeoutMs, idleTimeoutMs } = turn.assignment.limits;
  const ownVerdict = async (exit: Exit, isOurs: boolean): Promise<Verdict> => {
    const changes = await hasChanges();
    const { complaint } = ear;
    return turn.reader.verdict({ exit, isOurs, hasChanges: changes, complaint, now: Date.now() });
  };
  switch (ended.type) {
    case 'exited':
      return ownVerdict({ code: ended.code, signal: undefined }, false);
    case 'killed':
      return ownVerdict({ code: undefined, signal: ended.signal }, false);
    case 'stuck':
      return ownVerdict({ code: undefined, signal: undefined }, true);
    case 'timeout':
      return overLimit(ended.type, `The turn was ended: it took longer than ${showDuration(timeoutMs)}.`);
    case 'idle':
      return overLimit(ended.type, `The turn was ended: the agent was silent for ${showDuration(idleTimeoutMs)}.`);
    case 'limit':
      return overLimit(ended.type, ended.message);
    case 'stopped':
      return { type: 'stopped' };
  }
}

const overLimit = (reason: 'timeout' | 'idle' | 'limit', message: string): Verdict => ({
  type: 'failed',
  reason,
  isFinal: false,
  message,
});

interface Heard {
  readonly spend: Spend;
  /** What it asked last, in full. */
  readonly question: string | undefined;
  readonly permission: Permission | undefined;
  readonly hasWorked: boolean;
}

async function outcomeOf(
  verdict: TurnRecord['verdict'],
  { assignment, fits, reader }: Turn,
  { spend, question, permission, hasWorked }: Heard,
): Promise<WorkOutcome> {
  const { claim, output: schema } = assignment;
  const conversation = reader.conversation();
  const of = { task: claim.task, step: claim.step ?? '', attempt: claim.attempt, spend, conversation };
  const left = hasWorked && conversation !== undefined ? { hasWorked, result: failure('') } : {};
  switch (verdict.type) {
    case 'stopped':
      return { type: 'step.stopped', ...of };
    case 'limited':
      return { type: 'step.limited', ...of, ...left, pool: undefined, until: verdict.until, by: verdict.by };
    case 'failed': {
      const { reason, isFinal, message } = verdict;
      if (reason === 'asked')
        return { type: 'step.asked', ...of, question: question ?? message, permission, result: failure(message) };
      const isBrokenOff = reason === 'overloaded' || reason === 'cut_off' || reason === 'crashed';
      return { type: 'step.failed', ...of, ...(isBrokenOff ? left : {}), reason, isFinal, result: failure(message) };
    }
    case 'finished': {
      const result = await withOutput(verdict.result, { schema, fits });
      if (typeof result !== 'string') return { type: 'step.finished', ...of, result };
      return { type: 'step.failed', ...of, reason: 'output', isFinal: true, result: failure(result) };
    }
  }
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
  // An agent without a way to give a value gives it as its answer, often with words around it.
  const text = result.output === undefined ? jsonIn(result.response ?? '') : JSON.stringify(result.output);
  const value = await outputOf({ text, schema, fits });
  return value.type === 'output' ? { ...result, output: value.output } : value.message;
}

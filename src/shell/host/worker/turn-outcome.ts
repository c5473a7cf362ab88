// The outcome of an agent's turn: the adapter's verdict on the output, unless Heddle ended the turn.
import { showDuration } from '../../../core/plan/language/literals.ts';
import type { Assignment } from '../../../core/protocol/assignment.ts';
import type { Permission, Result } from '../../../core/protocol/result.ts';
import type { WorkOutcome } from '../../../core/protocol/work-outcome.ts';
import type { TurnRecord } from '../attempt-folder.ts';
import type { Exit, TurnRequest, Verdict } from '../../ports/agents.ts';
import { lastCharacters } from '../../exec/tail.ts';
import type { ProcessEnd } from '../../exec/supervised-process.ts';
import { type Fits, type OutcomeReader, failure, refusedOutcome } from './outcome-reader.ts';
import { jsonIn, outputValueOf } from './output-value.ts';
import { TurnOutput, type TurnCallbacks } from './turn-output.ts';

export interface Turn extends TurnCallbacks {
  readonly assignment: Assignment;
  readonly request: TurnRequest;
  readonly fits: Fits;
  readonly onEnd: (record: TurnRecord) => void;
}

export function turnOutcomeReader(turn: Turn): OutcomeReader {
  const output = new TurnOutput(turn);
  const launchedAt = Date.now();
  return {
    receive: (from, chunk) => output.receive(from, chunk),
    isBusy: () => output.isBusy,
    end: () => output.end(),
    poll: turn.reader.poll === undefined ? undefined : (home) => output.poll(home),
    outcome: async (ended, hasChanges) => {
      const { reader, request, onEnd } = turn;
      const record = (verdict: TurnRecord['verdict']): void => {
        const times = { launchedAt, completedAt: Date.now() };
        const { usage } = reader.total();
        onEnd({ ...aboutTurn(request), ...times, conversation: reader.conversation(), usage, verdict });
      };
      const started = startedOr(ended, turn, output);
      if (started.type === 'unstarted') {
        record({ type: 'failed', reason: 'refused', isFinal: started.isFinal, message: started.message });
        return refusedOutcome(turn.assignment.claim, started);
      }
      const verdict = await verdictOn(started, { turn, output, hasChanges });
      record(verdict);
      return outcomeOf(verdict, turn, output);
    },
  };
}

/** Exit code of shells for a missing program. */
const NOT_FOUND = 127;

/** The sandbox starts the program last, and reports a missing program by its exit code. */
function startedOr(ended: ProcessEnd, { request }: Turn, { hasPrinted, stderr }: TurnOutput): ProcessEnd {
  if (ended.type !== 'exited' || ended.code !== NOT_FOUND || hasPrinted) return ended;
  const lastLine = stderr.trim().split('\n').at(-1) ?? '';
  const where = `The program of ${request.agent.name} was not found where its turn was to begin`;
  const message = `${where}${lastLine === '' ? '' : ` (${lastLine})`}: install it, or put the folder that holds all of it on the PATH; heddle agents says what is here.`;
  return { type: 'unstarted', message, isFinal: true };
}

interface Verdicts {
  readonly turn: Turn;
  readonly output: TurnOutput;
  readonly hasChanges: () => Promise<boolean | undefined>;
}

/** The adapter's verdict, unless Heddle ended the turn. */
async function verdictOn(
  ended: Exclude<ProcessEnd, { type: 'unstarted' }>,
  { turn, output, hasChanges }: Verdicts,
): Promise<TurnRecord['verdict']> {
  const { timeoutMs, idleTimeoutMs } = turn.assignment.limits;
  const ownVerdict = async (exit: Exit, isOurs: boolean): Promise<Verdict> => {
    const changes = await hasChanges();
    return turn.reader.verdict({ exit, isOurs, hasChanges: changes, stderr: output.stderr, now: Date.now() });
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
    case 'lease':
      return { type: 'stopped', by: ended.type };
  }
}

const overLimit = (reason: 'timeout' | 'idle' | 'limit', message: string): Verdict => ({
  type: 'failed',
  reason,
  isFinal: false,
  message,
});

interface TurnFacts {
  /** Its last question, in full. */
  readonly question: string | undefined;
  readonly permission: Permission | undefined;
  readonly hasWorked: boolean;
}

async function outcomeOf(
  verdict: TurnRecord['verdict'],
  { assignment, fits, reader }: Turn,
  { question, permission, hasWorked }: TurnFacts,
): Promise<WorkOutcome> {
  const { claim, output: schema } = assignment;
  const conversation = reader.conversation();
  const { spend, isPartial } = reader.total();
  const of = { ...claim, spend, isPartial, conversation };
  const left = hasWorked && conversation !== undefined ? { hasWorked, result: failure('') } : {};
  switch (verdict.type) {
    case 'stopped':
      return verdict.by === undefined
        ? { type: 'stopped', ...of }
        : { type: 'stopped', ...of, ...left, by: verdict.by };
    case 'limited': {
      const { until, by, message } = verdict;
      return { type: 'limited', ...of, ...left, pool: undefined, until, by, message };
    }
    case 'failed': {
      const { reason, isFinal, message } = verdict;
      if (reason === 'asked')
        return { type: 'asked', ...of, question: question ?? message, permission, result: failure(message) };
      const isBrokenOff = reason === 'overloaded' || reason === 'cut_off' || reason === 'crashed';
      return { type: 'failed', ...of, ...(isBrokenOff ? left : {}), reason, isFinal, result: failure(message) };
    }
    case 'finished': {
      const result = await withOutput(verdict.result, { schema, fits });
      if (typeof result !== 'string')
        return { type: 'finished', ...of, result: { ...result, response: endOf(result.response) } };
      return { type: 'failed', ...of, reason: 'output', isFinal: true, result: failure(result) };
    }
  }
}

/** Later steps can read the last characters of a response, and the log holds no more. */
const RESPONSE_MAX = 100_000;
const endOf = (response: string | undefined): string | undefined =>
  response === undefined ? undefined : lastCharacters(response, RESPONSE_MAX);

const aboutTurn = ({ agent, prompt, conversation }: TurnRequest) => ({
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
  // An agent that cannot return a value separately returns it in its answer, often with prose around it.
  const text = result.output === undefined ? jsonIn(result.response ?? '') : JSON.stringify(result.output);
  const value = await outputValueOf({ text, schema, fits });
  return value.type === 'output' ? { ...result, output: value.output } : value.message;
}

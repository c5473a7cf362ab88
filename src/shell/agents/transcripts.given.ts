// What agent programs have printed against the stand-in models, as it was recorded and then shortened to what says something,
// one file for each kind: parts headed by a name and how the program exited (124 where we ended it); lines of the error
// stream begin with an exclamation mark.
import { readFileSync } from 'node:fs';
import type { Agent } from '../../core/plan/plan.ts';
import type { TurnEnding, TurnEvent, TurnRequest, TurnTotal, Verdict } from '../ports/agents.ts';
import { ADAPTERS } from './adapters.ts';

export interface Transcript {
  readonly name: string;
  readonly exitCode: number;
  readonly lines: readonly string[];
}

export function transcriptsOf(kind: string): readonly Transcript[] {
  const text = readFileSync(new URL(`transcripts/${kind}.txt`, import.meta.url), 'utf8');
  return text.split(/^=== /m).flatMap((part) => {
    const [head = '', ...lines] = part.split('\n');
    const [, name, code] = /^(\w+) exit=(\d+)$/.exec(head) ?? [];
    return name === undefined ? [] : [{ name, exitCode: Number(code), lines: lines.filter((line) => line !== '') }];
  });
}

export const requestOf = (use: string, more: Partial<TurnRequest> = {}, agent: Partial<Agent> = {}): TurnRequest => ({
  agent: {
    name: use,
    use,
    model: undefined,
    pool: undefined,
    args: [],
    command: undefined,
    env: [],
    reserve: { usd: undefined, tokens: undefined },
    ...agent,
  },
  prompt: 'Do it.',
  conversation: undefined,
  schema: undefined,
  environment: {},
  ...more,
});

export const endingOf = (more: Partial<TurnEnding> = {}): TurnEnding => ({
  exit: { code: 0, signal: undefined },
  isOurs: false,
  hasChanges: undefined,
  stderr: '',
  now: 0,
  ...more,
});

export interface HeardTurn {
  readonly events: readonly TurnEvent[];
  readonly verdict: Verdict;
  readonly conversation: string | undefined;
  readonly total: TurnTotal;
}

/** The events of a reader for a transcript. */
export function heardIn(
  { lines, exitCode }: Transcript,
  request: TurnRequest,
  ending: Partial<TurnEnding> = {},
): HeardTurn {
  const reader = readerOf(request);
  const events = lines.flatMap((line) => (line.startsWith('! ') ? reader.stderr(line.slice(2)) : reader.line(line)));
  const stderr = lines.filter((line) => line.startsWith('! ')).join('\n');
  const verdict = reader.verdict(endingOf({ exit: { code: exitCode, signal: undefined }, stderr, ...ending }));
  return { events, verdict, conversation: reader.conversation()?.id, total: reader.total() };
}

export function readerOf(request: TurnRequest) {
  const adapter = ADAPTERS.get(request.agent.use);
  if (adapter === undefined) throw new Error(`There is no adapter ${request.agent.use}.`);
  return adapter.reader(request, () => undefined);
}

export function launchOf(request: TurnRequest) {
  const launch = ADAPTERS.get(request.agent.use)?.launch(request);
  if (launch === undefined || 'type' in launch) throw new Error(launch?.message ?? 'There is no such adapter.');
  return launch;
}

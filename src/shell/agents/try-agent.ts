// Runs one small turn of an agent in an empty folder, to see whether it works at all. It costs as much as such a turn.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MESSAGE_MAX_BYTES, splitLines } from '../exec/lines.ts';
import { SupervisedProcess, type ProcessEnd } from '../exec/supervised-process.ts';
import type { Usage } from '../../core/protocol/result.ts';
import type { Exit, Launch, PriceOf, Verdict } from '../ports/agents.ts';
import { ADAPTERS } from './adapters.ts';
import { probeRequest, type AgentSurroundings } from './detect-agents.ts';

export const TRY_PROMPT = 'Answer with the one word: ready. Use no tools and change nothing.';
const STDERR_MAX = 4096;

export interface Tried {
  readonly verdict: Verdict;
  readonly usage: Usage | undefined;
  readonly tookMs: number;
}

export interface Trying {
  readonly environment: AgentSurroundings;
  readonly priceOf: PriceOf;
  readonly timeoutMs: number;
  readonly prompt: string;
}

/** Undefined when there is no agent of that name. */
export async function tryAgent(
  use: string,
  { environment, priceOf, timeoutMs, prompt }: Trying,
): Promise<Tried | undefined> {
  const adapter = ADAPTERS.get(use);
  if (adapter === undefined) return undefined;
  const request = { ...probeRequest(use, prompt), environment };
  const launch = adapter.launch(request);
  const from = performance.now();
  const ended = (verdict: Verdict, usage?: Usage): Tried => ({ verdict, usage, tookMs: performance.now() - from });
  if ('type' in launch) return ended(failed(launch.message));
  const cwd = mkdtempSync(join(tmpdir(), 'heddle-try-'));
  try {
    const reader = adapter.reader(request, priceOf);
    let usage: Usage | undefined;
    const onLine = (line: string): void => {
      for (const event of reader.line(line)) if (event.type === 'spent') usage = event.usage;
    };
    const ran = await runTurn({ launch, cwd, timeoutMs, onLine });
    if (ran.type === 'unstarted') return ended(failed(ran.message));
    const { exit, stderr } = ran;
    return ended(reader.verdict({ exit, isOurs: false, hasChanges: false, stderr, now: Date.now() }), usage);
  } finally {
    rmSync(cwd, { recursive: true, force: true, maxRetries: 3 });
  }
}

interface TurnRun {
  readonly launch: Launch;
  readonly cwd: string;
  readonly timeoutMs: number;
  /** Called with each line for the turn's reader. */
  readonly onLine: (line: string) => void;
}

type TurnRan =
  | { readonly type: 'ended'; readonly exit: Exit; readonly stderr: string }
  | Extract<ProcessEnd, { type: 'unstarted' }>;

/** Runs the program of one turn to its end, without sandbox or grace. */
export async function runTurn({ launch, cwd, timeoutMs, onLine }: TurnRun): Promise<TurnRan> {
  const lines = splitLines(onLine, MESSAGE_MAX_BYTES);
  let stderr = '';
  const turn = new SupervisedProcess({
    launch,
    cwd,
    folder: cwd,
    limits: { timeoutMs, idleTimeoutMs: timeoutMs },
    graceMs: 0,
    onOutput: (from, chunk) => {
      if (from === 'stdout') lines.push(chunk);
      else stderr = `${stderr}${chunk.toString()}`.slice(-STDERR_MAX);
    },
    isBusy: () => false,
    onStarted: () => undefined,
  });
  const ended = await turn.ended;
  lines.end();
  return ended.type === 'unstarted' ? ended : { type: 'ended', exit: exitOf(ended), stderr };
}

function exitOf(ended: ProcessEnd): Exit {
  if (ended.type === 'exited') return { code: ended.code, signal: undefined };
  return { code: undefined, signal: ended.type === 'killed' ? ended.signal : 'SIGKILL' };
}

const failed = (message: string): Verdict => ({ type: 'failed', reason: 'failed', isFinal: true, message });

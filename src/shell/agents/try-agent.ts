// One small turn of an agent in an empty folder, to see whether it works at all. It costs what such a turn costs.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Usage } from '../../core/protocol/result.ts';
import type { Exit, Launch, PriceOf, Verdict } from '../ports.ts';
import { ADAPTERS } from './adapters.ts';
import { orderFor, type Surroundings } from './detect.ts';

export const TRY_PROMPT = 'Answer with the one word: ready. Use no tools and change nothing.';
const COMPLAINT_MAX = 4096;

export interface Tried {
  readonly verdict: Verdict;
  readonly usage: Usage | undefined;
  readonly tookMs: number;
}

export interface Trying {
  readonly environment: Surroundings;
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
  const order = { ...orderFor(use, prompt), environment };
  const launch = adapter.launch(order);
  const from = performance.now();
  const ended = (verdict: Verdict, usage?: Usage): Tried => ({ verdict, usage, tookMs: performance.now() - from });
  if ('type' in launch) return ended(failed(launch.message));
  const cwd = mkdtempSync(join(tmpdir(), 'heddle-try-'));
  const child = spawn(launch.program, launch.args, { cwd, env: launch.environment, detached: true, stdio: 'pipe' });
  const timer = setTimeout(() => endGroup(child.pid), timeoutMs);
  try {
    const reader = adapter.reader(order, priceOf);
    let usage: Usage | undefined;
    let complaint = '';
    child.stderr.on('data', (chunk: Buffer) => (complaint = `${complaint}${chunk.toString()}`.slice(-COMPLAINT_MAX)));
    const onLine = (line: string): void => {
      for (const event of reader.line(line)) if (event.type === 'spent') usage = event.usage;
    };
    const exit = await speakWith(child, { launch, cwd, onLine });
    return ended(reader.verdict({ exit, isOurs: false, hasChanges: false, complaint, now: Date.now() }), usage);
  } catch (error) {
    return ended(
      failed(`${launch.program} cannot be started: ${error instanceof Error ? error.message : String(error)}.`),
    );
  } finally {
    clearTimeout(timer);
    endGroup(child.pid);
    rmSync(cwd, { recursive: true, force: true, maxRetries: 3 });
  }
}

interface Speaking {
  readonly launch: Launch;
  readonly cwd: string;
  /** Called with each line for the turn's reader. */
  readonly onLine: (line: string) => void;
}

/** Gives a program its input, or has its dialogue speak with it, until it exits. Rejects when it cannot be started. */
export async function speakWith(
  child: ChildProcessWithoutNullStreams,
  { launch, cwd, onLine }: Speaking,
): Promise<Exit> {
  const { dialogue, input } = launch;
  const lines = createInterface({ input: child.stdout });
  let hasLeft = false;
  let leaving: NodeJS.Timeout | undefined;
  lines.on('line', (line) => (dialogue?.receive(line) ?? [line]).forEach(onLine));
  // A program that does not read what it is given is judged by what it does.
  child.stdin.on('error', () => undefined);
  if (dialogue === undefined) child.stdin.end(input);
  else
    dialogue.begin({
      cwd,
      write: (line) => void child.stdin.write(`${line}\n`),
      leave: (withinMs) => {
        hasLeft = true;
        child.stdin.end();
        leaving = setTimeout(() => child.kill(), withinMs);
      },
    });
  const closed = once(lines, 'close');
  await Promise.all([once(child, 'exit'), closed]);
  clearTimeout(leaving);
  if (hasLeft) return { code: 0, signal: undefined };
  return { code: child.exitCode ?? undefined, signal: child.signalCode ?? undefined };
}

const failed = (message: string): Verdict => ({ type: 'failed', reason: 'failed', isFinal: true, message });

function endGroup(pid: number | undefined): boolean {
  try {
    return pid !== undefined && process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing of it is left, which is what was wanted.
    return false;
  }
}

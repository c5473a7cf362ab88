// One turn of the scripted agent in a folder of its own, as a worker would run it, ended with all its children.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { assert } from '../../../core/assert.ts';
import type { Agent } from '../../../core/plan/plan.ts';
import type { Exit, TurnEnding, TurnEvent, TurnRequest, Verdict } from '../../ports/agents.ts';
import { scriptedAdapter } from './scripted-adapter.ts';

export interface Begun {
  readonly child: ChildProcess;
  readonly events: TurnEvent[];
  /** Its standard error, with that of its tools. */
  readonly errors: () => string;
  readonly verdict: Promise<Verdict>;
}

const AGENT: Agent = {
  name: 'ai',
  use: 'scripted',
  model: undefined,
  pool: undefined,
  args: [],
  command: undefined,
  env: [],
  reserve: { usd: undefined, tokens: undefined },
};

export const scriptedRequestOf = (prompt: string): TurnRequest => ({
  agent: AGENT,
  prompt,
  conversation: undefined,
  schema: undefined,
  environment: {},
});

export const scriptedEndingOf = (exit: Exit): TurnEnding => ({
  exit,
  isOurs: false,
  hasChanges: undefined,
  stderr: '',
  now: 0,
});

export function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-scripted-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** Starts a turn; the rest of its process group is killed when the test is over. */
export function beginTurn(prompt: string, cwd = emptyFolder(), more: Partial<TurnRequest> = {}): Begun {
  const request = { ...scriptedRequestOf(prompt), ...more };
  const launch = scriptedAdapter.launch(request);
  assert(!('type' in launch), 'The scripted agent can always be launched.');
  const { program, args, input } = launch;
  const child = spawn(program, args, { cwd, detached: true, stdio: 'pipe' });
  onTestFinished(() => killGroup(child));
  const reader = scriptedAdapter.reader(request, () => undefined);
  const events: TurnEvent[] = [];
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const lines = createInterface({ input: child.stdout });
  // The name of the conversation comes first in every turn, and is not part of its work.
  lines.on('line', (line) => events.push(...reader.line(line).filter(({ type }) => type !== 'conversation')));
  const verdict = Promise.all([once(child, 'exit'), once(lines, 'close')]).then(() =>
    reader.verdict(scriptedEndingOf(exitOf(child))),
  );
  child.stdin.end(input);
  return { child, events, errors: () => errors, verdict };
}

export const scriptedVerdictOn = (prompt: string, cwd?: string): Promise<Verdict> => beginTurn(prompt, cwd).verdict;

const exitOf = ({ exitCode, signalCode }: ChildProcess): Exit => ({
  code: exitCode ?? undefined,
  signal: signalCode ?? undefined,
});

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // No process of the group is left, as intended.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

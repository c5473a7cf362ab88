// Starts programs that use a store, reads what they print, and ends them with the test.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { STORE_PROGRAM } from './store-program.given.ts';

export interface Program {
  readonly pid: number;
  /** The next line it prints; undefined when it has ended. */
  readonly line: () => Promise<string | undefined>;
  readonly say: (word: string) => void;
  readonly signal: (signal: 'SIGSTOP' | 'SIGCONT') => void;
  readonly kill: () => Promise<void>;
}

export function startProgram(...words: readonly string[]): Program {
  const child = spawn(process.execPath, [STORE_PROGRAM, ...words], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exit = once(child, 'exit');
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exit;
  };
  onTestFinished(kill);
  // Speaking to one that has just been killed says nothing about the store.
  child.stdin.on('error', () => undefined);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    pid: child.pid ?? 0,
    kill,
    signal: (signal) => void child.kill(signal),
    say: (word) => void child.stdin.write(`${word}\n`),
    line: async () => {
      const { value, done } = await lines.next();
      return done === true ? undefined : value;
    },
  };
}

export function givenFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-e2e-store-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, '.heddle');
}

// Runs the program as a person would, in a process of its own, and says what it printed.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

export const ROOT = join(import.meta.dirname, '..', '..');
export const EXAMPLES = join(ROOT, 'examples');

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly errors: string;
}

export interface Surroundings {
  readonly cwd?: string;
  readonly input?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
}

export function heddle(words: readonly string[], { cwd = ROOT, input = '', env = {} }: Surroundings = {}): Ran {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'bin', 'heddle.js'), ...words], {
    cwd,
    input,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: cwd, ...env },
  });
  return { code: status, out: stdout, errors: stderr };
}

/** A folder that is removed after the test. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-e2e-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** A folder with a file in it, whose path comes back. */
export function givenFile(name: string, content: string | Uint8Array): string {
  const file = join(scratchFolder(), name);
  writeFileSync(file, content);
  return file;
}

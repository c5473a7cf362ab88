// `heddle host` as a real process that shares nothing with its server but a port.
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { PATIENCE_MS } from '../../patience.given.ts';
import { ROOT } from '../heddle.given.ts';
import type { Server } from './serve.given.ts';

export interface FarHost {
  readonly child: ChildProcess;
  /** The home folder of its user. */
  readonly folder: string;
  /** Where the host has its files. */
  readonly home: string;
  readonly printed: () => string;
}

export interface FarHostOptions {
  readonly token: string;
  readonly words?: readonly string[];
  /** Besides the path and the home folder, for its user's home folder. */
  readonly environment?: (folder: string) => Readonly<Record<string, string>>;
}

export function startFarHost({ base }: Server, { token, words = [], environment }: FarHostOptions): FarHost {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-far-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const file = join(folder, 'token');
  writeFileSync(file, token, { mode: 0o600 });
  const home = join(folder, 'host');
  const given = ['host', '--join', base, '--token-file', file, '--home', home, ...words];
  const child = spawn(process.execPath, [join(ROOT, 'bin', 'heddle.js'), ...given], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, ...environment?.(folder) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (printed += text));
  return { child, folder, home, printed: () => printed };
}

/** Looks again and again until what must come has come. */
export const eventually = (look: () => void): Promise<void> =>
  vi.waitFor(look, { timeout: PATIENCE_MS, interval: 200 });

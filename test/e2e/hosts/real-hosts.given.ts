// Real hosts for a real server, each with a home and a token of its own.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { onTestFinished, vi } from 'vitest';
import { PATIENCE_MS } from '../../patience.given.ts';
import { temporaryFolder } from '../git-project.given.ts';
import { ROOT } from '../heddle.given.ts';
import type { Event, ServedHere } from './serve.given.ts';

export interface RealHost {
  readonly name: string;
  readonly child: ChildProcess;
  readonly printed: () => string;
  readonly ended: Promise<number | null>;
  /** The same machine once more, with what its disk has. */
  readonly again: (base: string) => RealHost;
}

export interface RealHostOptions {
  readonly name: string;
  readonly base: string;
  readonly token: string;
  readonly width?: number;
  readonly folder?: string;
}

export function realHost(options: RealHostOptions): RealHost {
  const { name, base, token, width = 2, folder = temporaryFolder() } = options;
  const file = join(folder, 'token');
  writeFileSync(file, token, { mode: 0o600 });
  const words = ['--join', base, '--token-file', file, '--home', join(folder, 'home'), '--width', String(width)];
  const child = spawn(process.execPath, [join(ROOT, 'bin', 'heddle.js'), 'host', ...words], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (printed += text));
  const ended = once(child, 'exit').then(([code]: unknown[]) => (typeof code === 'number' ? code : null));
  return {
    name,
    child,
    printed: () => printed,
    ended,
    again: (next) => realHost({ ...options, folder, base: next }),
  };
}

/** Until the log has an event that fits. */
export const logged = (given: ServedHere, run: string, fits: (event: Event) => boolean): Promise<Event> =>
  vi.waitFor(
    () => {
      const found = given.events(run).find(fits);
      if (found === undefined) throw new Error('It is not in the log yet.');
      return found;
    },
    { timeout: PATIENCE_MS, interval: 200 },
  );

/** Every merge once, and every task done: nothing lost, nothing doubled. */
export function tallyOf(events: readonly Event[]): Readonly<Record<string, number>> {
  const merges = events.filter(
    ({ type, work, ending }) => type === 'claim.ended' && work === 'merge' && ending === 'done',
  );
  const counts: Record<string, number> = {};
  for (const { task = '' } of merges) counts[task] = (counts[task] ?? 0) + 1;
  return counts;
}

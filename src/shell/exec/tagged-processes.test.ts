import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { PATIENCE_MS } from '../../../test/patience.given.ts';
import { parentOf } from './process.ts';
import { tagsAbove } from './tagged-processes.ts';

test('a process without the tags is known by those of the process that started it', async () => {
  const child = spawn('sh', ['-c', 'env -u HEDDLE_RUN -u HEDDLE_TASK sleep 300 & echo $!; wait'], {
    env: { PATH: process.env['PATH'], HEDDLE_RUN: 'shop-1', HEDDLE_TASK: 'api' },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  const { pid } = child;
  if (pid === undefined) throw new Error('There is no shell.');
  onTestFinished(() => void process.kill(-pid));
  const [printed] = await once(child.stdout, 'data');
  const inner = Number(String(printed));
  expect(parentOf(inner)).toBe(pid);
  expect(tagsAbove(inner)).toMatchObject({ run: 'shop-1', task: 'api', step: undefined });
  expect(tagsAbove(pid)).toBeUndefined();
});

test('a process without the tags whose parent has ended is known by those of the process that began its session', async () => {
  const child = spawn('sh', ['-c', '(env -i sleep 300 & echo $!); exec sleep 300'], {
    env: { PATH: process.env['PATH'], HEDDLE_RUN: 'shop-1', HEDDLE_TASK: 'api' },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  const { pid } = child;
  if (pid === undefined) throw new Error('There is no shell.');
  onTestFinished(() => void process.kill(-pid));
  const [printed] = await once(child.stdout, 'data');
  const orphan = Number(String(printed));
  await vi.waitFor(() => expect(parentOf(orphan)).not.toBe(pid), { timeout: PATIENCE_MS });
  await vi.waitFor(() => expect(tagsAbove(orphan)).toMatchObject({ run: 'shop-1', task: 'api' }), {
    timeout: PATIENCE_MS,
  });
});

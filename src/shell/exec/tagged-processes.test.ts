import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
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

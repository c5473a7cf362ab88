import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { isAlive, startTimeOf, thisProcess } from './process.ts';

describe.each([process.platform, 'elsewhere'])('a process, asked as on %s,', (platform) => {
  test('has one start as long as it lives, and none after', async () => {
    const child = spawn('sleep', ['60']);
    const pid = child.pid ?? 0;
    const startedAt = startTimeOf(pid, platform);
    expect(startedAt).toBeTypeOf('string');
    expect(startTimeOf(pid, platform)).toBe(startedAt);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(startTimeOf(pid, platform)).toBeUndefined();
  });
});

test('a process with the same number and another start is another one', () => {
  expect(isAlive(thisProcess())).toBe(true);
  expect(isAlive({ ...thisProcess(), startedAt: 'long ago' })).toBe(false);
});

import { describe, expect, test, vi } from 'vitest';
import { capture, type CaptureOptions } from './capture.ts';
import { isAlive, startTimeOf } from './process.ts';
import { PATIENCE_MS } from '../../../test/patience.given.ts';

const shell = (script: string, options: Partial<CaptureOptions> = {}) =>
  capture(['sh', '-c', script], { cwd: '.', timeoutMs: 60_000, ...options });

const isGone = (pid: number): Promise<void> =>
  vi.waitFor(() => expect(startTimeOf(pid)).toBeUndefined(), { timeout: PATIENCE_MS });

test('what a command prints on both streams is captured to the end', async () => {
  const { end, stdout, stderr } = await shell('seq 200000; echo wrong >&2; exit 3');
  expect(end).toEqual({ type: 'exited', code: 3 });
  expect(stdout.toString().endsWith('\n199999\n200000\n')).toBe(true);
  expect(stderr.toString()).toBe('wrong\n');
});

test('of much output the end is kept', async () => {
  const { stdout } = await shell('seq 200000', { keptBytesMax: 100_000 });
  expect(stdout.length).toBeLessThan(300_000);
  expect(stdout.toString().endsWith('\n200000\n')).toBe(true);
});

test('a command is given its input', async () => {
  expect((await shell('cat', { input: 'to read' })).stdout.toString()).toBe('to read');
  expect((await shell('exec true', { input: 'x'.repeat(10_000_000) })).end).toEqual({ type: 'exited', code: 0 });
});

test('a process that stays behind and holds the streams open is not waited for', async () => {
  const { stdout } = await shell('echo said; sleep 300 & echo $!');
  const [said, pid] = stdout.toString().split('\n');
  expect(said).toBe('said');
  // Throws for a dead process; then none was left behind.
  process.kill(Number(pid), 'SIGKILL');
});

test('a command that a signal ended names it', async () => {
  expect((await shell('kill -9 $$')).end).toEqual({ type: 'killed', signal: 'SIGKILL' });
});

test('a command that is not there is an end like any other', async () => {
  const { end } = await capture(['/has/no/such/program'], { cwd: '.', timeoutMs: 1_000 });
  expect(end).toMatchObject({ type: 'unstarted', message: expect.stringContaining('ENOENT') });
});

describe('a command that takes too long or is aborted', () => {
  test('is ended, and its end says why', async () => {
    expect((await shell('sleep 300', { timeoutMs: 50 })).end).toEqual({ type: 'timeout' });
    expect((await shell('sleep 300', { signal: AbortSignal.abort() })).end).toEqual({ type: 'aborted' });
  });

  test('is ended with all of its group', async () => {
    const { end, stdout } = await shell('sleep 300 & echo $!; wait', { timeoutMs: 300, group: 'end' });
    expect(end).toEqual({ type: 'timeout' });
    await isGone(Number(stdout.toString()));
  });
});

test('the rest of a group is ended with its leader, or left', async () => {
  const pidLeft = async (group: 'end' | 'leave'): Promise<number> =>
    Number((await shell('sleep 300 >/dev/null 2>&1 & echo $!', { group })).stdout.toString());
  await isGone(await pidLeft('end'));
  const pid = await pidLeft('leave');
  expect(isAlive({ pid, startedAt: startTimeOf(pid) ?? '' })).toBe(true);
  process.kill(pid, 'SIGKILL');
});

import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { hearOut } from './hear-out.ts';

const shell = (script: string) => spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'pipe'] });

test('what a program prints on both streams is heard to the end', async () => {
  const heard = await hearOut(shell('seq 200000; echo wrong >&2; exit 3'));
  expect(heard).toMatchObject({ code: 3, signal: null });
  expect(heard.output.toString().endsWith('\n199999\n200000\n')).toBe(true);
  expect(heard.complaint.toString()).toBe('wrong\n');
});

test('of much that is printed the end is kept', async () => {
  const { output } = await hearOut(shell('seq 200000'), 100_000);
  expect(output.length).toBeLessThan(300_000);
  expect(output.toString().endsWith('\n200000\n')).toBe(true);
});

test('who stays behind and holds the streams open is not waited for', async () => {
  const heard = await hearOut(shell('echo said; sleep 300 & echo $!'));
  const [said, pid] = heard.output.toString().split('\n');
  expect(said).toBe('said');
  // Throws when it is gone, and then nobody was left behind at all.
  process.kill(Number(pid), 'SIGKILL');
});

test('a program that a signal ended says which', async () => {
  expect(await hearOut(shell('kill -9 $$'))).toMatchObject({ code: null, signal: 'SIGKILL' });
});

test('a program that is not there is trouble', async () => {
  await expect(hearOut(spawn('/has/no/such/program'))).rejects.toThrow('ENOENT');
});

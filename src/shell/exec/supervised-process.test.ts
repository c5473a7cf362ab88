import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { SupervisedProcess } from './supervised-process.ts';

function given([program = '', ...args]: readonly string[]): SupervisedProcess {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-exec-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return new SupervisedProcess({
    launch: { program, args, input: undefined, environment: { PATH: process.env['PATH'] ?? '' } },
    cwd: folder,
    folder,
    limits: { timeoutMs: 60_000, idleTimeoutMs: 60_000 },
    graceMs: 1_000,
    onOutput: () => undefined,
    isBusy: () => false,
    onStarted: () => undefined,
  });
}

test('a command that takes more than it may is ended at once, and says what it took', async () => {
  const command = given(['sh', '-c', 'trap "" TERM; sleep 300 & wait']);
  command.exceedLimit('It took too much.');
  command.exceedLimit('And more.');
  expect(await command.ended).toEqual({ type: 'limit', message: 'It took too much.' });
});

test('a command that cannot be started says why', async () => {
  const command = given(['/has/no/such/program']);
  command.exceedLimit('Nobody is there to end.');
  expect(await command.ended).toMatchObject({ type: 'unstarted', message: expect.stringContaining('ENOENT') });
});

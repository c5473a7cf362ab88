import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { OnOutput } from './streams.ts';
import { SupervisedProcess } from './supervised-process.ts';

interface More {
  readonly isOutputFile?: boolean;
  readonly onOutput?: OnOutput;
  readonly cwd?: string;
}

function given([program = '', ...args]: readonly string[], more: More = {}): SupervisedProcess {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-exec-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return new SupervisedProcess({
    launch: {
      program,
      args,
      input: undefined,
      environment: { PATH: process.env['PATH'] ?? '' },
      isOutputFile: more.isOutputFile,
    },
    cwd: more.cwd ?? folder,
    folder,
    limits: { timeoutMs: 60_000, idleTimeoutMs: 60_000 },
    graceMs: 1_000,
    onOutput: more.onOutput ?? (() => undefined),
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

const LETTERS = 3_000_000;
/** Prints more than a pipe takes and exits at once, when somebody has read its first line. */
const HASTY = `console.log('first'); console.error('oops'); setInterval(() => {
  if (!require('node:fs').existsSync('go')) return;
  process.stdout.write('x'.repeat(${LETTERS})); process.exit(3);
}, 10)`;

test('of what a program prints to a file nothing is lost, and it is read while the program runs', async () => {
  const seen = { stdout: 0, stderr: 0 };
  const folder = mkdtempSync(join(tmpdir(), 'heddle-exec-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const onOutput: OnOutput = (from, chunk) => {
    seen[from] += chunk.length;
    if (from === 'stdout') writeFileSync(join(folder, 'go'), '');
  };
  const command = given([process.execPath, '-e', HASTY], { isOutputFile: true, onOutput, cwd: folder });
  expect(await command.ended).toMatchObject({ type: 'exited', code: 3 });
  expect(seen).toEqual({ stdout: 'first\n'.length + LETTERS, stderr: 'oops\n'.length });
});

import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startCommand, type Command } from './command.ts';
import { PATIENCE_MS } from '../../../../test/patience.given.ts';

function given(argv: readonly string[]): { readonly command: Command; readonly file: string } {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-command-'));
  const file = join(folder, 'output');
  const output = openSync(file, 'a+');
  onTestFinished(() => {
    closeSync(output);
    rmSync(folder, { recursive: true, force: true });
  });
  const environment = { PATH: process.env['PATH'] ?? '' };
  const limits = { timeoutMs: PATIENCE_MS, idleTimeoutMs: PATIENCE_MS };
  return {
    command: startCommand({ argv, cwd: folder, environment, output, limits, onStarted: () => undefined }),
    file,
  };
}

test('a command that prints more than is kept keeps what it printed last', async () => {
  const { command, file } = given(['sh', '-c', 'head -c 40000000 /dev/zero | tr "\\0" x; sleep 1; echo; echo the end']);
  expect(await command.ended).toEqual({ type: 'exited', code: 0 });
  expect(statSync(file).size).toBeLessThan(2_000_000);
  const text = readFileSync(file, 'utf8');
  expect(text.startsWith('[heddle: what came before was too much to keep]\n')).toBe(true);
  expect(text.endsWith('x\nthe end\n')).toBe(true);
});

test('a command that takes more than it may is ended at once, and says what it took', async () => {
  const { command } = given(['sh', '-c', 'trap "" TERM; sleep 300 & wait']);
  command.breach('It took too much.');
  command.breach('And more.');
  expect(await command.ended).toEqual({ type: 'limit', message: 'It took too much.' });
});

test('a command that cannot be started says why', async () => {
  const { command } = given(['/has/no/such/program']);
  command.breach('Nobody is there to end.');
  expect(await command.ended).toMatchObject({ type: 'unstarted', message: expect.stringContaining('ENOENT') });
});

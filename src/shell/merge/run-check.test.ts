import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  endOrphans,
  findChecks,
  tagsOfCheck,
  checksIn,
  type Check,
  type CheckRequest,
  type StartCheck,
} from './run-check.ts';
import { PATIENCE_MS } from '../../../test/patience.given.ts';

interface Place {
  readonly home: string;
  readonly tree: string;
  readonly start: StartCheck;
  /** Names of the trees that were thrown away. */
  readonly destroyed: readonly string[];
}

function givenPlace(): Place {
  const home = mkdtempSync(join(tmpdir(), 'heddle-check-'));
  const tree = join(home, 'tree');
  mkdirSync(tree);
  const destroyed: string[] = [];
  const start = checksIn({
    run: 'run-1',
    home,
    environment: { PATH: process.env['PATH'] ?? '' },
    candidates: async ({ name }) => ({
      type: 'opened',
      candidate: {
        folder: tree,
        environment: { OF_TREE: 'yes' },
        wrap: (argv) => argv,
        monitor: async () => ({ watch: () => undefined, onMessage: undefined, stop: () => Promise.resolve(undefined) }),
        destroy: async () => destroyed.push(name),
      },
    }),
  });
  onTestFinished(async () => {
    await endOrphans({ home, run: 'run-1' });
    rmSync(home, { recursive: true, force: true });
  });
  return { home, tree, start, destroyed };
}

const requestFor = (command: string, timeoutMs = 60_000, idleTimeoutMs = 60_000): CheckRequest => ({
  commit: 'abc',
  command,
  limits: { timeoutMs, idleTimeoutMs },
});

async function until(isSo: () => boolean): Promise<void> {
  for (let waitedMs = 0; !isSo(); waitedMs += 10) {
    if (waitedMs > PATIENCE_MS) throw new Error('It never came to be so.');
    await setTimeout(10);
  }
}

describe('a check of a merged commit', () => {
  test('passes in a tree of its own, with its marks, and leaves its output in a file', async () => {
    const { home, start, destroyed } = givenPlace();
    const { ended } = start(
      requestFor('pwd; echo "$OF_TREE $HEDDLE_RUN $HEDDLE_HOME $HEDDLE_TASK"; echo oops > /dev/stderr'),
    );
    expect(await ended).toEqual({ type: 'passed' });
    expect(readFileSync(join(home, 'runs/run-1/@merge/1.log'), 'utf8')).toContain('oops\n');
    expect(destroyed).toEqual(['run-1.1']);
  });

  test('fails with the end of what it said and why', async () => {
    const { start } = givenPlace();
    expect(await start(requestFor('echo "$OF_TREE $HEDDLE_RUN"; exit 3')).ended).toEqual({
      type: 'failed',
      tail: 'yes run-1\n\n[heddle: the check `echo "$OF_TREE $HEDDLE_RUN"; exit 3` ended with exit code 3 on the merged work]',
    });
  });

  test('tells no more than the end of much that it said', async () => {
    const { start } = givenPlace();
    const checked = await start(requestFor('seq 1 100000; exit 1')).ended;
    expect(checked.type === 'failed' && checked.tail.length).toBe(4_000);
    expect(checked.type === 'failed' && checked.tail).toContain('\n100000\n');
  });

  test('is ended with all that it started when it takes too long or says nothing', async () => {
    const { home, start } = givenPlace();
    const stubborn = "trap '' TERM; (trap '' TERM; sleep 300) & while true; do sleep 0.1; done";
    const [slow, silent] = await Promise.all([
      start(requestFor(stubborn, 500)).ended,
      start(requestFor('sleep 300', 60_000, 500)).ended,
    ]);
    expect(slow).toMatchObject({ type: 'failed', tail: expect.stringContaining('longer than 500 ms') });
    expect(silent).toMatchObject({ type: 'failed', tail: expect.stringContaining('silent for 500 ms') });
    expect(findChecks({ home, run: 'run-1' })).toEqual([]);
  });

  test('says nothing about the work when somebody else ended it, and something when it died of itself', async () => {
    const { start } = givenPlace();
    const [outside, own] = await Promise.all([
      start(requestFor('kill -9 $$')).ended,
      start(requestFor('kill -11 $$')).ended,
    ]);
    expect(outside).toMatchObject({ type: 'error', failure: { code: 'check-killed', signal: 'SIGKILL' } });
    expect(own).toMatchObject({ type: 'failed', tail: expect.stringContaining('SIGSEGV') });
  });

  test('leaves nothing behind that it started', async () => {
    const { home, start } = givenPlace();
    expect(await start(requestFor('sleep 300 & exit 0')).ended).toEqual({ type: 'passed' });
    expect(findChecks({ home, run: 'run-1' })).toEqual([]);
  });

  test('that is stopped says so once nothing of it is left', async () => {
    const { home, tree, start, destroyed } = givenPlace();
    const check: Check = start(requestFor("trap '' TERM; touch began; sleep 300 & wait; sleep 300"));
    await until(() => existsSync(join(tree, 'began')));
    check.stop();
    expect(await check.ended).toEqual({ type: 'stopped' });
    expect(findChecks({ home, run: 'run-1' })).toEqual([]);
    expect(destroyed).toHaveLength(1);
  });

  test('that is stopped before it began never begins', async () => {
    const { tree, start } = givenPlace();
    const check = start(requestFor('touch began'));
    check.stop();
    expect(await check.ended).toEqual({ type: 'stopped' });
    expect(existsSync(join(tree, 'began'))).toBe(false);
  });

  test('that cannot be made is an error and no verdict', async () => {
    const { home, tree, start } = givenPlace();
    const noTree = checksIn({
      run: 'run-1',
      home,
      environment: {},
      candidates: async () => ({ type: 'failed', failure: { code: 'no-ports' } }),
    });
    expect(await noTree(requestFor('true')).ended).toEqual({ type: 'error', failure: { code: 'no-ports' } });
    rmSync(tree, { recursive: true });
    expect(await start(requestFor('true')).ended).toMatchObject({ type: 'error' });
  });

  test('goes on counting its files after a restart', async () => {
    const { home, start } = givenPlace();
    await start(requestFor('true')).ended;
    const again = checksIn({
      run: 'run-1',
      home,
      environment: {},
      candidates: async ({ name }) => ({ type: 'failed', failure: { code: 'template-removed', name } }),
    });
    expect(await again(requestFor('true')).ended).toEqual({
      type: 'error',
      failure: { code: 'template-removed', name: 'run-1.2' },
    });
  });
});

test('checks that a killed coordinator left at work are ended, and nobody else', async () => {
  const { home } = givenPlace();
  const mine = spawn('sleep', ['300'], {
    env: { ...process.env, ...tagsOfCheck({ home, run: 'run-1' }, 1) },
    stdio: 'ignore',
  });
  const other = spawn('sleep', ['300'], {
    env: { ...process.env, ...tagsOfCheck({ home, run: 'run-2' }, 1) },
    stdio: 'ignore',
  });
  onTestFinished(() => void other.kill('SIGKILL'));
  await until(() => findChecks({ home, run: 'run-1' }).length === 1 && findChecks({ home, run: 'run-2' }).length === 1);
  await endOrphans({ home, run: 'run-1' });
  await until(() => mine.signalCode !== null);
  expect(findChecks({ home, run: 'run-1' })).toEqual([]);
  expect(findChecks({ home, run: 'run-2' })).toHaveLength(1);
});

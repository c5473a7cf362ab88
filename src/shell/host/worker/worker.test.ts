import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import { carriedOut, outcomeIn, outputIn, testInWorld } from './worker.given.ts';
import { until } from '../host.given.ts';

describe('a command', { concurrent: true }, () => {
  testInWorld('that exits with 0 is finished, with what it printed', async ({ world }) => {
    const { outcome, assign } = await carriedOut(world, {
      command: 'echo hello; echo aside >&2',
      environment: { A: 'b' },
    });
    expect(outcome).toEqual({
      type: 'finished',
      work: 'step',
      task: 't',
      step: 's',
      attempt: 1,
      spend: { usd: 0, tokens: 0 },
      result: { ok: true, response: 'hello', exitCode: 0 },
    });
    expect(outcomeIn(assign.folder)).toEqual(outcome);
    expect(outputIn(assign.folder, 'output.log').toString().split('\n').toSorted()).toEqual(['', 'aside', 'hello']);
  });

  testInWorld('that exits otherwise is finished and not ok', async ({ world }) => {
    const { outcome } = await carriedOut(world, { command: 'echo no; exit 7' });
    expect(outcome).toMatchObject({
      type: 'finished',
      work: 'step',
      result: { ok: false, response: 'no', exitCode: 7 },
    });
  });

  testInWorld('sees the environment that it was given and nothing of ours', async ({ world }) => {
    const { outcome } = await carriedOut(world, {
      // Node itself hands this one on to whatever it starts while coverage is counted.
      command: 'echo $A; env | grep -v NODE_V8_COVERAGE | grep -c NODE',
      environment: { A: 'b c' },
    });
    expect(outcome).toMatchObject({ result: { response: 'b c\n0' } });
  });

  testInWorld('can open its streams by name', async ({ world }) => {
    const { outcome, assign } = await carriedOut(world, {
      command: 'echo one > /dev/stdout; echo two | tee /dev/stderr',
    });
    expect(outcome).toMatchObject({ result: { ok: true, response: 'one\ntwo' } });
    expect(outputIn(assign.folder).toString().match(/two/g)).toHaveLength(2);
  });

  testInWorld('that fails tells the end of its stderr, and one that goes well does not', async ({ world }) => {
    const { outcome } = await carriedOut(world, { command: 'echo out; echo why >&2; exit 3' });
    expect(outcome).toMatchObject({ result: { ok: false, response: 'out', stderr: 'why', exitCode: 3 } });
    const { outcome: well } = await carriedOut(world, { command: 'echo out; echo noise >&2' });
    expect(well).not.toHaveProperty('result.stderr');
  });

  testInWorld('that a signal ends which nobody here sent has crashed', async ({ world }) => {
    const { outcome } = await carriedOut(world, { command: 'echo a; kill -9 $$' });
    expect(outcome).toMatchObject({
      type: 'failed',
      work: 'step',
      reason: 'crashed',
      isFinal: false,
      result: { response: 'a' },
    });
  });

  testInWorld('whose folder is not there is refused in a sentence', async ({ world }) => {
    const { outcome } = await carriedOut(world, { cwd: '/nowhere/at/all' });
    expect(outcome).toMatchObject({ type: 'failed', work: 'step', reason: 'refused', isFinal: true });
    expect(outcome).toMatchObject({ result: { response: expect.stringContaining('/nowhere/at/all, is not there') } });
  });

  testInWorld('whose values are longer than the system takes is refused in a sentence', async ({ world }) => {
    const { outcome } = await carriedOut(world, { environment: { A: 'a'.repeat(200_000) } });
    expect(outcome).toMatchObject({ reason: 'refused', result: { response: expect.stringContaining('too long') } });
  });

  testInWorld('is followed by the next one in the same process, with nothing of the first', async ({ world }) => {
    const { worker } = await carriedOut(world, { command: 'echo first' });
    for (const word of ['second', 'third']) {
      const next = world.assign({ command: `echo ${word}` });
      worker.give(next);
      expect(await worker.done(next)).toMatchObject({ result: { response: word } });
      expect(outputIn(next.folder).toString()).toBe(`${word}\n`);
    }
  });
});

describe('a declared output', { concurrent: true }, () => {
  const output = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };

  testInWorld('is read from what was printed', async ({ world }) => {
    const { outcome } = await carriedOut(world, { command: `echo '{"n": 3}'`, output });
    expect(outcome).toMatchObject({ type: 'finished', work: 'step', result: { ok: true, output: { n: 3 } } });
  });

  testInWorld('that does not fit, is no JSON or is missing fails the step and says why', async ({ world }) => {
    for (const [printed, why] of [
      [`'{"n": "x"}'`, '/n must be number'],
      ['{', 'not JSON'],
      ['hello; echo there', 'hello there'],
      ['', 'nothing was printed'],
    ] as const) {
      const { outcome } = await carriedOut(world, { command: `echo ${printed}`, output });
      expect(outcome).toMatchObject({ type: 'failed', work: 'step', reason: 'failed', isFinal: false });
      expect(outcome).toMatchObject({ result: { ok: false, response: expect.stringContaining(why) } });
    }
  });

  testInWorld('that is too large is not read', async ({ world }) => {
    const { outcome } = await carriedOut(world, { command: `head -c 1100000 /dev/zero | tr '\\0' 1`, output });
    expect(outcome).toMatchObject({ reason: 'failed', result: { response: expect.stringContaining('1 MiB') } });
  });
});

describe('a check', { concurrent: true }, () => {
  testInWorld('passes or not, with the end of what it printed on both streams', async ({ world }) => {
    const { outcome } = await carriedOut(world, { check: true, command: 'seq 1 5000; echo bad >&2; exit 1' });
    const result = { ok: false, response: expect.stringContaining('bad'), exitCode: 1 };
    expect(outcome).toMatchObject({ type: 'finished', work: 'check', result });
    expect(outcome.type === 'finished' && outcome.result.response).toHaveLength(4000);
    const passed = (await carriedOut(world, { check: true })).outcome;
    expect(passed).toMatchObject({ type: 'finished', work: 'check', result: { ok: true } });
  });

  testInWorld('that takes too long has not passed, and its tail says so', async ({ world }) => {
    const { outcome } = await carriedOut(world, { check: true, command: 'sleep 300', timeoutMs: 200 });
    const result = { ok: false, response: expect.stringContaining('longer than') };
    expect(outcome).toMatchObject({ type: 'failed', work: 'check', reason: 'timeout', result });
  });

  testInWorld('that was killed by another has crashed', async ({ world }) => {
    const { outcome } = await carriedOut(world, { check: true, command: 'kill -9 $$' });
    expect(outcome).toMatchObject({ type: 'failed', work: 'check', reason: 'crashed', isFinal: false });
  });

  testInWorld('that was asked to stop has stopped', async ({ world }) => {
    const worker = world.worker();
    const assign = world.assign({ check: true, command: 'sleep 300' });
    worker.give(assign);
    await until('the check', () => world.living().length > 0);
    worker.stop(assign.assignment.claim, 5000);
    expect(await worker.done(assign)).toMatchObject({ type: 'stopped', work: 'check', task: 't', attempt: 1 });
  });
});

describe('a limit', { concurrent: true }, () => {
  testInWorld('of time ends a step that goes on talking', async ({ world }) => {
    const { outcome } = await carriedOut(world, { command: 'while :; do echo x; sleep 0.05; done', timeoutMs: 500 });
    expect(outcome).toMatchObject({ type: 'failed', work: 'step', reason: 'timeout', isFinal: false });
    expect(world.living()).toEqual([]);
  });

  testInWorld('of silence ends a step that says nothing, and not one that speaks', async ({ world }) => {
    const { outcome } = await carriedOut(world, { command: 'echo begun; sleep 300', idleTimeoutMs: 500 });
    expect(outcome).toMatchObject({ type: 'failed', work: 'step', reason: 'idle', result: { response: 'begun' } });
    const speaks = await carriedOut(world, {
      command: 'for i in 1 2 3 4 5 6 7 8 9 10; do echo $i; sleep 0.3; done',
      idleTimeoutMs: 2500,
    });
    expect(speaks.outcome).toMatchObject({ type: 'finished', work: 'step', result: { ok: true } });
  });

  testInWorld('longer than a timer can wait does not end a step at once', async ({ world }) => {
    const days = 100 * 24 * 3600 * 1000;
    const { outcome } = await carriedOut(world, { command: 'sleep 0.2', timeoutMs: days, idleTimeoutMs: days });
    expect(outcome).toMatchObject({ type: 'finished', work: 'step', result: { ok: true } });
  });

  testInWorld('of silence does not count the time in which the worker itself was stopped', async ({ world }) => {
    const worker = world.worker();
    const go = join(world.home, 'go');
    const assign = world.assign({
      command: `while [ ! -e ${go} ]; do sleep 0.05; done; echo end`,
      idleTimeoutMs: 3000,
    });
    worker.give(assign);
    await until('the step', () => world.living().length > 0);
    worker.child.kill('SIGSTOP');
    // The one thing to wait for here is time itself: that the silence would have been too long.
    await setTimeout(5000);
    worker.child.kill('SIGCONT');
    writeFileSync(go, '');
    expect(await worker.done(assign)).toMatchObject({ type: 'finished', work: 'step', result: { response: 'end' } });
  });
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeWorld, outcomeIn, outputIn, until, type Given, type World } from './worker.given.ts';

let world: World;
beforeEach(() => {
  world = makeWorld();
});
afterEach(() => world.close());

const outcomeOf = async (given: Given) => {
  const worker = world.worker();
  const assign = world.assign(given);
  worker.give(assign);
  const outcome = await worker.done(assign);
  return { outcome, worker, assign };
};

describe('a command', () => {
  test('that exits with 0 is finished, with what it printed', async () => {
    const { outcome, assign } = await outcomeOf({ command: 'echo hello; echo aside >&2', environment: { A: 'b' } });
    expect(outcome).toEqual({
      type: 'step.finished',
      task: 't',
      step: 's',
      attempt: 1,
      spend: { usd: 0, tokens: 0 },
      result: { ok: true, response: 'hello', exitCode: 0 },
    });
    expect(outcomeIn(assign.folder)).toEqual(outcome);
    expect(outputIn(assign.folder, 'output.log').toString().split('\n').toSorted()).toEqual(['', 'aside', 'hello']);
  });

  test('that exits otherwise is finished and not ok', async () => {
    const { outcome } = await outcomeOf({ command: 'echo no; exit 7' });
    expect(outcome).toMatchObject({ type: 'step.finished', result: { ok: false, response: 'no', exitCode: 7 } });
  });

  test('sees the environment that it was given and nothing of ours', async () => {
    const { outcome } = await outcomeOf({ command: 'echo $A; env | grep -c NODE', environment: { A: 'b c' } });
    expect(outcome).toMatchObject({ result: { response: 'b c\n0' } });
  });

  test('can open its streams by name', async () => {
    const { outcome, assign } = await outcomeOf({ command: 'echo one > /dev/stdout; echo two | tee /dev/stderr' });
    expect(outcome).toMatchObject({ result: { ok: true, response: 'one\ntwo' } });
    expect(outputIn(assign.folder).toString().match(/two/g)).toHaveLength(2);
  });

  test('that a signal ends which nobody here sent has crashed', async () => {
    const { outcome } = await outcomeOf({ command: 'echo a; kill -9 $$' });
    expect(outcome).toMatchObject({
      type: 'step.failed',
      reason: 'crashed',
      isFinal: false,
      result: { response: 'a' },
    });
  });

  test('whose folder is not there is refused in a sentence', async () => {
    const { outcome } = await outcomeOf({ cwd: '/nowhere/at/all' });
    expect(outcome).toMatchObject({ type: 'step.failed', reason: 'refused', isFinal: true });
    expect(outcome).toMatchObject({ result: { response: expect.stringContaining('/nowhere/at/all, is not there') } });
  });

  test('whose values are longer than the system takes is refused in a sentence', async () => {
    const { outcome } = await outcomeOf({ environment: { A: 'a'.repeat(200_000) } });
    expect(outcome).toMatchObject({ reason: 'refused', result: { response: expect.stringContaining('too long') } });
  });

  test('is followed by the next one in the same process, with nothing of the first', async () => {
    const { worker } = await outcomeOf({ command: 'echo first' });
    for (const word of ['second', 'third']) {
      const next = world.assign({ command: `echo ${word}` });
      worker.give(next);
      expect(await worker.done(next)).toMatchObject({ result: { response: word } });
      expect(outputIn(next.folder).toString()).toBe(`${word}\n`);
    }
  });
});

describe('a declared output', () => {
  const output = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };

  test('is read from what was printed', async () => {
    const { outcome } = await outcomeOf({ command: `echo '{"n": 3}'`, output });
    expect(outcome).toMatchObject({ type: 'step.finished', result: { ok: true, output: { n: 3 } } });
  });

  test('that does not fit, is no JSON or is missing fails the step and says why', async () => {
    for (const [printed, why] of [
      [`'{"n": "x"}'`, '/n must be number'],
      ['{', 'not JSON'],
      ['', 'nothing was printed'],
    ] as const) {
      const { outcome } = await outcomeOf({ command: `echo ${printed}`, output });
      expect(outcome).toMatchObject({ type: 'step.failed', reason: 'failed', isFinal: false });
      expect(outcome).toMatchObject({ result: { ok: false, response: expect.stringContaining(why) } });
    }
  });

  test('that is too large is not read', async () => {
    const { outcome } = await outcomeOf({ command: `head -c 1100000 /dev/zero | tr '\\0' 1`, output });
    expect(outcome).toMatchObject({ reason: 'failed', result: { response: expect.stringContaining('1 MiB') } });
  });
});

describe('a check', () => {
  test('passes or not, with the end of what it printed on both streams', async () => {
    const { outcome } = await outcomeOf({ check: true, command: 'seq 1 5000; echo bad >&2; exit 1' });
    expect(outcome).toMatchObject({ type: 'check.finished', ok: false, tail: expect.stringContaining('bad') });
    expect('tail' in outcome && outcome.tail).toHaveLength(4000);
    expect((await outcomeOf({ check: true })).outcome).toMatchObject({ type: 'check.finished', ok: true });
  });

  test('that takes too long has not passed, and its tail says so', async () => {
    const { outcome } = await outcomeOf({ check: true, command: 'sleep 300', timeoutMs: 200 });
    expect(outcome).toMatchObject({ type: 'check.finished', ok: false, tail: expect.stringContaining('longer than') });
  });

  test('that was killed by another is lost', async () => {
    const { outcome } = await outcomeOf({ check: true, command: 'kill -9 $$' });
    expect(outcome).toEqual({ type: 'check.lost', task: 't', attempt: 1 });
  });

  test('that was asked to stop has stopped', async () => {
    const worker = world.worker();
    const assign = world.assign({ check: true, command: 'sleep 300' });
    worker.give(assign);
    await until('the check', () => world.living().length > 0);
    worker.stop(assign.assignment.claim, 5000);
    expect(await worker.done(assign)).toEqual({ type: 'check.stopped', task: 't', attempt: 1 });
  });
});

describe('a limit', () => {
  test('of time ends a step that goes on talking', async () => {
    const { outcome } = await outcomeOf({ command: 'while :; do echo x; sleep 0.05; done', timeoutMs: 500 });
    expect(outcome).toMatchObject({ type: 'step.failed', reason: 'timeout', isFinal: false });
    expect(world.living()).toEqual([]);
  });

  test('of silence ends a step that says nothing, and not one that speaks', async () => {
    const { outcome } = await outcomeOf({ command: 'echo begun; sleep 300', idleTimeoutMs: 500 });
    expect(outcome).toMatchObject({ type: 'step.failed', reason: 'idle', result: { response: 'begun' } });
    const speaks = await outcomeOf({
      command: 'for i in 1 2 3 4 5 6 7 8 9 10; do echo $i; sleep 0.3; done',
      idleTimeoutMs: 2500,
    });
    expect(speaks.outcome).toMatchObject({ type: 'step.finished', result: { ok: true } });
  });

  test('longer than a timer can wait does not end a step at once', async () => {
    const days = 100 * 24 * 3600 * 1000;
    const { outcome } = await outcomeOf({ command: 'sleep 0.2', timeoutMs: days, idleTimeoutMs: days });
    expect(outcome).toMatchObject({ type: 'step.finished', result: { ok: true } });
  });

  test('of silence does not count the time in which the worker itself was stopped', async () => {
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
    expect(await worker.done(assign)).toMatchObject({ type: 'step.finished', result: { response: 'end' } });
  });
});

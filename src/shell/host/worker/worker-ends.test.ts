// How the processes of a step end, and how the worker's own process does.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { seeAttempt } from '../attempt-folder.given.ts';
import { mounts, skipUnless } from '../../../../test/needs.given.ts';
import { isAlive } from '../../exec/process.ts';
import { runningWorker, carriedOut, endNow, outcomeIn, outputIn, testInWorld } from './worker.given.ts';
import { elapsedMs } from '../../exec/elapsed.ts';
import { until } from '../host.given.ts';
import { writeLeases } from '../lease-file.ts';

/** Neither it nor a child of its heeds a polite word. */
const DEAF = `trap '' TERM; echo begun; while :; do sleep 0.1; done`;

describe('a stop', { concurrent: true }, () => {
  testInWorld('asks first, and a step may clear up', async ({ world }) => {
    const { worker, assign, claim } = await runningWorker(world, {
      command: `trap 'echo cleared; exit 0' TERM; echo begun; while :; do sleep 0.05; done`,
    });
    worker.stop(claim, 20_000);
    expect(await worker.done(assign)).toEqual({
      type: 'stopped',
      work: 'step',
      task: 't',
      step: 's',
      attempt: 1,
      spend: { usd: 0, tokens: 0 },
    });
    expect(outputIn(assign.folder).toString()).toContain('cleared');
  });

  testInWorld('kills what ignored it when the grace is over', async ({ world }) => {
    const { worker, assign, claim } = await runningWorker(world, { command: DEAF });
    worker.stop(claim, 300);
    expect(await worker.done(assign)).toMatchObject({ type: 'stopped', work: 'step' });
    expect(world.living()).toEqual([]);
  });

  testInWorld('without grace kills at once, also when one with much grace came before it', async ({ world }) => {
    const { worker, assign, claim } = await runningWorker(world, { command: DEAF });
    worker.stop(claim, 600_000);
    worker.stop(claim, 0);
    expect(await worker.done(assign)).toMatchObject({ type: 'stopped', work: 'step' });
    expect(world.living()).toEqual([]);
  });

  testInWorld('reaches a step that somebody has halted', async ({ world }) => {
    const { worker, assign, claim } = await runningWorker(world, { command: 'echo begun; kill -STOP $$; sleep 300' });
    worker.stop(claim, 600_000);
    expect(await worker.done(assign)).toMatchObject({ type: 'stopped', work: 'step' });
  });

  testInWorld('of another claim means nothing to a worker', async ({ world }) => {
    const { worker, assign, claim } = await runningWorker(world, { command: 'echo begun; sleep 0.3; echo end' });
    worker.stop({ ...claim, attempt: 99 }, 0);
    expect(await worker.done(assign)).toMatchObject({ type: 'finished', work: 'step' });
    worker.stop(claim, 0);
    const next = world.assign({ command: 'echo next' });
    worker.give(next);
    expect(await worker.done(next)).toMatchObject({ result: { response: 'next' } });
  });
});

describe('processes of a step', { concurrent: true }, () => {
  testInWorld('that it left in its group are ended before it is done', async ({ world }) => {
    const { outcome } = await carriedOut(world, { command: 'sleep 300 & sleep 300 & echo left' });
    expect(outcome).toMatchObject({ type: 'finished', work: 'step', result: { ok: true, response: 'left' } });
    expect(world.living()).toEqual([]);
  });

  testInWorld('that it left in its group and that ignore it are killed', async ({ world }) => {
    const { outcome } = await carriedOut(world, {
      command: `(trap '' TERM; echo deaf; while :; do sleep 0.1; done) & while ! grep -q deaf output.log; do sleep 0.05; done; exit 3`,
    });
    expect(outcome).toMatchObject({ type: 'finished', work: 'step', result: { ok: false, exitCode: 3 } });
    expect(world.living()).toEqual([]);
  });

  testInWorld('that left the group and hold its pipes open do not hold it up', async ({ world }) => {
    const { outcome } = await carriedOut(world, {
      command: `setsid sh -c ': > away; while :; do echo noise; sleep 0.05; done' & while [ ! -e away ]; do sleep 0.02; done`,
    });
    expect(outcome).toMatchObject({ type: 'finished', work: 'step', result: { ok: true } });
  });

  testInWorld('that left the group do not print into the files of the next step', async ({ world }) => {
    // It keeps quiet until the next step is at work, since printing to nobody would end it.
    const command = `setsid sh -c 'echo $$ > away; while [ ! -e ../next ]; do sleep 0.02; done; echo noise' &
      while [ ! -s away ]; do sleep 0.02; done`;
    const { worker, folder } = await carriedOut(world, { command });
    const next = world.assign({
      command: `: > ../next; while kill -0 $(cat ${folder}/away) 2>&-; do sleep 0.02; done; echo quiet`,
    });
    worker.give(next);
    expect(await worker.done(next)).toMatchObject({ result: { response: 'quiet' } });
    expect(outputIn(next.folder).toString()).toBe('quiet\n');
  });

  testInWorld('that close their pipes are waited for all the same', async ({ world }) => {
    const { outcome, assign } = await carriedOut(world, { command: 'exec >&- 2>&-; sleep 0.5; : > late' });
    expect(outcome).toMatchObject({ type: 'finished', work: 'step', result: { ok: true, response: '' } });
    expect(existsSync(join(assign.folder, 'late'))).toBe(true);
  });

  testInWorld('that are dead, and whose parent never asks, count as gone', async ({ world }) => {
    // The parent leaves the group, so it is not ended with it, and its dead child stays in the group.
    const parent = `sleep 0 & exec setsid sh -c ": > away; exec sleep 300"`;
    const { outcome, folder } = await carriedOut(world, {
      command: `sh -c '${parent}' & while [ ! -e away ]; do sleep 0.02; done; echo over`,
    });
    expect(outcome).toMatchObject({ type: 'finished', work: 'step', result: { ok: true } });
    expect(outputIn(folder).toString()).toBe('over\n');
  });

  testInWorld('are ended when another kills the one that leads them', async ({ world }) => {
    const { worker, assign } = await runningWorker(world, {
      command: 'echo $$ > leader; sleep 300 & echo begun; wait',
    });
    endNow(Number(readFileSync(join(assign.folder, 'leader'), 'utf8')));
    expect(await worker.done(assign)).toMatchObject({ type: 'failed', work: 'step', reason: 'crashed' });
    expect(world.living()).toEqual([]);
  });
});

describe('the worker itself', { concurrent: true }, () => {
  testInWorld('goes on to the end when its host is gone, and exits with the outcome in place', async ({ world }) => {
    const { worker, assign } = await runningWorker(world, { command: 'echo begun; sleep 0.5; echo end' });
    worker.child.disconnect();
    expect(await worker.exited()).toEqual({ code: 0, signal: null });
    expect(outcomeIn(assign.folder)).toMatchObject({
      type: 'finished',
      work: 'step',
      result: { response: 'begun\nend' },
    });
  });

  testInWorld('exits at once when its host is gone and it has nothing to do', async ({ world }) => {
    const { worker } = await carriedOut(world, {});
    worker.child.disconnect();
    expect(await worker.exited()).toEqual({ code: 0, signal: null });
  });

  testInWorld('stops its step and goes when it is told to end', async ({ world }) => {
    const { worker, assign } = await runningWorker(world, { command: 'echo begun; sleep 300' });
    worker.child.kill('SIGTERM');
    expect(await worker.exited()).toEqual({ code: 0, signal: null });
    expect(outcomeIn(assign.folder)).toMatchObject({ type: 'stopped', work: 'step' });
    expect(world.living()).toEqual([]);
  });

  testInWorld('leaves no step behind when it fails by a bug of its own', async ({ world }) => {
    const { worker } = await runningWorker(world, { command: DEAF });
    worker.child.send({ type: 'stop', claim: null });
    expect((await worker.exited()).code).toBe(1);
    await until('the end of the step', () => world.living().length === 0);
    expect(readFileSync(join(world.home, 'troubles'), 'utf8')).toContain('TypeError');
  });

  testInWorld('is not ended by what ends a terminal', async ({ world }) => {
    const { worker, assign } = await runningWorker(world, { command: 'echo begun; sleep 0.5; echo end' });
    worker.child.kill('SIGINT');
    worker.child.kill('SIGHUP');
    expect(await worker.done(assign)).toMatchObject({ type: 'finished', work: 'step' });
  });

  testInWorld('refuses a claim that another has, and is free for the next', async ({ world }) => {
    const [one, other] = [world.worker(), world.worker()];
    const assign = world.assign({ command: 'echo x >> ../times; sleep 0.2' });
    one.give(assign);
    other.give(assign);
    await until('both answers', () => one.heard.length > 0 && other.heard.length > 0);
    expect(new Set([one.heard[0]?.type, other.heard[0]?.type])).toEqual(new Set(['done', 'refused']));
    expect(readFileSync(join(world.home, 'times'), 'utf8')).toBe('x\n');
    const next = world.assign({});
    const free = one.heard[0]?.type === 'refused' ? one : other;
    free.give(next);
    expect(await free.done(next)).toMatchObject({ type: 'finished', work: 'step' });
  });

  testInWorld('says who it is, and writes heartbeats', async ({ world }) => {
    const { worker, assign } = await runningWorker(world, { command: 'echo begun; sleep 300' });
    const note = seeAttempt(assign.folder)?.worker;
    expect(note).toMatchObject({ pid: worker.child.pid, claim: assign.assignment.claim });
    expect(note !== undefined && isAlive(note)).toBe(true);
    const heartbeat = join(assign.folder, 'heartbeat');
    const first = await until('the first heartbeat', () => statSync(heartbeat, { throwIfNoEntry: false })?.mtimeMs);
    await until('the second heartbeat', () => statSync(heartbeat).mtimeMs > first);
    worker.stop(assign.assignment.claim, 0);
    await worker.done(assign);
  });

  testInWorld('makes an outcome known although its folder was removed', async ({ world }) => {
    const { worker, assign } = await runningWorker(world, { command: 'echo begun; sleep 0.5', cwd: world.home });
    rmSync(assign.folder, { recursive: true });
    expect(await worker.done(assign)).toMatchObject({ type: 'finished', work: 'step' });
    expect(outcomeIn(assign.folder)).toMatchObject({ type: 'finished', work: 'step' });
  });
});

describe('what is left of an attempt', { concurrent: true }, () => {
  testInWorld('is the attempt file and nothing else when nothing was printed', async ({ world }) => {
    const given = world.assign({ cwd: world.home });
    const assign = { ...given, folder: join(world.home, 'runs', 'quiet-1') };
    const worker = world.worker();
    worker.give(assign);
    const outcome = await worker.done(assign);
    expect(outcome).toMatchObject({ type: 'finished', work: 'step' });
    expect(readdirSync(assign.folder)).toEqual(['attempt.json']);
    expect(seeAttempt(assign.folder)).toMatchObject({ worker: { pid: worker.child.pid }, outcome });
  });

  testInWorld('is whole although its step put a pipe in the place of the attempt file', async ({ world }) => {
    const assign = world.assign({ command: 'rm attempt.json; mkfifo attempt.json' });
    const worker = world.worker();
    worker.give(assign);
    const outcome = await worker.done(assign);
    expect(outcome).toMatchObject({ type: 'finished', work: 'step' });
    expect(seeAttempt(assign.folder)).toMatchObject({ worker: { pid: worker.child.pid }, outcome });
  });
});

describe('a full disk', { concurrent: true }, () => {
  skipUnless(mounts());

  testInWorld('neither ends a step nor loses its outcome, which is there once there is room', async ({ world }) => {
    const tiny = world.mountTiny();
    const folder = join(tiny, 'attempt-1');
    mkdirSync(folder);
    const command = `head -c 600000 /dev/zero | tr '\\0' x; : > ended`;
    const assign = { ...world.assign({ command }), folder };
    const worker = world.worker();
    worker.give(assign);
    await until('a try to write the outcome', () =>
      readdirSync(folder).some((name) => name.startsWith('attempt.json.')),
    );
    expect(existsSync(join(assign.cwd, 'ended'))).toBe(true);
    expect(outcomeIn(folder)).toBeUndefined();
    expect(worker.heard).toEqual([]);
    rmSync(join(folder, 'output.log'));
    expect(await worker.done(assign)).toMatchObject({ type: 'finished', work: 'step', result: { ok: true } });
    expect(outcomeIn(folder)).toMatchObject({ type: 'finished', work: 'step' });
  });

  testInWorld('is said where the output would be, once there is room again', async ({ world }) => {
    const tiny = world.mountTiny();
    const folder = join(tiny, 'attempt-1');
    mkdirSync(folder);
    const command = `head -c 100000 /dev/zero | tr '\\0' x; while [ ! -e room ]; do sleep 0.05; done; echo more`;
    const assign = { ...world.assign({ command }), folder };
    const worker = world.worker();
    writeFileSync(join(tiny, 'filler'), 'x'.repeat(200_000));
    worker.give(assign);
    const output = join(folder, 'output.log');
    await until('a full disk', () => existsSync(output) && statfsSync(tiny).bavail === 0);
    rmSync(join(tiny, 'filler'));
    writeFileSync(join(assign.cwd, 'room'), '');
    await worker.done(assign);
    expect(outputIn(folder).toString()).toMatch(/bytes of output could not be written here: ENOSPC.*\]\nx*more\n$/);
  });
});

describe('a lease that nobody renews', { concurrent: true }, () => {
  const leased = (home: string): { readonly lease: { file: string; instance: string; leaseMs: number } } => {
    const file = join(home, 'leases.json');
    writeLeases(file, { instance: 'one', heardAt: new Map([['given-1', elapsedMs()]]) });
    return { lease: { file, instance: 'one', leaseMs: 10_000 } };
  };

  testInWorld('ends a step with all of its processes, though no host is there to ask for it', async ({ world }) => {
    const command = `setsid sh -c "${DEAF}" & ${DEAF}`;
    const { worker, assign } = await runningWorker(world, { command, graceMs: 200, ...leased(world.home) });
    worker.child.disconnect();
    await worker.exited();
    expect(world.living()).toEqual([]);
    expect(outcomeIn(assign.folder)).toMatchObject({ type: 'stopped', by: 'lease' });
  });

  testInWorld('leaves a turn with its conversation and its files, to go on with', async ({ world }) => {
    const prompt = '@use touch a.txt\n@hang';
    const { outcome } = await carriedOut(world, { prompt, graceMs: 200, ...leased(world.home) });
    expect(outcome).toMatchObject({ type: 'stopped', by: 'lease', hasWorked: true });
    expect(outcome.conversation).toBeDefined();
  });
});

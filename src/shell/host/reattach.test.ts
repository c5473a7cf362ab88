import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Assignment, ClaimRef } from '../../core/protocol/assignment.ts';
import { ATTEMPT_FILES, attemptFile, inFolder } from './attempt-folder.ts';
import { seeAttempt } from './attempt-folder.given.ts';
import type { Process } from '../ports/log.ts';
import { startTimeOf } from '../exec/process.ts';
import type { HostOptions } from './host.ts';
import {
  assignment,
  drive,
  end,
  givenPlace,
  HOOK_MS,
  isPidThere,
  makeRoot,
  skippingClock,
  stepRef,
  until,
  waitingFor,
  type Driven,
  type HostPlace,
} from './host.given.ts';

let root: string;
let place: HostPlace;
let hosts: Driven[] = [];
let coordinators: ChildProcess[] = [];
const given = (options: Partial<HostOptions> = {}): Driven => {
  const one = drive(place, options);
  hosts.push(one);
  return one;
};

beforeEach(() => {
  root = makeRoot();
  place = givenPlace(root);
});
afterEach(async () => {
  for (const coordinator of coordinators) coordinator.kill('SIGKILL');
  coordinators = [];
  const toClose = hosts;
  hosts = [];
  await end(place, toClose);
}, HOOK_MS);

/** A coordinator in another process that begins these, and how to kill it. */
function otherCoordinator(...assignments: readonly Assignment[]): () => Promise<void> {
  const program = join(import.meta.dirname, 'coordinator.given.ts');
  const child = spawn(process.execPath, [program, root, JSON.stringify(assignments)], { stdio: 'inherit' });
  coordinators.push(child);
  return async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
}

const fileOf = (claim: ClaimRef, name: string): string => join(place.folderOf(claim), name);
const outcomeIsThere = (claim: ClaimRef): boolean => seeAttempt(place.folderOf(claim))?.outcome !== undefined;

describe('after a coordinator died', () => {
  test('the next host reads the finished, keeps the living, declares the dead lost, and knows nothing of the rest', async () => {
    const kill = otherCoordinator(
      assignment(stepRef('finished'), 'echo finished >> ran; echo early'),
      assignment(stepRef('living'), `echo living >> ran; ${waitingFor('go')}`),
      assignment(stepRef('dead'), `echo dead >> ran; ${waitingFor('never')}`),
    );
    const pids = [await place.pidIn('go.pid'), await place.pidIn('never.pid')];
    await until('one has finished', () => outcomeIsThere(stepRef('finished')));
    await kill();
    const worker = await place.workerOf(stepRef('dead'));
    process.kill(worker, 'SIGKILL');
    await until('the worker is dead', () => !isPidThere(worker));

    const { host, outcome, outcomes, heldKeys } = given();
    host.recover(['finished', 'living', 'dead', 'unborn'].map((task) => stepRef(task)));
    expect(await outcome(stepRef('finished'))).toMatchObject({ result: { ok: true, response: 'early' } });
    expect(await outcome(stepRef('dead'))).toMatchObject({ type: 'lost', work: 'step', spend: { usd: undefined } });
    expect(pids.map(isPidThere)).toEqual([true, false]);
    await until('only the living is held', () => heldKeys().join() === 'living/main#1');
    writeFileSync(place.file('go'), '');
    expect(await outcome(stepRef('living'))).toMatchObject({
      type: 'finished',
      work: 'step',
      result: { response: 'living' },
    });
    expect(outcomes()).toEqual(['dead/main#1 lost', 'finished/main#1 finished', 'living/main#1 finished']);
    expect(readFileSync(place.file('ran'), 'utf8').trim().split('\n').sort()).toEqual(['dead', 'finished', 'living']);
  });

  test('what finished without anybody there is read by the next host', async () => {
    const kill = otherCoordinator(assignment(stepRef('a'), waitingFor('go')));
    await place.pidIn('go.pid');
    const worker = await place.workerOf(stepRef('a'));
    await kill();
    writeFileSync(place.file('go'), '');
    await until('the worker has gone', () => !isPidThere(worker));
    const { host, outcome } = given();
    host.recover([stepRef('a')]);
    expect(await outcome(stepRef('a'))).toMatchObject({ type: 'finished', work: 'step', result: { response: 'a' } });
  });

  test('a claim that is offered again while its worker lives is reattached and not begun twice', async () => {
    const work = assignment(stepRef('a'), `echo once >> ran; ${waitingFor('go')}`);
    const kill = otherCoordinator(work);
    await place.pidIn('go.pid');
    await kill();
    const { host, offer, outcome } = given();
    offer(work);
    await until('it is reattached', () => host.claims().some(({ isReattached }) => isReattached));
    writeFileSync(place.file('go'), '');
    expect(await outcome(stepRef('a'))).toMatchObject({ type: 'finished', work: 'step', result: { ok: true } });
    expect(readFileSync(place.file('ran'), 'utf8')).toBe('once\n');
  });
});

describe('a reattached worker', () => {
  const reattached = async (command: string, options: Partial<HostOptions> = {}): Promise<Driven> => {
    const kill = otherCoordinator(assignment(stepRef('a'), command));
    await place.pidIn('go.pid');
    await kill();
    const one = given(options);
    one.host.recover([stepRef('a')]);
    expect(one.host.claims()).toMatchObject([{ claim: stepRef('a'), isReattached: true }]);
    return one;
  };

  test('that was dying with its coordinator is lost, which uses up no attempt', async () => {
    const { outcome } = await reattached(waitingFor('go'));
    process.kill(await place.workerOf(stepRef('a')), 'SIGKILL');
    expect(await outcome(stepRef('a'))).toMatchObject({ type: 'lost', work: 'step' });
  });

  test('that dies later has crashed, and nothing of its step is left', async () => {
    const clock = skippingClock();
    const { outcome } = await reattached(waitingFor('go'), { clock });
    const pid = await place.pidIn('go.pid');
    clock.skip(10_000);
    process.kill(await place.workerOf(stepRef('a')), 'SIGKILL');
    expect(await outcome(stepRef('a'))).toMatchObject({ type: 'failed', work: 'step', reason: 'crashed' });
    expect(isPidThere(pid)).toBe(false);
  });

  test('is asked to stop, and its step has its say', async () => {
    const { outcome, cancel } = await reattached(`trap 'echo bye > bye; exit 0' TERM; ${waitingFor('go')}`);
    cancel(stepRef('a'));
    expect(await outcome(stepRef('a'))).toMatchObject({ type: 'stopped', work: 'step' });
    expect(existsSync(place.file('bye'))).toBe(true);
  });

  test('that does not answer is ended by force together with its step', async () => {
    const { outcome, cancel } = await reattached(`trap '' TERM; ${waitingFor('go')}`, { graceMs: 50 });
    const pids = [await place.pidIn('go.pid'), await place.workerOf(stepRef('a'))];
    process.kill(await place.workerOf(stepRef('a')), 'SIGSTOP');
    cancel(stepRef('a'));
    expect(await outcome(stepRef('a'))).toMatchObject({ type: 'stopped', work: 'step' });
    expect(pids.filter(isPidThere)).toEqual([]);
  });

  test('is ended at once when everything is', async () => {
    const { outcome, host } = await reattached(waitingFor('go'), { graceMs: 100_000 });
    const pids = [await place.pidIn('go.pid'), await place.workerOf(stepRef('a'))];
    host.stopAll({ now: true });
    expect(await outcome(stepRef('a'))).toMatchObject({ type: 'stopped', work: 'step' });
    expect(pids.filter(isPidThere)).toEqual([]);
  });

  test('tells what it has spent through its folder', async () => {
    const { latest } = await reattached(waitingFor('go'));
    const live = JSON.stringify({ spend: { usd: 0.5 } });
    inFolder(fileOf(stepRef('a'), ATTEMPT_FILES.live), (file) => writeFileSync(file, live));
    await until('the cost is reported', () => latest().held[0]?.spend.usd === 0.5);
  });
});

describe('attempt files that cannot be trusted', () => {
  const leave = (claim: ClaimRef, text: string): void => {
    inFolder(attemptFile(place.folderOf(claim)), (file) => writeFileSync(file, text));
  };
  const leftBy = (claim: ClaimRef, worker: Process, outcome?: unknown): string =>
    JSON.stringify({ ...worker, claim, at: Date.now(), outcome });
  const dead: Process = { pid: 2 ** 22 + 1, startedAt: 'long ago' };

  test('a torn outcome and one of another claim count as none, and the output says so', async () => {
    const stopped = { type: 'stopped', ...stepRef('b'), spend: {} };
    leave(stepRef('a'), leftBy(stepRef('a'), dead, stopped).slice(0, -20));
    leave(stepRef('b', 2), leftBy(stepRef('b', 2), dead, stopped));
    const { host, outcome } = given();
    host.recover([stepRef('a'), stepRef('b', 2)]);
    for (const claim of [stepRef('a'), stepRef('b', 2)]) {
      expect(await outcome(claim)).toMatchObject({ type: 'lost', work: 'step' });
      expect(readFileSync(fileOf(claim, ATTEMPT_FILES.output), 'utf8')).toContain('taken to be missing');
    }
  });

  test('a process that only has the number of a dead worker is let be', async () => {
    const bystander = spawn('sleep', ['1000']);
    try {
      const pid = bystander.pid ?? 0;
      leave(stepRef('a'), leftBy(stepRef('a'), { pid, startedAt: 'another time' }));
      const { host, outcome } = given();
      host.recover([stepRef('a')]);
      expect(await outcome(stepRef('a'))).toMatchObject({ type: 'lost', work: 'step' });
      expect(startTimeOf(pid)).toBeDefined();
    } finally {
      bystander.kill('SIGKILL');
    }
  });

  test('an attempt file that was never completed is waited for a while and then given up', async () => {
    leave(stepRef('a'), '');
    const { host, outcome } = given();
    host.recover([stepRef('a')]);
    expect(host.claims()).toMatchObject([{ isReattached: true, pid: undefined }]);
    expect(await outcome(stepRef('a'))).toMatchObject({ type: 'lost', work: 'step' });
  });
});

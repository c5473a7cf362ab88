import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WORKER_TYPES, type ClaimRef } from '../../core/protocol/assignment.ts';
import { ATTEMPT_FILES, attemptFile } from './attempt-folder.ts';
import type { OpenMergeQueue } from '../ports/merge-request.ts';
import { MERGE } from './host-contract.given.ts';
import type { HostOptions } from './host.ts';
import {
  assignment,
  drive,
  end,
  givenPlace,
  HOOK_MS,
  isPidThere,
  skippingClock,
  stepRef,
  until,
  waitingFor,
  type Driven,
  type HostPlace,
} from './host.given.ts';

let place: HostPlace;
let driven: Driven[] = [];
const given = (options: Partial<HostOptions> = {}): Driven => {
  const one = drive(place, options);
  driven.push(one);
  return one;
};

beforeEach(() => {
  place = givenPlace();
});
afterEach(async () => {
  const toClose = driven;
  driven = [];
  await end(place, toClose);
}, HOOK_MS);

const check = (task: string): ClaimRef => ({ work: 'check', task, step: undefined, attempt: 1 });
const ranTimes = (file: string): number => readFileSync(place.file(file), 'utf8').trim().split('\n').length;

test('a host that stops ends its merges too, and those that still come', async () => {
  const wanted: (readonly string[])[] = [];
  const openMergeQueue: OpenMergeQueue = (report) => ({
    want: (requests) => {
      wanted.push(requests.map(({ task, isToStop }) => `${task}${isToStop ? ' to stop' : ''}`));
      const stopped = requests.filter(({ isToStop }) => isToStop);
      const spend = { usd: 0, tokens: 0 };
      const outcomes = stopped.map(({ work, task, step: of, attempt }) => ({ work, task, step: of, attempt, spend }));
      if (stopped.length > 0) setImmediate(() => report(outcomes.map((of) => ({ type: 'stopped', ...of }))));
    },
    close: async () => void wanted.push(['closed']),
  });
  const { host, offer, outcome, reply } = given({ openMergeQueue });
  const merge = (task: string): ClaimRef => ({ work: 'merge', task, step: undefined, attempt: 1 });
  offer(assignment(merge('a'), MERGE));
  await until('it is taken', () => wanted.length > 0);
  host.stopAll({ now: true });
  expect(await outcome(merge('a'))).toMatchObject({ type: 'stopped', work: 'merge' });
  reply({ start: [assignment(merge('b'), MERGE)] });
  expect(await outcome(merge('b'))).toMatchObject({ type: 'stopped', work: 'merge' });
  await host.close();
  expect(wanted.filter((tasks) => tasks.length > 0)).toEqual([['a'], ['a to stop'], ['b'], ['b to stop'], ['closed']]);
});

describe('claims', () => {
  test('overlap up to the most that the host may hold, and no further', async () => {
    const { offer, outcome } = given({ claimsMax: 3 });
    // Each waits until three were there at once, so fewer would wait for ever; the most ever seen must not be more.
    const command = `mkdir at-work-$HEDDLE_TASK; ls -d at-work-* | wc -l >> seen
      until [ "$(sort -n seen | tail -1)" -ge 3 ]; do sleep 0.02; done; rmdir at-work-$HEDDLE_TASK`;
    const tasks = ['a', 'b', 'c', 'd', 'e', 'f'];
    offer(...tasks.map((task) => assignment(stepRef(task), command)));
    for (const task of tasks) expect(await outcome(stepRef(task))).toMatchObject({ type: 'finished', work: 'step' });
    const seen = readFileSync(place.file('seen'), 'utf8').trim().split('\n').map(Number);
    expect(Math.max(...seen)).toBe(3);
  });

  test('are run in their folder, with the environment that was given and the tags', async () => {
    const { offer, outcome } = given({ environment: { PATH: '/usr/bin:/bin', COLOUR: 'red' } });
    // What a shell adds by itself, and what Node hands on to every child when coverage is measured, is left out.
    offer(assignment(stepRef('a', 2), 'pwd; env | grep -Ev "^(PWD|_|SHLVL|NODE_V8_COVERAGE)=" | sort'));
    expect(await outcome(stepRef('a', 2))).toMatchObject({
      result: {
        response: `${place.cwd}\nCOLOUR=red\nHEDDLE_ATTEMPT=2\nHEDDLE_HOME=${place.home}\nHEDDLE_RUN=run-1\nHEDDLE_STEP=main\nHEDDLE_TASK=a\nPATH=/usr/bin:/bin`,
      },
    });
  });

  test('of checks are carried out as well', async () => {
    const { offer, outcome } = given();
    offer(assignment(check('a'), 'echo fine; test -z "$HEDDLE_STEP"'));
    expect(await outcome(check('a'))).toMatchObject({ type: 'finished', result: { ok: true, response: 'fine\n' } });
  });

  test('one after the other are given to the same worker', async () => {
    const { offer, outcome } = given();
    const workers: number[] = [];
    for (const attempt of [1, 2, 3]) {
      offer(assignment(stepRef('a', attempt), 'true'));
      await outcome(stepRef('a', attempt));
      workers.push(await place.workerOf(stepRef('a', attempt)));
    }
    expect(new Set(workers).size).toBe(1);
  });

  test('report what they have spent while they run', async () => {
    const { offer, outcome, latest } = given();
    const agent = {
      name: 'ai',
      use: 'scripted',
      model: undefined,
      pool: undefined,
      args: [],
      command: undefined,
      env: [],
    };
    const reserve = { usd: 1, tokens: undefined };
    const prompt = `@spend usd=0.25 tokens=10\n@run until [ -e go ]; do sleep 0.02; done`;
    offer(assignment(stepRef('a'), { type: 'turn', agent: { ...agent, reserve }, prompt }));
    await until('the cost is reported', () => latest().held[0]?.spend.usd === 0.25);
    writeFileSync(place.file('go'), '');
    expect(await outcome(stepRef('a'))).toMatchObject({
      type: 'finished',
      work: 'step',
      spend: { usd: 0.25, tokens: 10 },
    });
  });
});

describe('messages', () => {
  test('repeat what is done until a reply acknowledges it', async () => {
    const { reply, latest, syncs } = given();
    await until('it has spoken', () => syncs.length > 0);
    reply({ start: [assignment(stepRef('a'), 'true')] });
    await until('it is done', () => latest().done.length === 1);
    const { number } = latest();
    await until('it is repeated', () => latest().number > number && latest().done.length === 1);
    reply({});
    await until('it is repeated no more', () => latest().done.length === 0);
  });

  test('count up, and list what is held and how much more is wanted', async () => {
    const { reply, latest, syncs, heldKeys } = given({ claimsMax: 3 });
    await until('it has spoken', () => syncs.length > 0);
    expect(latest()).toEqual({ host: 'here', number: 1, done: [], held: [], want: 3, does: WORKER_TYPES });
    reply({ start: [assignment(stepRef('a'), waitingFor('go'))] });
    await until('it has spoken again', () => latest().number === 2);
    expect(latest().want).toBe(2);
    expect(heldKeys()).toEqual(['a/main#1']);
  });

  test('ask for no more than is taken, even when more is given', async () => {
    const { reply, latest, host } = given({ claimsMax: 2 });
    await until('it has spoken', () => latest().number === 1);
    reply({ start: ['a', 'b', 'c'].map((task) => assignment(stepRef(task), waitingFor('go'))) });
    expect(host.claims().map(({ claim }) => claim.task)).toEqual(['a', 'b']);
  });

  test('that are not the latest get replies that start nothing', async () => {
    const { reply, latest, host } = given();
    await until('it has spoken', () => latest().number === 1);
    reply({});
    await until('it has spoken again', () => latest().number === 2);
    reply({ number: 1, start: [assignment(stepRef('late'), 'true')] });
    expect(host.claims()).toEqual([]);
    reply({ start: [assignment(stepRef('due'), 'true')] });
    expect(host.claims()).toMatchObject([{ claim: stepRef('due') }]);
  });

  test('answered twice start nothing twice', async () => {
    const { reply, latest } = given();
    await until('it has spoken', () => latest().number === 1);
    const start = [assignment(stepRef('a'), 'echo once >> ran')];
    reply({ start });
    reply({ start });
    await until('it is done', () => latest().done.length === 1);
    reply({ number: 1, start });
    reply({});
    await until('it was acknowledged', () => latest().done.length === 0);
    expect(latest().held).toEqual([]);
    expect(ranTimes('ran')).toBe(1);
  });

  test('are few while a coordinator repeats a cancel', async () => {
    const { reply, latest, syncs } = given({ graceMs: 700 });
    await until('it has spoken', () => latest().number === 1);
    reply({ start: [assignment(stepRef('a'), `trap '' TERM; ${waitingFor('go')}`)] });
    await place.pidIn('go.pid');
    const before = syncs.length;
    const answered = new Set<number>();
    await until('it is stopped', () => {
      if (latest().done.length > 0) return true;
      if (answered.has(latest().number)) return false;
      answered.add(latest().number);
      reply({ cancel: [stepRef('a')] });
      return false;
    });
    expect(latest().done).toMatchObject([{ type: 'stopped', work: 'step' }]);
    expect(syncs.length - before).toBeLessThan(40);
  });
});

describe('stopping', () => {
  test('asks first, and a step that goes by itself has its say', async () => {
    const { offer, cancel, outcome } = given();
    offer(assignment(stepRef('a'), `trap 'echo bye > bye; exit 0' TERM; ${waitingFor('go')}`));
    await place.pidIn('go.pid');
    cancel(stepRef('a'));
    expect(await outcome(stepRef('a'))).toMatchObject({ type: 'stopped', work: 'step' });
    expect(existsSync(place.file('bye'))).toBe(true);
  });

  test('everything at once ends what ignores it, drops what waits, and wants nothing more', async () => {
    const { offer, host, outcome, latest } = given({ claimsMax: 6, graceMs: 60_000 });
    const tasks = ['a', 'b', 'c', 'd', 'e', 'f'];
    offer(...tasks.map((task) => assignment(stepRef(task), `trap '' TERM; ${waitingFor(task)}`)));
    await place.pidIn('a.pid');
    host.stopAll({ now: true });
    for (const task of tasks) expect(await outcome(stepRef(task))).toMatchObject({ type: 'stopped', work: 'step' });
    expect(latest().want).toBe(0);
    expect(isPidThere(await place.pidIn('a.pid'))).toBe(false);
  });

  test('what nobody holds is reported as stopped, and nobody can begin it afterwards', async () => {
    const { cancel, outcome } = given();
    cancel(stepRef('a'));
    expect(await outcome(stepRef('a'))).toMatchObject({ type: 'stopped', work: 'step', spend: { usd: undefined } });
    const other = given();
    other.offer(assignment(stepRef('a'), 'echo begun > begun'));
    expect(await other.outcome(stepRef('a'))).toMatchObject({ type: 'lost', work: 'step' });
    expect(existsSync(place.file('begun'))).toBe(false);
  });
});

describe('a worker that is killed', () => {
  test('has crashed, and nothing of its step is left', async () => {
    const { offer, outcome } = given();
    const daemon = `setsid sh -c 'trap "" TERM; echo $$ > daemon.pid; while :; do sleep 0.05; done' > /dev/null 2>&1 &`;
    offer(assignment(stepRef('a'), `${daemon} ${waitingFor('go')}`));
    const left = [await place.pidIn('go.pid'), await place.pidIn('daemon.pid')];
    process.kill(await place.workerOf(stepRef('a')), 'SIGKILL');
    expect(await outcome(stepRef('a'))).toMatchObject({
      type: 'failed',
      work: 'step',
      reason: 'crashed',
      isFinal: false,
    });
    expect(left.filter(isPidThere)).toEqual([]);
    expect(readFileSync(join(place.folderOf(stepRef('a')), ATTEMPT_FILES.output), 'utf8')).toContain('SIGKILL');
  });

  test('takes members of the group with it that have hidden their tags', async () => {
    const { offer, outcome } = given();
    offer(assignment(stepRef('a'), `env -i sh -c 'echo $$ > bare.pid; sleep 1000' & ${waitingFor('go')}`));
    const left = [await place.pidIn('go.pid'), await place.pidIn('bare.pid')];
    process.kill(await place.workerOf(stepRef('a')), 'SIGKILL');
    await outcome(stepRef('a'));
    await until('the group is gone', () => !left.some(isPidThere));
  });

  test('loses its check', async () => {
    const { offer, outcome } = given();
    offer(assignment(check('a'), waitingFor('go')));
    await place.pidIn('go.pid');
    process.kill(await place.workerOf(check('a')), 'SIGKILL');
    expect(await outcome(check('a'))).toMatchObject({
      type: 'failed',
      work: 'check',
      reason: 'crashed',
      isFinal: false,
    });
  });

  test('after it has left its outcome has finished', async () => {
    const { offer, outcome } = given();
    offer(assignment(stepRef('a'), waitingFor('go')));
    await place.pidIn('go.pid');
    const spend = { usd: 0, tokens: 0 };
    const stopped = { type: 'stopped', ...stepRef('a'), spend };
    const worker = await place.workerOf(stepRef('a'));
    const file = attemptFile(place.folderOf(stepRef('a')));
    // The worker wrote it, and it is an object.
    const record = JSON.parse(readFileSync(file, 'utf8')) as object;
    writeFileSync(file, JSON.stringify({ ...record, outcome: stopped }));
    process.kill(worker, 'SIGKILL');
    expect(await outcome(stepRef('a'))).toEqual(stopped);
  });

  test('gives way to another, and the host goes on', async () => {
    const { offer, outcome } = given({ claimsMax: 1 });
    offer(assignment(stepRef('a'), waitingFor('go')));
    await place.pidIn('go.pid');
    process.kill(await place.workerOf(stepRef('a')), 'SIGKILL');
    await outcome(stepRef('a'));
    offer(assignment(stepRef('b'), 'true'));
    expect(await outcome(stepRef('b'))).toMatchObject({ type: 'finished', work: 'step' });
  });
});

test('a daemon that left its group is ended soon after its step', async () => {
  const { offer, outcome } = given();
  const daemon = `setsid sh -c 'echo $$ > daemon.pid; exec sleep 1000' > /dev/null 2>&1 < /dev/null &`;
  offer(assignment(stepRef('a'), `${daemon} until [ -e daemon.pid ]; do sleep 0.01; done`));
  expect(await outcome(stepRef('a'))).toMatchObject({ type: 'finished', work: 'step', result: { ok: true } });
  const daemonPid = await place.pidIn('daemon.pid');
  await until('the daemon is gone', () => !isPidThere(daemonPid));
});

describe('a silent worker', () => {
  test('is shown as silent, and ended only when its step is over its time limit', async () => {
    const clock = skippingClock();
    const { offer, outcome, host } = given({ clock });
    offer(assignment(stepRef('a'), waitingFor('go'), 10_000_000), assignment(stepRef('b'), waitingFor('go-too')));
    const pids = [await place.pidIn('go.pid'), await place.pidIn('go-too.pid')];
    const workers = [await place.workerOf(stepRef('a')), await place.workerOf(stepRef('b'))];
    for (const worker of workers) process.kill(worker, 'SIGSTOP');
    clock.skip(700_000);
    expect(host.claims()).toMatchObject([
      { claim: stepRef('a'), pid: workers[0], isReattached: false },
      { claim: stepRef('b') },
    ]);
    expect(host.claims()[0]?.silentMs).toBeGreaterThan(600_000);
    offer(assignment(stepRef('c'), 'true'));
    expect(await outcome(stepRef('b'))).toMatchObject({ type: 'failed', work: 'step', reason: 'timeout' });
    expect([...pids, ...workers].map(isPidThere)).toEqual([true, false, true, false]);
    process.kill(await place.workerOf(stepRef('a')), 'SIGCONT');
    writeFileSync(place.file('go'), '');
    expect(await outcome(stepRef('a'))).toMatchObject({ type: 'finished', work: 'step' });
  });

  test('that is to stop is ended when it does not answer', async () => {
    const { offer, cancel, outcome } = given({ graceMs: 100 });
    offer(assignment(stepRef('a'), waitingFor('go')));
    const pid = await place.pidIn('go.pid');
    process.kill(await place.workerOf(stepRef('a')), 'SIGSTOP');
    cancel(stepRef('a'));
    expect(await outcome(stepRef('a'))).toMatchObject({ type: 'stopped', work: 'step' });
    expect(isPidThere(pid)).toBe(false);
  });
});

describe('a step that cannot be begun', () => {
  test('is refused for good when there is no such worker program', async () => {
    const { offer, outcome } = given({ workerProgram: [place.file('nowhere')] });
    offer(assignment(stepRef('a'), 'true'));
    expect(await outcome(stepRef('a'))).toMatchObject({
      type: 'failed',
      work: 'step',
      reason: 'refused',
      isFinal: true,
      spend: { usd: 0, tokens: 0 },
      result: { response: expect.stringContaining('ENOENT') },
    });
  });

  test('waits for another worker while there is no room for one more process', async () => {
    const program = join(import.meta.dirname, 'few-descriptors.given.ts');
    const script = 'ulimit -n 40; exec "$0" "$@"';
    const ran = spawnSync('sh', ['-c', script, process.execPath, program, join(place.home, '..')], {
      encoding: 'utf8',
    });
    expect(ran.stdout.trim().split('\n')).toEqual([
      'a/main#1 finished',
      'b/main#1 finished',
      'c/main#1 finished',
      'early/main#1 finished',
    ]);
  });

  test('is refused for a while when there is no worker at all and no room for one', async () => {
    const program = join(import.meta.dirname, 'few-descriptors.given.ts');
    const script = 'ulimit -n 40; exec "$0" "$@"';
    const args = ['-c', script, process.execPath, program, join(place.home, '..'), 'at once'];
    const { stdout } = spawnSync('sh', args, { encoding: 'utf8' });
    expect(stdout).toContain('"reason":"refused","isFinal":false');
    expect(stdout).toContain('EMFILE');
  });

  test('is refused when its folder cannot be made', async () => {
    writeFileSync(join(place.home, 'runs'), 'a file in the way');
    const { offer, outcome } = given();
    offer(assignment(stepRef('a'), 'true'));
    expect(await outcome(stepRef('a'))).toMatchObject({ reason: 'refused', result: { response: expect.any(String) } });
  });
});

describe('closing', () => {
  test('ends what is running, and leaves no process behind', async () => {
    const { offer, host } = given({ claimsMax: 3 });
    offer(...['a', 'b', 'c'].map((task) => assignment(stepRef(task), waitingFor(task))));
    const pids: number[] = [];
    for (const task of ['a', 'b', 'c'])
      pids.push(await place.pidIn(`${task}.pid`), await place.workerOf(stepRef(task)));
    await host.close();
    expect(pids.filter(isPidThere)).toEqual([]);
  });

  test('can leave what is running for the next host', async () => {
    const { offer, host, outcome } = given();
    offer(assignment(stepRef('idle'), 'true'));
    await outcome(stepRef('idle'));
    const idle = await place.workerOf(stepRef('idle'));
    offer(assignment(stepRef('a'), waitingFor('go')), assignment(stepRef('b'), waitingFor('go-too')));
    await place.pidIn('go.pid');
    await place.pidIn('go-too.pid');
    await host.close({ leave: true });
    const workers = [await place.workerOf(stepRef('a')), await place.workerOf(stepRef('b'))];
    expect(workers.every(isPidThere)).toBe(true);
    if (!workers.includes(idle)) expect(isPidThere(idle)).toBe(false);
    const next = given();
    next.host.recover([stepRef('a'), stepRef('b')]);
    for (const file of ['go', 'go-too']) writeFileSync(place.file(file), '');
    expect(await next.outcome(stepRef('a'))).toMatchObject({
      type: 'finished',
      work: 'step',
      result: { response: 'a' },
    });
    expect(await next.outcome(stepRef('b'))).toMatchObject({
      type: 'finished',
      work: 'step',
      result: { response: 'b' },
    });
    await until('its workers have gone', () => !workers.some(isPidThere));
  });
});

test('idle workers are let go after a while', async () => {
  const clock = skippingClock();
  const { offer, outcome } = given({ clock, claimsMax: 6 });
  const tasks = ['a', 'b', 'c', 'd', 'e', 'f'];
  offer(...tasks.map((task) => assignment(stepRef(task), waitingFor('go'))));
  const workers: number[] = [];
  for (const task of tasks) workers.push(await place.workerOf(stepRef(task)));
  expect(new Set(workers).size).toBe(6);
  writeFileSync(place.file('go'), '');
  for (const task of tasks) await outcome(stepRef(task));
  clock.skip(40_000);
  offer(assignment(stepRef('g'), 'true'));
  await outcome(stepRef('g'));
  // The last of them has gone too where it was let go before the claim came, which then has a worker of its own.
  await until('all have gone but the one in use', () => workers.filter(isPidThere).length <= 1);
});

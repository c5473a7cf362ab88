import { describe, expect, test } from 'vitest';
import type { WorkOutcome } from '../../core/protocol/work-outcome.ts';
import type { MergeRequest } from '../ports/merge-request.ts';
import { REFS } from '../git/store/ref-names.ts';
import { dice, fakeChecks, fakeRepository, givenHome, mergeRequestFor, ride } from './merge-queue.given.ts';
import type { FakeRepository, Files } from './merge-queue.given.ts';
import type { CheckOutcome, StartCheck } from './run-check.ts';

const isGood = (files: Files): boolean => !Object.values(files).includes('bad');

/** Requests for tasks `t0`, `t1` and so on, each changing a file of its own to one of these words. */
const requestsFor = (repository: FakeRepository, words: readonly string[]): readonly MergeRequest[] =>
  words.map((word, index) =>
    mergeRequestFor({ task: `t${index}`, tip: repository.work({ [`f${index}`]: word }), base: repository.base }),
  );

const summaryOf = (outcomes: readonly WorkOutcome[]): readonly string[] =>
  outcomes.map(({ type, task }) => `${task} ${type}`);

describe('the merge queue', () => {
  test('lands a chain that passes by one check of the whole and one move', async () => {
    const repository = fakeRepository();
    const checks = fakeChecks({ repository, seed: 1, passes: isGood });
    const { queue, outcomes, until } = ride({ repository, checks, width: 1 });
    queue.want(requestsFor(repository, ['a', 'b', 'c', 'd']));
    await until(4);
    expect(summaryOf(outcomes)).toEqual(['t0 finished', 't1 finished', 't2 finished', 't3 finished']);
    expect(repository.landed).toHaveLength(1);
    expect(checks.made).toHaveLength(1);
  });

  test('lands at once what has nothing to pass', async () => {
    const repository = fakeRepository();
    const checks = fakeChecks({ repository, seed: 1, passes: isGood });
    const { queue, outcomes, until } = ride({ repository, checks, width: 2 });
    queue.want(requestsFor(repository, ['a', 'b']).map((request) => ({ ...request, checks: [] })));
    await until(2);
    expect(summaryOf(outcomes)).toEqual(['t0 finished', 't1 finished']);
    expect(checks.made).toEqual([]);
  });

  test('finds the one whose work fails, after looking twice, and lands the others', async () => {
    const repository = fakeRepository();
    const checks = fakeChecks({ repository, seed: 2, passes: isGood });
    const { queue, outcomes, until } = ride({ repository, checks, width: 2 });
    queue.want(requestsFor(repository, ['a', 'b', 'bad', 'd', 'e']));
    await until(5);
    expect(outcomes.filter(({ type }) => type !== 'finished')).toEqual([
      {
        type: 'failed',
        work: 'merge',
        task: 't2',
        step: undefined,
        attempt: 1,
        spend: { usd: 0, tokens: 0 },
        reason: 'check',
        isFinal: false,
        isBaseline: false,
        result: { ok: false, response: 'all says no', output: undefined, exitCode: undefined, commit: undefined },
      },
    ]);
    expect(Object.keys(repository.filesOf(repository.landed.at(-1) ?? ''))).toEqual(['f0', 'f1', 'f3', 'f4']);
  });

  test('says of a check that fails without the work as well that it does', async () => {
    const repository = fakeRepository();
    const checks = fakeChecks({ repository, seed: 3, passes: () => false });
    const { queue, outcomes, until } = ride({ repository, checks, width: 2 });
    queue.want(requestsFor(repository, ['a']));
    await until(1);
    expect(outcomes).toMatchObject([{ type: 'failed', isBaseline: true }]);
    expect(repository.landed).toEqual([]);
  });

  test('blames the merge when the work alone passes what the base does not', async () => {
    const repository = fakeRepository();
    const passes = (files: Files, command: string): boolean =>
      command === 'all' || (Object.keys(files).length === 1 && 'f1' in files);
    const checks = fakeChecks({ repository, seed: 3, passes });
    const { queue, outcomes, until } = ride({ repository, checks, width: 2 });
    const [one, other] = requestsFor(repository, ['a', 'b']);
    if (one === undefined || other === undefined) throw new Error('There are two.');
    queue.want([one, { ...other, checks: ['own'] }]);
    await until(2);
    expect(outcomes).toMatchObject([
      { type: 'finished', task: 't0' },
      { type: 'failed', task: 't1', isBaseline: false },
    ]);
  });

  test('does not blame anybody for a check that fails once', async () => {
    const repository = fakeRepository();
    const checks = fakeChecks({ repository, seed: 4, passes: (_, __, time) => time > 1 });
    const { queue, outcomes, until } = ride({ repository, checks, width: 2 });
    queue.want(requestsFor(repository, ['a', 'b', 'c']));
    await until(3);
    expect(summaryOf(outcomes)).toEqual(['t0 finished', 't1 finished', 't2 finished']);
  });

  test('tells a conflict of what has landed alone, with whom, and lands the others', async () => {
    const repository = fakeRepository();
    const checks = fakeChecks({ repository, seed: 5, passes: isGood });
    const { queue, outcomes, until } = ride({ repository, checks, width: 1 });
    const { base } = repository;
    queue.want([
      mergeRequestFor({ task: 'bad', tip: repository.work({ x: 'bad' }), base }),
      mergeRequestFor({ task: 'good', tip: repository.work({ x: '2', y: '1' }), base }),
      mergeRequestFor({ task: 'late', tip: repository.work({ y: '2' }), base }),
    ]);
    await until(3);
    expect(summaryOf(outcomes)).toEqual(['bad failed', 'good finished', 'late conflict']);
    expect(outcomes[2]).toMatchObject({ paths: ['y'], with: ['good'], onto: repository.landed.at(-1) });
  });

  test('holds what a remembered resolution settled to the checks of both sides', async () => {
    const repository = fakeRepository({ x: 'both' });
    const checks = fakeChecks({ repository, seed: 5, passes: isGood });
    const { base } = repository;
    const one = mergeRequestFor({ task: 'one', tip: repository.work({ x: '1' }), base, checks: ['of one'] });
    const other = mergeRequestFor({ task: 'other', tip: repository.work({ x: '2' }), base, checks: ['of other'] });
    const first = ride({ repository, checks, width: 1 });
    first.queue.want([one]);
    await first.until(1);
    first.queue.want([other]);
    await first.until(2);
    expect(summaryOf(first.outcomes)).toEqual(['one finished', 'other finished']);
    expect(checks.made.filter(({ files }) => files['x'] === 'both').map(({ command }) => command)).toEqual([
      'of other',
      'of one',
    ]);
    const later = mergeRequestFor({ task: 'later', tip: repository.work({ x: '3' }), base });
    const second = ride({ repository, checks, width: 1 });
    second.queue.want([later]);
    await second.until(1);
    expect(second.outcomes).toMatchObject([{ type: 'conflict', paths: ['x'], with: ['one', 'other'] }]);
  });

  test('tells the conflict when what was remembered of it does not pass', async () => {
    const repository = fakeRepository({ x: 'both' });
    const passes = (files: Files): boolean => files['x'] !== 'both';
    const checks = fakeChecks({ repository, seed: 5, passes });
    const { base } = repository;
    const { queue, outcomes, until } = ride({ repository, checks, width: 2 });
    queue.want([
      mergeRequestFor({ task: 'one', tip: repository.work({ x: '1' }), base }),
      mergeRequestFor({ task: 'other', tip: repository.work({ x: '2' }), base }),
      mergeRequestFor({ task: 'third', tip: repository.work({ y: '1' }), base }),
    ]);
    await until(3);
    expect(summaryOf(outcomes).toSorted()).toEqual(['one finished', 'other conflict', 'third finished']);
    expect(outcomes.find(({ task }) => task === 'other')).toMatchObject({ paths: ['x'], with: ['one'] });
  });

  test('learns how a conflict was settled before it tells that the task is merged, also after a kill', async () => {
    const plain = fakeRepository();
    const happened: unknown[] = [];
    const repository: FakeRepository = {
      ...plain,
      learn: async (request) => {
        await Promise.resolve();
        happened.push(request);
        return [];
      },
    };
    const checks = fakeChecks({ repository, seed: 5, passes: isGood });
    const { base } = repository;
    const onOutcome = ({ task, type }: { readonly task: string; readonly type: string }): void =>
      void happened.push(`${task} ${type}`);
    const first = ride({ repository, checks, width: 1, onOutcome });
    const one = mergeRequestFor({ task: 'one', tip: repository.work({ x: '1' }), base });
    const other = mergeRequestFor({ task: 'other', tip: repository.work({ y: '2' }), base, hasConflicted: true });
    first.queue.want([one, other]);
    await first.until(2);
    await first.queue.close();
    const learnt = { task: 'other', tip: other.tip, base };
    expect(happened.splice(0)).toEqual([learnt, 'one finished', 'other finished']);
    const second = ride({ repository, checks, width: 1, onOutcome });
    second.queue.want([one, other]);
    await second.until(2);
    expect(happened).toEqual(['one finished', learnt, 'other finished']);
  });

  test('goes on when nothing can be learnt', async () => {
    const plain = fakeRepository();
    const repository: FakeRepository = { ...plain, learn: () => Promise.reject(new Error('The disk is full.')) };
    const checks = fakeChecks({ repository, seed: 5, passes: isGood });
    const { queue, outcomes, until } = ride({ repository, checks, width: 1 });
    const [request] = requestsFor(repository, ['a']);
    if (request === undefined) throw new Error('There is one.');
    queue.want([{ ...request, hasConflicted: true }]);
    await until(1);
    expect(summaryOf(outcomes)).toEqual(['t0 finished']);
  });

  test('finds what it had landed by its own merge, though others come before it now', async () => {
    const repository = fakeRepository();
    const checks = fakeChecks({ repository, seed: 5, passes: isGood });
    const [early, late] = requestsFor(repository, ['a', 'b']);
    if (early === undefined || late === undefined) throw new Error('There are two.');
    const first = ride({ repository, checks, width: 1 });
    first.queue.want([late]);
    await first.until(1);
    await first.queue.close();
    const second = ride({ repository, checks, width: 1 });
    second.queue.want([early, late]);
    await second.until(2);
    expect(second.outcomes.find(({ task }) => task === late.task)).toEqual(first.outcomes[0]);
  });

  test('builds again when somebody else moved the branch', async () => {
    const repository = fakeRepository();
    const moved = repository.work({ theirs: 'a' });
    const checks = fakeChecks({
      repository,
      seed: 6,
      passes: () => {
        if (repository.landed.length === 0) repository.moveTo(moved);
        return true;
      },
    });
    const { queue, outcomes, until } = ride({ repository, checks, width: 1 });
    queue.want(requestsFor(repository, ['a']));
    await until(1);
    expect(summaryOf(outcomes)).toEqual(['t0 finished']);
    expect(repository.filesOf(repository.landed.at(-1) ?? '')).toEqual({ theirs: 'a', f0: 'a' });
  });

  test('moves nothing once another queue of the run has begun, and reports its merges as lost', async () => {
    const repository = fakeRepository();
    const { promise: ended, resolve: end } = Promise.withResolvers<CheckOutcome>();
    const { promise: began, resolve: begin } = Promise.withResolvers<undefined>();
    const startCheck: StartCheck = () => {
      begin(undefined);
      return { ended, stop: () => undefined };
    };
    const requests = requestsFor(repository, ['a']);
    const stale = ride({ repository, checks: { startCheck }, width: 1 });
    stale.queue.want(requests);
    await began;
    const latest = ride({ repository, checks: { startCheck }, width: 1 });
    latest.queue.want(requests.map((request) => ({ ...request, isToStop: true })));
    await latest.until(1);
    end({ type: 'passed' });
    await stale.until(1);
    expect([...summaryOf(latest.outcomes), ...summaryOf(stale.outcomes)]).toEqual(['t0 stopped', 't0 lost']);
    expect(repository.landed).toEqual([]);
    stale.queue.want([]);
    stale.queue.want(requests);
    await stale.until(2);
    expect(summaryOf(stale.outcomes)).toEqual(['t0 lost', 't0 finished']);
  });

  test('says that it stopped what was cancelled once nothing works on it, and lands the others', async () => {
    const repository = fakeRepository();
    const passes = (files: Files): boolean | 'never ends' => ('f1' in files ? 'never ends' : true);
    const checks = fakeChecks({ repository, seed: 7, passes });
    let leftAtWork: readonly Files[] = [{ f1: 'never asked' }];
    const { queue, outcomes, until } = ride({
      repository,
      checks,
      width: 1,
      onOutcome: ({ type }) => {
        if (type === 'stopped') leftAtWork = checks.atWork();
      },
    });
    const requests = requestsFor(repository, ['a', 'b', 'c']);
    queue.want(requests);
    while (checks.atWork().length === 0) await new Promise((resolve) => setImmediate(resolve));
    queue.want(requests.map((request) => ({ ...request, isToStop: request.task === 't1' })));
    await until(3);
    expect(summaryOf(outcomes)).toEqual(['t1 stopped', 't0 finished', 't2 finished']);
    expect(leftAtWork.filter((files) => 'f1' in files)).toEqual([]);
  });

  test('finds again what it had landed when it is given the same requests after a kill', async () => {
    const repository = fakeRepository();
    const checks = fakeChecks({ repository, seed: 8, passes: isGood });
    const requests = requestsFor(repository, ['a', 'b']);
    const first = ride({ repository, checks, width: 1 });
    first.queue.want(requests);
    await first.until(2);
    await first.queue.close();
    const second = ride({ repository, checks, width: 1 });
    second.queue.want(requests.map((request) => ({ ...request, isToStop: request.task === 't1' })));
    await second.until(2);
    expect([...second.outcomes].sort((one, other) => (one.task < other.task ? -1 : 1))).toEqual(first.outcomes);
    expect(repository.landed).toHaveLength(1);
  });

  test('does not check again after a restart what passed before it', async () => {
    const repository = fakeRepository();
    const home = givenHome();
    const checks = fakeChecks({ repository, seed: 9, passes: isGood });
    const stuck: FakeRepository = {
      ...repository,
      swap: async (swap) =>
        swap.ref === REFS.runBranch('run-1')
          ? { type: 'failed', failure: { code: 'ref-moved', ref: swap.ref } }
          : await repository.swap(swap),
    };
    const first = ride({ repository: stuck, checks, width: 1, home });
    first.queue.want(requestsFor(repository, ['a', 'b']));
    while (checks.made.length === 0 || checks.atWork().length > 0)
      await new Promise((resolve) => setImmediate(resolve));
    await first.queue.close();
    const second = ride({ repository, checks, width: 1, home });
    second.queue.want(requestsFor(repository, ['a', 'b']));
    await second.until(2);
    expect(checks.made).toHaveLength(1);
  });

  test('judges again what failed when it is claimed again later', async () => {
    const repository = fakeRepository();
    const world = { isMended: false };
    const checks = fakeChecks({ repository, seed: 9, passes: () => world.isMended });
    const { queue, outcomes, until } = ride({ repository, checks, width: 1 });
    const requests = requestsFor(repository, ['a']);
    queue.want(requests);
    await until(1);
    world.isMended = true;
    queue.want(requests.map((request) => ({ ...request, attempt: 2, at: Date.now() + 1_000 })));
    await until(2);
    expect(summaryOf(outcomes)).toEqual(['t0 failed', 't0 finished']);
  });

  test('fails a merge with the reason when its check cannot run again and again', async () => {
    const repository = fakeRepository();
    const { queue, outcomes, until } = ride({
      repository,
      checks: {
        startCheck: () => ({
          ended: Promise.resolve({ type: 'error', failure: { code: 'no-ports' } }),
          stop: () => undefined,
        }),
      },
      width: 1,
    });
    queue.want(requestsFor(repository, ['a']));
    await until(1);
    const response = 'There are no free ports left for another sandbox.';
    expect(outcomes).toMatchObject([{ type: 'failed', reason: 'crashed', result: { response } }]);
  });

  test('keeps its laws whatever comes', async () => {
    for (let seed = 1; seed <= SEEDS; seed += 1) await rideAtRandom(seed);
  });
});

const SEEDS = 200;

/** Random words, width, arrivals, cancellations and moments at which checks end. */
async function rideAtRandom(seed: number): Promise<void> {
  const about = `seed ${seed}`;
  const below = dice(seed);
  const repository = fakeRepository();
  const checks = fakeChecks({
    repository,
    seed,
    passes: (files, _, time) => isGood(files) && !(time === 1 && below(10) === 0),
  });
  const width = 1 + below(4);
  const words = Array.from({ length: 1 + below(10) }, () => (below(4) === 0 ? 'bad' : 'good'));
  const requests = requestsFor(repository, words).map((request) =>
    below(10) === 0 ? { ...request, tip: undefined } : request,
  );
  const { queue, outcomes, until } = ride({ repository, checks, width });
  const early = below(requests.length + 1);
  const stopped = below(requests.length * 2);
  queue.want(requests.slice(0, early));
  for (let left = below(20); left > 0; left -= 1) await new Promise((resolve) => setImmediate(resolve));
  queue.want(requests.map((request, index) => ({ ...request, isToStop: index === stopped })));
  await until(requests.length);
  await queue.close();

  expect(outcomes.map(({ task }) => task).sort(), about).toEqual(requests.map(({ task }) => task).sort());
  for (const commit of repository.landed) expect(isGood(repository.filesOf(commit)), about).toBe(true);
  expect(checks.most(), about).toBeLessThanOrEqual(width);
  expect(checks.atWork(), about).toEqual([]);
  const finished = outcomes.filter(({ type }) => type === 'finished').map(({ task }) => task);
  for (const [index, { task, tip }] of requests.entries()) {
    const isFine = tip === undefined || words[index] === 'good';
    if (index !== stopped) expect(finished.includes(task), `${about}: ${task}`).toBe(isFine);
  }
  const landedOnes = finished.filter((task) => requests.find((request) => request.task === task)?.tip !== undefined);
  const inOrder = requests.map(({ task }) => task).filter((task) => landedOnes.includes(task));
  expect(landedOnes, about).toEqual(inOrder);
}

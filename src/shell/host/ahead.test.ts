// What a busy worker is given before it is done. Time stands still at first, so that every step counts as short and
// nobody else is looked for.
import { existsSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Clock } from '../ports.ts';
import { assignment, drive, end, givenPlace, HOOK_MS, step, until, waitingFor } from './host.given.ts';
import type { Driven, Place } from './host.given.ts';

/** So many workers are there before more are started. */
const FEW = availableParallelism();
const SHORT = Array.from({ length: FEW }, (_, index) => `short-${index}`);
const LONG = Array.from({ length: FEW }, (_, index) => `long-${index}`);

let place: Place;
let driven: Driven;
let standsAt: number | undefined;
let lostMs = 0;
const clock: Clock = { now: Date.now, monotonic: () => standsAt ?? performance.now() - lostMs };

const goOn = (): void => {
  lostMs = performance.now() - clock.monotonic();
  standsAt = undefined;
};

beforeEach(async () => {
  standsAt = performance.now();
  place = givenPlace();
  driven = drive(place, { width: FEW + 1, clock });
  await until('it has spoken', () => {
    goOn();
    return driven.syncs.length > 0;
  });
  standsAt = clock.monotonic();
  driven.offer(...SHORT.map((task) => assignment(step(task), 'true')));
  for (const task of SHORT) await driven.outcome(step(task));
  driven.offer(
    ...LONG.map((task) => assignment(step(task), waitingFor(place.file(task)))),
    assignment(step('last'), 'touch begun'),
  );
  for (const task of LONG) await place.pidIn(`${task}.pid`);
  expect(driven.host.holds()).toHaveLength(FEW + 1);
});
afterEach(async () => {
  goOn();
  await end(place, [driven]);
}, HOOK_MS);

const release = (): void => LONG.forEach((task) => writeFileSync(place.file(task), ''));
const hasBegun = (): boolean => existsSync(place.file('begun'));

describe('what was given to a busy worker', () => {
  test('is carried out after what it was busy with', async () => {
    const workers = await Promise.all(LONG.map((task) => place.workerOf(step(task))));
    expect(hasBegun()).toBe(false);
    release();
    expect(await driven.outcome(step('last'))).toMatchObject({ type: 'step.finished' });
    expect(workers).toContain(await place.workerOf(step('last')));
  });

  test('is given to another when its turn does not come', async () => {
    goOn();
    expect(await driven.outcome(step('last'))).toMatchObject({ type: 'step.finished' });
    expect(driven.outcomes()).toHaveLength(FEW + 1);
    release();
    for (const task of LONG) expect(await driven.outcome(step(task))).toMatchObject({ result: { response: task } });
  });

  test('can be stopped without being begun', async () => {
    driven.cancel(step('last'));
    expect(await driven.outcome(step('last'))).toMatchObject({ type: 'step.stopped' });
    release();
    for (const task of LONG) await driven.outcome(step(task));
    driven.offer(...SHORT.map((task) => assignment(step(task, 2), 'true')));
    for (const task of SHORT) await driven.outcome(step(task, 2));
    expect(hasBegun()).toBe(false);
  });

  test('goes to another when its worker dies', async () => {
    for (const task of LONG) process.kill(await place.workerOf(step(task)), 'SIGKILL');
    expect(await driven.outcome(step('last'))).toMatchObject({ type: 'step.finished' });
    for (const task of LONG) expect(await driven.outcome(step(task))).toMatchObject({ reason: 'crashed' });
    await until('nothing is held', () => driven.host.holds().length === 0);
  });
});

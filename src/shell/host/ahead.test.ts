// What a busy worker is given before it is done.
import { existsSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { assignment, drive, end, givenPlace, HOOK_MS, step, until, waitingFor } from './host.given.ts';
import type { Driven, Place } from './host.given.ts';
import type { Clock } from '../ports.ts';

/** So many workers are there before more are started. */
const FEW = availableParallelism() + 1;
const SHORT = Array.from({ length: FEW }, (_, index) => `short-${index}`);
const LONG = Array.from({ length: FEW }, (_, index) => `long-${index}`);

let place: Place;
let driven: Driven;
let frozenAt: number | undefined;
const clock: Clock = { now: Date.now, monotonic: () => frozenAt ?? performance.now() };

beforeEach(async () => {
  frozenAt = undefined;
  place = givenPlace();
  driven = drive(place, { width: FEW + 1, clock });
});
afterEach(async () => {
  frozenAt = undefined;
  await end(place, [driven]);
}, HOOK_MS);

/** All workers are at work, and steps have been short until now. */
async function allBusy(): Promise<void> {
  driven.offer(...SHORT.map((task) => assignment(step(task), 'true')));
  for (const task of SHORT) await driven.outcome(step(task));
  driven.offer(...LONG.map((task) => assignment(step(task), waitingFor(place.file(task)))));
}

const release = (): void => LONG.forEach((task) => writeFileSync(place.file(task), ''));

describe('what was given to a busy worker', () => {
  test('is given to another when its turn does not come', async () => {
    await allBusy();
    driven.offer(assignment(step('last'), 'true'));
    expect(await driven.outcome(step('last'))).toMatchObject({ type: 'step.finished' });
    expect(driven.outcomes()).toHaveLength(FEW + 1);
    release();
    for (const task of LONG) expect(await driven.outcome(step(task))).toMatchObject({ result: { response: task } });
  });

  describe('while time stands still, so that nobody else is looked for,', () => {
    beforeEach(async () => {
      driven.offer(...SHORT.map((task) => assignment(step(task), 'true')));
      for (const task of SHORT) await driven.outcome(step(task));
      frozenAt = performance.now();
      driven.offer(
        ...LONG.map((task) => assignment(step(task), waitingFor(place.file(task)))),
        assignment(step('last'), 'touch begun'),
      );
      for (const task of LONG) await place.pidIn(`${task}.pid`);
      expect(driven.host.holds()).toHaveLength(FEW + 1);
    });

    test('is carried out after what it was busy with', async () => {
      const workers = await Promise.all(LONG.map((task) => place.workerOf(step(task))));
      expect(existsSync(place.file('begun'))).toBe(false);
      release();
      expect(await driven.outcome(step('last'))).toMatchObject({ type: 'step.finished' });
      expect(workers).toContain(await place.workerOf(step('last')));
    });

    test('can be stopped without being begun', async () => {
      driven.cancel(step('last'));
      expect(await driven.outcome(step('last'))).toMatchObject({ type: 'step.stopped' });
      release();
      for (const task of LONG) await driven.outcome(step(task));
      driven.offer(...SHORT.map((task) => assignment(step(task, 2), 'true')));
      for (const task of SHORT) await driven.outcome(step(task, 2));
      expect(existsSync(place.file('begun'))).toBe(false);
    });

    test('goes to another when its worker dies', async () => {
      for (const task of LONG) process.kill(await place.workerOf(step(task)), 'SIGKILL');
      expect(await driven.outcome(step('last'))).toMatchObject({ type: 'step.finished' });
      for (const task of LONG) expect(await driven.outcome(step(task))).toMatchObject({ reason: 'crashed' });
      await until('nothing is held', () => driven.host.holds().length === 0);
    });
  });
});

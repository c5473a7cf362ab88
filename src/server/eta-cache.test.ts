import { expect, test } from 'vitest';
import type { Eta } from '../core/simulate/eta.ts';
import { keepEtas, type EtaQuestion } from './eta-cache.ts';

const LATER = 600_000;
const ETA: Eta = { at: 0, endAt: { low: 1, likely: LATER, high: LATER }, tasks: new Map(), chain: ['a'] };

/** A cache with a clock of its own, and a count of its simulations. */
function givenCache(costMs = 0) {
  let nowMs = 0;
  let simulations = 0;
  const cache = keepEtas(() => nowMs);
  const simulate = (): Promise<Eta> => {
    simulations += 1;
    nowMs += costMs;
    return Promise.resolve(ETA);
  };
  const ask = (question: Partial<EtaQuestion> = {}): Promise<Eta | undefined> =>
    cache({ project: 'p', run: 'r', end: 5, simulate, ...question });
  return { ask, passes: (ms: number) => (nowMs += ms), simulations: () => simulations };
}

test('two tabs that ask at the same position share one simulation, and an event makes a new one', async () => {
  const { ask, simulations } = givenCache();
  expect(await Promise.all([ask(), ask()])).toEqual([ETA, ETA]);
  expect(simulations()).toBe(1);
  await ask({ end: 6 });
  expect(simulations()).toBe(2);
});

test('runs of one name in two projects are simulated each', async () => {
  const { ask, simulations } = givenCache();
  await ask();
  await ask({ project: 'other' });
  expect(simulations()).toBe(2);
});

test('an idle run is simulated again after a minute', async () => {
  const { ask, passes, simulations } = givenCache();
  await ask();
  passes(59_000);
  await ask();
  expect(simulations()).toBe(1);
  passes(2_000);
  await ask();
  expect(simulations()).toBe(2);
});

test('an idle run is simulated again when its end should have come', async () => {
  const { passes, simulations, ask } = givenCache();
  const eta = { ...ETA, endAt: { low: 1, likely: 4_000, high: 9_000 } };
  const simulate = async (): Promise<Eta> => {
    await ask({ run: 'counted', end: simulations() });
    return eta;
  };
  for (let second = 0; second < 9; second += 1) {
    await ask({ simulate });
    passes(1_000);
  }
  // At 0, 4 and 8 seconds.
  expect(simulations()).toBe(3);
});

test('the simulations of a run that stays idle take one part in two hundred of a processor, however near its end is', async () => {
  const { ask, passes, simulations } = givenCache(500);
  for (let minute = 0; minute < 60; minute += 1) {
    await ask();
    passes(60_000);
  }
  // Each takes half a second, so each is good for a hundred.
  expect(simulations()).toBe(30);
});

test('a simulation that takes a second is made again after twenty, although events arrive', async () => {
  const { ask, passes, simulations } = givenCache(1_000);
  for (let end = 5; end < 24; end += 1) {
    await ask({ end });
    passes(1_000);
  }
  expect(simulations()).toBe(1);
  passes(1_000);
  await ask({ end: 24 });
  expect(simulations()).toBe(2);
});

test('a run too large to simulate is tried once, however many tabs ask and however long its log is unchanged', async () => {
  const { ask, passes } = givenCache();
  let tries = 0;
  const simulate = (): Promise<undefined> => {
    tries += 1;
    return Promise.resolve(undefined);
  };
  expect(await Promise.all([ask({ simulate }), ask({ simulate })])).toEqual([undefined, undefined]);
  passes(3_600_000);
  await ask({ simulate });
  expect(tries).toBe(1);
});

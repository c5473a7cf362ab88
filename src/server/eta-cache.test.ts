import { expect, test } from 'vitest';
import type { Eta } from '../core/simulate/eta.ts';
import { keepEtas, type EtaQuestion } from './eta-cache.ts';

const ETA: Eta = { endAt: { low: 1, likely: 2, high: 3 }, tasks: new Map(), chain: ['a'] };

/** A cache with a clock of its own, and a count of its simulations. */
function givenCache(costMs = 0) {
  let nowMs = 0;
  let simulations = 0;
  const cache = keepEtas(() => nowMs);
  const simulate = (): Eta => {
    simulations += 1;
    nowMs += costMs;
    return ETA;
  };
  const ask = (question: Partial<EtaQuestion> = {}): Eta | undefined =>
    cache({ project: 'p', run: 'r', end: 5, simulate, ...question });
  return { ask, passes: (ms: number) => (nowMs += ms), simulations: () => simulations };
}

test('two tabs that ask at the same position share one simulation, and an event makes a new one', () => {
  const { ask, simulations } = givenCache();
  expect([ask(), ask()]).toEqual([ETA, ETA]);
  expect(simulations()).toBe(1);
  ask({ end: 6 });
  expect(simulations()).toBe(2);
});

test('runs of one name in two projects are simulated each', () => {
  const { ask, simulations } = givenCache();
  ask();
  ask({ project: 'other' });
  expect(simulations()).toBe(2);
});

test('an idle run is simulated again after a minute', () => {
  const { ask, passes, simulations } = givenCache();
  ask();
  passes(59_000);
  ask();
  expect(simulations()).toBe(1);
  passes(2_000);
  ask();
  expect(simulations()).toBe(2);
});

test('a simulation that takes a second is made again after twenty, although events arrive', () => {
  const { ask, passes, simulations } = givenCache(1_000);
  for (let end = 5; end < 24; end += 1) {
    ask({ end });
    passes(1_000);
  }
  expect(simulations()).toBe(1);
  passes(1_000);
  ask({ end: 24 });
  expect(simulations()).toBe(2);
});

test('a run too large to simulate is not tried again for every tab', () => {
  const { ask } = givenCache();
  let tries = 0;
  const simulate = (): undefined => void (tries += 1);
  expect([ask({ simulate }), ask({ simulate })]).toEqual([undefined, undefined]);
  expect(tries).toBe(1);
});

import { expect, test } from 'vitest';
import type { RunEvent } from '../../src/core/engine/event.ts';
import { moneySeries, thinned } from './money-series.ts';

const claim = { work: 'step', task: 'a', step: 'main', attempt: 1 } as const;
const usd = (amount: number) => ({ usd: amount, tokens: undefined });

const EVENTS: readonly RunEvent[] = [
  { type: 'task.opened', at: 1000, task: 'a' },
  { type: 'claim.made', at: 2000, ...claim, reserve: usd(0.5) },
  { type: 'claim.raised', at: 3000, ...claim, reserve: usd(0.7) },
  {
    type: 'claim.returned',
    at: 4000,
    ...claim,
    reason: 'crashed',
    counted: true,
    until: 0,
    spend: { usd: undefined, tokens: undefined },
  },
  { type: 'claim.made', at: 5000, ...claim, attempt: 2, reserve: usd(0.5) },
  {
    type: 'claim.ended',
    at: 6000,
    ...claim,
    attempt: 2,
    ending: 'done',
    reason: undefined,
    cause: undefined,
    result: undefined,
    spend: usd(0.2),
  },
];

test('money is reserved, then settled; a cost that was not reported counts as its reservation', () => {
  expect(moneySeries(EVENTS)).toEqual([
    { atMs: 0, settled: 0, reserved: 0 },
    { atMs: 1000, settled: 0, reserved: 0.5 },
    { atMs: 2000, settled: 0, reserved: 0.7 },
    { atMs: 3000, settled: 0.7, reserved: 0 },
    { atMs: 4000, settled: 0.7, reserved: 0.5 },
    { atMs: 5000, settled: 0.9, reserved: 0 },
  ]);
});

test('many points become few, and the last stays', () => {
  const points = Array.from({ length: 1000 }, (_, at) => ({ atMs: at, settled: at, reserved: 0 }));
  const few = thinned(points, 50);
  expect(few.length).toBeLessThanOrEqual(51);
  expect(few.at(-1)).toEqual(points.at(-1));
});

import { expect, test } from 'vitest';
import { CLOCK_OFF_MS, withTimes } from './clock-skew.ts';
import type { HostRun } from './host-message.ts';

const limited = { type: 'limited', work: 'step', task: 'a', step: 'main', attempt: 1, pool: undefined } as const;

const runs: readonly HostRun[] = [
  { run: 'r', done: [{ ...limited, spend: { usd: 0, tokens: 0 }, until: 7_200_000 }], held: [], warm: [] },
];

const untilIn = (read: readonly HostRun[]): unknown => read[0]?.done.map((each) => 'until' in each && each.until);

test('the end of a limit counts by a clock that is about right, and not by one that is an hour off', () => {
  expect(untilIn(withTimes(runs, CLOCK_OFF_MS))).toEqual([7_200_000]);
  expect(untilIn(withTimes(runs, 3_600_000))).toEqual([undefined]);
  expect(untilIn(withTimes(runs, -3_600_000))).toEqual([undefined]);
});

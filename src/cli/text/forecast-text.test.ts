import { expect, test } from 'vitest';
import { historyLines } from './forecast-text.ts';
import type { Range } from '../../core/simulate/range.ts';
import { given } from '../../core/engine/run.given.ts';
import { statusAt } from '../../core/view/text/busy-run.given.ts';
import { leftText } from '../../core/view/text/status-text.ts';
import { SCREEN } from './screen.given.ts';

const minutes = (count: number): number => count * 60_000;

test('earlier runs say how often ranges held, and which estimates they contradict', () => {
  const seen = { statedMs: minutes(10), seenMs: minutes(40), runs: 4 };
  const contradictions = [
    { task: 'api', step: 'main', ...seen },
    { task: 'page', step: 'draw', ...seen },
  ];
  expect(historyLines(SCREEN, { record: { held: 4, of: 5 }, contradictions }).join('\n')).toMatchInlineSnapshot(`
    "  such ranges held for 4 of 5 earlier runs
      warning api is estimated at 10m and took 40m in 4 earlier runs, by which the forecast goes; change its estimate
      warning page/draw is estimated at 10m and took 40m in 4 earlier runs, by which the forecast goes; change its estimate"
  `);
  expect(historyLines(SCREEN, { record: { held: 0, of: 0 } })).toEqual([]);
});

test('the time left is as exact as it can be known, with its range', () => {
  const now = minutes(5);
  const range = { low: now + minutes(14.4), likely: now + minutes(17.8), high: now + minutes(26) };
  const status: Parameters<typeof leftText>[2] = { stage: 'going', running: [], questions: [], paused: [] };
  const left = (endAt: Range): string => leftText({ at: now, endAt }, now, status);
  expect(left(range)).toBe('about 18m left (14m – 26m)');
  expect(left({ low: now, likely: now + 4_200, high: now + 61_000 })).toBe('about 4s left (1s – 1m)');
  expect(left({ low: now, likely: now, high: now })).toBe('about 1s left');
});

test('the time left says what it waits for when only a person can go on', () => {
  const run = given('ask: { gate: "Which licence?" }\nlint: { run: x }');
  const left = (): string => leftText({ at: 0, endAt: { low: 0, likely: 0, high: 0 } }, 0, statusAt(run));
  expect(left()).toBe('about 1s left');
  run.says('lint', { said: {} });
  expect(left()).toBe('about 1s left once answered');
  run.pause();
  expect(left()).toBe('about 1s left once resumed');
});

test('the time left stands still while all waits for a person', () => {
  const run = given('ask: { gate: "Which licence?" }\nlint: { run: x }');
  const endAt = { low: minutes(3), likely: minutes(4), high: minutes(5) };
  const left = (): string => leftText({ at: 0, endAt }, minutes(3), statusAt(run));
  expect(left()).toBe('about 1m left (1s – 2m)');
  run.says('lint', { said: {} });
  expect(left()).toBe('about 4m left (3m – 5m) once answered');
});

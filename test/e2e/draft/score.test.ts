// The bench of drafts: the judge and its texts against a fixed set of answers.
import { expect, test } from 'vitest';
import { benchDrafts, meanOf } from '../../../bench/plan/bench-drafts.ts';
import { readGoals } from '../../../bench/plan/recorded-goals.ts';

test('answers for twelve goals on real code bases end in plans with nothing wrong', () => {
  const scores = benchDrafts({ agent: undefined, records: false, goal: undefined });
  expect(scores.length).toBeGreaterThanOrEqual(12);
  expect(new Set(readGoals().map(({ code }) => code)).size).toBeGreaterThanOrEqual(5);
  for (const { name, rounds, checked, overlaps } of scores)
    expect({ name, isRight: rounds !== undefined, checked, overlaps }).toEqual({
      name,
      isRight: true,
      checked: 1,
      overlaps: 0,
    });
  // Of the first answers five are wrong on purpose, each in another way, and each is told what is wrong.
  expect(scores.filter(({ isSoundAtFirst }) => !isSoundAtFirst).flatMap(({ codes }) => codes)).toEqual([
    'set-by-people',
    'over-time',
    'unknown-key',
    'unknown-need',
    'no-plan',
  ]);
  expect(meanOf(scores)).toBeGreaterThan(85);
});

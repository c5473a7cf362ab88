// The bench of drafts: the judge and its texts against a fixed set of answers.
import { expect, test } from 'vitest';
import { benchDrafts, meanOf } from '../../../bench/plan/bench-drafts.ts';
import { readGoals } from '../../../bench/plan/recorded-goals.ts';

test('answers of a model for goals on real code bases end in plans with nothing wrong', () => {
  const scores = benchDrafts({ agent: undefined, records: false, goal: undefined });
  expect(scores.length).toBeGreaterThanOrEqual(12);
  expect(new Set(readGoals().map(({ code }) => code)).size).toBeGreaterThanOrEqual(8);
  for (const { name, rounds, checked, overlaps } of scores)
    expect({ name, isRight: rounds !== undefined, checked, overlaps }).toEqual({
      name,
      isRight: true,
      checked: 1,
      overlaps: 0,
    });
  // What went back after a first answer: files named "to be safe", which the guide advises against since.
  expect([...new Set(scores.flatMap(({ codes }) => codes))]).toEqual(['task-too-large']);
  expect(meanOf(scores)).toBeGreaterThan(95);
});

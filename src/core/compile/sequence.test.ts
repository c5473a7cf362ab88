import { describe, expect, test } from 'vitest';
import { compiled } from '../engine/run.given.ts';
import { redoPoint, sequence } from './sequence.ts';

const stepsOf = (...lines: readonly string[]) => {
  const { tasks } = compiled(`a:\n  steps:\n${lines.map((line) => `    - { ${line} }`).join('\n')}`);
  return tasks[0]?.steps.map(({ step }) => step) ?? [];
};

describe('the sequence of steps', () => {
  const steps = stepsOf(
    'id: p, run: x, async: true',
    'id: q, run: x',
    'id: r, run: x, async: true, needs: [p]',
    'id: j, action: join, needs: [r, q, p]',
  );

  test('lists the launching step of each step: async steps launch nothing', () => {
    expect(sequence(steps).map(({ launchedBy }) => launchedBy)).toEqual([-1, -1, 1, 1]);
  });

  test('lists the needs of each step: only async steps are collected', () => {
    expect(sequence(steps).map(({ needs }) => needs)).toEqual([[], [], [0], [2, 0]]);
    expect(sequence(steps).map(({ collectors }) => collectors)).toEqual([[2, 3], [], [3], []]);
  });

  test('keeps all that a join names, in the order of its needs', () => {
    expect(sequence(steps)[3]?.named).toEqual([2, 1, 0]);
  });
});

describe('the point a failed check goes back to', () => {
  test('is the last agent turn in sequence', () => {
    const steps = stepsOf('id: p, prompt: x', 'id: q, prompt: x', 'id: r, run: x');
    expect(redoPoint(steps)).toBe(1);
  });

  test('is the first step when agents only work aside', () => {
    const steps = stepsOf('id: p, run: x', 'id: q, prompt: x, async: true', 'id: r, run: x, needs: [q]');
    expect(redoPoint(steps)).toBe(0);
  });

  test('is nowhere when no agent works on the task', () => {
    expect(redoPoint(stepsOf('id: p, run: x'))).toBeUndefined();
  });
});

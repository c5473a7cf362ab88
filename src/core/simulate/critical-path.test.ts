import { describe, expect, test } from 'vitest';
import { compiled } from '../engine/run.given.ts';
import { criticalPath } from './critical-path.ts';
import { NO_HISTORY } from './estimate.ts';
import { problemOf } from './problem-of.ts';

function pathOf(tasks: string, tree: 'none' | 'auto' = 'none'): readonly string[] {
  const plan = compiled(tasks, { tree });
  return criticalPath(plan, problemOf(plan, NO_HISTORY)).map(({ type, task, step, ms }) => {
    const name = step === undefined || step === 'main' ? task : `${task}/${step}`;
    return `${name}${type === 'step' ? '' : ` ${type}`} ${ms / 60_000}m`;
  });
}

describe('the critical path', () => {
  test('is the longest chain of needs', () => {
    const tasks = [
      'a: { run: x, estimate: 10m }',
      'b: { run: x, estimate: 3m }',
      'c: { needs: [a], run: x, estimate: 1m }',
      'd: { needs: [b], run: x, estimate: 9m }',
      'e: { needs: [c, d], run: x, estimate: 1m }',
    ];
    expect(pathOf(tasks.join('\n'))).toEqual(['b 3m', 'd 9m', 'e 1m']);
  });

  test('goes through steps, checks and merges', () => {
    const tasks =
      'a:\n  check: t\n  steps:\n    - { id: p, run: x, estimate: 9m, async: true }\n    - { id: q, run: x, estimate: 2m }\n    - { id: r, run: x, estimate: 1m, needs: [p] }';
    expect(pathOf(tasks, 'auto').map((line) => line.replace(/0\.03+m/, '2s'))).toEqual([
      'a/p 9m',
      'a/r 1m',
      'a check 0.6m',
      'a merge 2s',
    ]);
  });

  test('goes in and out of subplans', () => {
    const tasks =
      'a: { run: x, estimate: 1m }\ns:\n  needs: [a]\n  tasks:\n    p: { run: x, estimate: 2m }\n    q: { run: x, estimate: 4m }\nb: { needs: [s], run: x, estimate: 1m }\nc: { needs: [s.p], run: x, estimate: 2m }';
    expect(pathOf(tasks)).toEqual(['a 1m', 's.q 4m', 'b 1m']);
  });

  test('does not wait for the slower of any', () => {
    const tasks =
      'a: { run: x, estimate: 10m }\nb: { run: x, estimate: 2m }\nc: { needs: { any: [a, b] }, run: x, estimate: 9m }';
    expect(pathOf(tasks)).toEqual(['b 2m', 'c 9m']);
  });

  test('waits for the second of two of three', () => {
    const tasks =
      'a: { run: x, estimate: 1m }\nb: { run: x, estimate: 2m }\nc: { run: x, estimate: 3m }\nd: { needs: { at_least: 2, of: [a, b, c] }, run: x, estimate: 9m }';
    expect(pathOf(tasks)).toEqual(['b 2m', 'd 9m']);
  });

  test('leaves out the losers of a race', () => {
    const tasks =
      'a: { run: x, estimate: 20m }\nb: { run: x, estimate: 2m }\nc: { needs: { race: [a, b] }, run: x, estimate: 3m }';
    expect(pathOf(tasks)).toEqual(['b 2m', 'c 3m']);
  });

  test('of a plan without work is empty', () => {
    expect(pathOf('a: { gate: Go? }')).toEqual([]);
  });
});

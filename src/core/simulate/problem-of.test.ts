import { expect, test } from 'vitest';
import { compiled } from '../engine/run.given.ts';
import { schedulesDefault } from '../schedule/search-schedule.ts';
import { NO_HISTORY } from './estimate.ts';
import { problemOf, workOf } from './problem-of.ts';

/** Layers of four tasks; each task needs two of the layer before. */
const layered = (tasks: number, settings = ''): string =>
  Array.from({ length: tasks }, (_, at) => {
    const before = 4 * Math.floor(at / 4) - 4;
    const needs = before < 0 ? '' : `, needs: [t${before + (at % 4)}, t${before + ((at + 1) % 4)}]`;
    return `t${at}: { run: x, estimate: 1m${needs}${settings} }`;
  }).join('\n');

const countOf = (tasks: string, options: Parameters<typeof compiled>[1] = {}): number =>
  workOf(problemOf(compiled(tasks, options), NO_HISTORY)).problem.count;

test('a search places the steps, checks and merges that the plan has, and no others', () => {
  expect(countOf(layered(120))).toBe(120);
  expect(countOf(layered(120, ', check: y'))).toBe(240);
  expect(countOf(layered(120, ', check: y'), { tree: 'auto' })).toBe(360);
  expect(countOf('m: { tasks: { a: { run: x }, b: { run: x, needs: [a] } } }\nc: { run: x, needs: [m] }')).toBe(3);
});

test('a plan of 120 steps gets more than three times the schedules that its openings and endings would leave it', () => {
  const { problem } = problemOf(compiled(layered(120)), NO_HISTORY);
  expect(problem.count).toBe(360);
  const schedules = schedulesDefault({ ...problem, count: countOf(layered(120)) });
  expect(schedules).toBeGreaterThan(3 * schedulesDefault(problem));
});

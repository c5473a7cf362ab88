import { expect, test } from 'vitest';
import { compiled } from '../engine/run.given.ts';
import { estimateStep, NO_HISTORY, PROMPT_DEFAULT_MS, RUN_DEFAULT_MS, type History } from './estimate.ts';

function estimates(tasks: string, history: History = NO_HISTORY): readonly string[] {
  const plan = compiled(tasks);
  return plan.tasks.flatMap((task) =>
    task.steps.map((step) => {
      const { ms, origin } = estimateStep(plan, step, history);
      return `${task.task.path}/${step.step.id} ${ms} ${origin}`;
    }),
  );
}

test('the estimate of the plan comes first', () => {
  const history = { ...NO_HISTORY, steps: new Map([['a/main', 7]]), agents: new Map() };
  expect(estimates('a: { run: x, estimate: 3s }', history)).toEqual(['a/main 3000 plan']);
});

test('the estimate of a task is shared by its steps without one', () => {
  const tasks =
    'a:\n  estimate: 10s\n  steps:\n    - { id: p, run: x, estimate: 4s }\n    - { id: q, prompt: x, async: true }\n    - { id: r, run: x }\n    - { id: j, action: join, needs: [q] }';
  expect(estimates(tasks)).toEqual(['a/p 4000 plan', 'a/q 3000 plan', 'a/r 3000 plan', 'a/j 0 plan']);
});

test('then the durations of earlier runs: of the step, else of its agent', () => {
  const history = { ...NO_HISTORY, steps: new Map([['a/main', 7]]), agents: new Map([['ai', 9]]) };
  expect(estimates('a: { prompt: x }\nb: { prompt: x }\nc: { run: x }', history)).toEqual([
    'a/main 7 earlier runs',
    'b/main 9 earlier runs',
    `c/main ${RUN_DEFAULT_MS} default`,
  ]);
});

test('else the default for the kind of work', () => {
  expect(estimates('a: { prompt: x }\nb: { run: x }')).toEqual([
    `a/main ${PROMPT_DEFAULT_MS} default`,
    `b/main ${RUN_DEFAULT_MS} default`,
  ]);
});

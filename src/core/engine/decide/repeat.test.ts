import { describe, expect, test } from 'vitest';
import { given } from '../run.given.ts';

const loop = (max: number, until = 'steps.verify.ok'): string =>
  `a:\n  repeat: { until: ${until}, max: ${max} }\n  steps:\n    - { id: code, prompt: x }\n    - { id: verify, run: x }`;

describe('a task that repeats', () => {
  test('runs rounds until its condition holds', () => {
    const run = given(loop(3));
    run.says('a/code', 'done');
    expect(run.says('a/verify', 'failed')).toEqual([
      'claim.ended a/verify failed (failed)',
      'task.repeated a round 1',
      'claim.made a/code #2',
    ]);
    run.says('a/code', 'done');
    run.says('a/verify', 'done');
    expect(run.endings()).toEqual({ a: 'done' });
  });

  test('fails when its rounds are used up', () => {
    const run = given(loop(2));
    run.says('a/code', 'done');
    run.says('a/verify', 'failed');
    run.says('a/code', 'done');
    run.says('a/verify', 'failed');
    expect(run.endings()).toEqual({ a: 'failed (failed)' });
    expect(run.trace().filter((line) => line.startsWith('task.repeated'))).toEqual(['task.repeated a round 1']);
  });

  test('runs once when max is one', () => {
    const run = given(loop(1));
    run.says('a/code', 'done');
    run.says('a/verify', 'failed');
    expect(run.endings()).toEqual({ a: 'failed (failed)' });
  });

  test('starts another round when a step fails whose result the condition would have read', () => {
    const run = given(
      'a:\n  repeat: { until: steps.rate.output.score > 5, max: 2 }\n  steps:\n    - { id: code, run: x }\n    - { id: rate, run: x, output: { type: object } }',
    );
    run.says('a/code', 'failed');
    expect(run.trace().at(-2)).toBe('task.repeated a round 1');
    run.says('a/code', 'done');
    run.says('a/rate', { said: { output: { score: 6 } } });
    expect(run.endings()).toEqual({ a: 'done' });
  });

  test('fails with a typed reason when its condition cannot be evaluated', () => {
    const run = given(
      'a:\n  repeat: { until: steps.rate.output.score > 5, max: 2 }\n  steps:\n    - { id: rate, run: x, output: { type: object } }',
    );
    run.says('a/rate', { said: { output: {} } });
    expect(run.endings()).toEqual({ a: 'failed (expression)' });
  });

  test('retries a crashed agent within the round', () => {
    const run = given(loop(2));
    run.says('a/code', 'crashed');
    run.waits(60_000);
    expect(run.claims()).toEqual(['a/code#2']);
    expect(run.trace()).not.toContain('task.repeated a round 1');
  });

  test('gives each round its own attempts', () => {
    const run = given(loop(2), { plan: 'attempts: 2' });
    run.says('a/code', 'crashed');
    run.waits(60_000);
    run.says('a/code', 'done');
    run.says('a/verify', 'failed');
    run.says('a/code', 'crashed');
    run.waits(60_000);
    expect(run.claims()).toEqual(['a/code#4']);
  });

  test('starts no further round when the budget is exhausted', () => {
    const run = given(loop(3), { plan: 'budget: { usd: 0.5 }' });
    run.says('a/code', { said: {}, spend: { usd: 0.4, tokens: 1 } });
    run.says('a/verify', 'failed');
    expect(run.endings()).toEqual({ a: 'failed (cost)' });
  });

  test('evaluates the conditions of its steps again in each round', () => {
    const run = given(
      [
        'a:',
        '  repeat: { until: steps.end.ok, max: 3 }',
        '  steps:',
        '    - { id: first, run: x }',
        '    - { id: probe, run: x, async: true, when: steps.first.response == "go" }',
        '    - { id: hold, run: x }',
        '    - { id: end, run: x, needs: [probe] }',
      ].join('\n'),
      { plan: 'max_parallel: 1', priorities: [[0, 0, 5, 0]] },
    );
    run.says('a/first', { said: { response: 'go' } });
    expect(run.says('a/hold', 'failed')).toContain('step.skipped a/probe cancelled (need) by a/hold');
    expect(run.says('a/first', { said: { response: 'stay' } })).toContain('step.skipped a/probe skipped (condition)');
    run.says('a/hold', 'done');
    run.says('a/end', 'done');
    expect(run.endings()).toEqual({ a: 'done' });
  });

  test('does not read the result of a skipped step from an earlier round', () => {
    const run = given(
      'a:\n  repeat: { until: steps.last.exit_code == 0 && !(steps.once.ok), max: 3 }\n  steps:\n    - { id: once, run: x, when: "inputs.first" }\n    - { id: last, run: x }',
      { plan: 'inputs: { first: { type: boolean, default: false } }', inputs: { first: false } },
    );
    run.says('a/last', 'done');
    expect(run.endings()).toEqual({ a: 'done' });
  });

  test('may be cancelled while a failed round winds down, and starts no further round', () => {
    const run = given(
      'a:\n  repeat: { until: steps.end.ok, max: 3 }\n  steps:\n    - { id: slow, run: x, async: true }\n    - { id: quick, run: x }\n    - { id: end, run: x, needs: [slow] }',
    );
    run.says('a/quick', 'failed');
    expect(run.owed()).toEqual(['stop a/slow#1']);
    expect(run.cancel('a')).toEqual(['claim.cancelling a/slow (cancelled)']);
    run.says('a/slow', 'stopped');
    expect(run.endings()).toEqual({ a: 'cancelled (cancelled)' });
  });
});

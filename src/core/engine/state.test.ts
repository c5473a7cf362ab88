import { describe, expect, test } from 'vitest';
import { apply } from './apply/apply.ts';
import { effectsOf } from './owed/owed.ts';
import { given, type Run } from './run.given.ts';
import { snapshot, startState, type State } from './state.ts';
import { fold } from './apply/fold.ts';

const folded = (run: Run): State => fold(run.log);

function busy(): Run {
  const run = given(
    'a: { prompt: x, check: t }\nb: { run: x, on_error: gate }\ng: { gate: Go? }\nc: { run: x }\nd: { run: x }',
    {
      tree: 'auto',
      plan: 'attempts: 1\nmax_parallel: 8\npools: { ai: 2 }',
    },
  );
  run.says('a', 'done');
  run.says('b', 'failed');
  run.says('c', 'done');
  run.says('d', { limitedUntil: 90_000, pool: 'ai' });
  return run;
}

describe('a fold of the log', () => {
  test('equals the state of the run', () => {
    const run = busy();
    expect(snapshot(folded(run))).toEqual(snapshot(run.state()));
  });

  test('owes the same effects as the run', () => {
    const run = busy();
    expect(effectsOf(folded(run)).filter(({ type }) => type !== 'wait')).toEqual(
      run.effects().filter(({ type }) => type !== 'wait'),
    );
    expect(run.owed()).toEqual(['check a check#1', 'merge c merge#1', 'ask g#1', 'ask b#1', 'wait 90000']);
  });

  test('refuses a log of another plan', () => {
    const state = fold(given('a: { run: x }').log.slice(0, 1));
    const about = { at: 0, task: 'a', step: undefined, attempt: 1 } as const;
    const claimed = { type: 'claim.made', ...about, reserve: { usd: 0, tokens: 0 } } as const;
    expect(() => apply(state, { type: 'task.opened', at: 0, task: 'z' })).toThrow('the task z');
    expect(() => apply(state, { ...claimed, work: 'step', step: 'z' })).toThrow('the step z of a');
    expect(() => apply(state, { ...claimed, work: 'merge' })).toThrow('is claimed has a place');
    expect(() => apply(state, { type: 'task.queued', at: 0, task: 'a' })).toThrow('does not have');
  });

  test('owes nothing before its start', () => {
    const state = startState(given('a: { run: x }').compiled, { policy: 'parallel', priorities: [], holds: [] });
    expect(effectsOf(state)).toEqual([]);
  });

  test('does not go back in time when the clock does', () => {
    const run = given('a: { run: x }\nb: { run: x }');
    run.waits(100);
    run.says('a', 'done');
    apply(run.state(), { type: 'run.paused', at: 50 });
    expect(run.state().run.now).toBe(100);
  });
});

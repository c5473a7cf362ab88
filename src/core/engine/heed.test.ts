import { describe, expect, test } from 'vitest';
import type { Command } from './command.ts';
import { heed } from './heed.ts';
import { given, type Run } from './run.given.ts';

type Control = Extract<Command, { readonly tasks: readonly string[] }>['type'];

/** Gives a command and says what the person is told; what it leads to is heard. */
function told(run: Run, type: Control, ...tasks: readonly string[]): string {
  const { outcomes, answer } = heed(run.state(), { type, tasks });
  for (const outcome of outcomes) run.hears(outcome);
  return answer;
}

const PLAN = 'build: { run: x }\nship: { needs: [build], run: x }';
const ONCE = { plan: 'attempts: 1' };

test('a task that is not there is told, with the nearest that is, and nothing happens', () => {
  const run = given(PLAN);
  expect(told(run, 'cancel', 'ship', 'biuld')).toBe('The plan has no task biuld; did you mean build?');
  expect(told(run, 'cancel', 'elsewhere')).toBe('The plan has no task elsewhere.');
  expect(run.owed()).toEqual(['work build#1']);
});

describe('a command to the run', () => {
  test('is answered with what it does, and a second time with why it does nothing', () => {
    const run = given(PLAN);
    expect(told(run, 'resume')).toBe('The run is going, and nothing in it is held.');
    expect(told(run, 'pause')).toBe('The run is paused: what is at work comes to its end, and nothing else begins.');
    expect(told(run, 'pause')).toBe('The run is paused already.');
    expect(told(run, 'stop')).toBe('The run is paused, and one step at work is stopped until it is resumed.');
    expect(told(run, 'stop')).toBe('The run is paused already, and nothing is at work that is not being stopped.');
    expect(told(run, 'pause', 'ship')).toContain('ship is held');
    expect(told(run, 'resume')).toBe('The run goes on, and ship with it.');
    expect(told(run, 'skip')).toBe('Name the tasks to skip; cancel ends the whole run.');
    expect(told(run, 'retry')).toBe('Nothing has failed or was cancelled.');
    expect(told(run, 'cancel')).toBe('The run is cancelled: what is at work is ended, and nothing else begins.');
    run.says('build', 'stopped');
    for (const type of ['pause', 'stop', 'cancel'] as const) expect(told(run, type)).toBe('The run has ended.');
    expect(told(run, 'resume')).toBe('The run has ended; retry runs again what failed in it.');
    expect(told(run, 'retry')).toBe('build and ship run again.');
    expect(run.claims()).toEqual(['build#2']);
  });
});

describe('a command to tasks', () => {
  test('says of each what becomes of it', () => {
    const run = given('a: { run: x }\nb: { needs: [a], run: x }\nc: { run: x }');
    run.says('c', 'done');
    expect(told(run, 'stop', 'a', 'b', 'c')).toBe(
      'a is held, and one step of it at work is stopped; b is held: what is at work comes to its end, and nothing else of it begins; c has ended (done).',
    );
    expect(told(run, 'pause', 'a')).toBe('a is held already.');
    expect(told(run, 'resume', 'a', 'c')).toBe('a is not held any longer; c is not held.');
    expect(told(run, 'cancel', 'a')).toBe('a is cancelled.');
    expect(told(run, 'cancel', 'a')).toBe('a is being ended already.');
    expect(told(run, 'skip', 'a', 'c')).toBe('a is being ended already; c has ended (done).');
    expect(told(run, 'skip', 'b')).toBe('b is skipped.');
  });

  test('that are held by their subplan says so', () => {
    const run = given('s: { tasks: { p: { run: x } } }');
    told(run, 'pause', 's');
    expect(told(run, 'resume', 's.p')).toBe('s.p is held by its subplan; resume s.');
    told(run, 'resume', 's');
    told(run, 'pause');
    expect(told(run, 'resume', 's.p')).toBe('s.p is not held, but the run is paused; resume the run.');
  });

  test('to run again says what goes with them, or what stands in the way', () => {
    const run = given('a: { run: x }\nb: { needs: [a], run: x }\nc: { run: x }\nz: { run: x }', ONCE);
    expect(told(run, 'retry', 'a')).toBe('a has not failed.');
    run.says('a', 'failed');
    run.says('c', 'done');
    expect(told(run, 'retry', 'b')).toBe('b was never begun, because of a; retry that.');
    expect(told(run, 'retry', 'c')).toBe('c is done; only what failed or was cancelled runs again.');
    expect(told(run, 'retry', 'a')).toBe('a runs again; with it b.');
    told(run, 'cancel', 'z');
    expect(told(run, 'retry', 'z')).toBe('z is still being ended; retry it after that.');
  });

  test('to run again is refused where something has gone on, or a race is decided', () => {
    const run = given(
      'a: { run: x }\nb: { run: x }\nj: { needs: [a], join: { on_error: wait_for_all } }\nk: { needs: [j], run: x }\nr: { needs: { race: [b, k] }, run: x }',
      ONCE,
    );
    run.says('a', 'failed');
    expect(told(run, 'retry', 'a')).toBe('a cannot run again: k has gone on without it.');
    run.says('b', 'failed');
    run.says('k', 'done');
    expect(told(run, 'retry', 'b')).toBe('b cannot run again: the race for r is decided.');
    expect(told(run, 'skip', 'b')).toBe('b cannot run again: the race for r is decided.');
  });

  test('to run again ends a rest, and answers a step that asks', () => {
    const run = given('a: { run: x, attempts: 2 }\nb: { run: x, attempts: 1, on_error: gate }');
    run.says('a', 'failed');
    run.says('b', 'failed');
    expect(told(run, 'retry', 'a', 'b')).toBe('a does not rest any longer; b is tried again.');
    expect(run.claims()).toEqual(['a#2', 'b#2']);
  });
});

describe('an answer', () => {
  const answered = (run: Run, type: 'approve' | 'reject', name: string): string => {
    const [task = '', step] = name.split('/');
    const { outcomes, answer } = heed(run.state(), { type, task, step });
    for (const outcome of outcomes) run.hears(outcome);
    return answer;
  };

  test('is for the gate that asks', () => {
    const run = given('g: { gate: Sure? }\na: { run: x }');
    expect(answered(run, 'approve', 'a')).toBe('a asks nothing; g does.');
    expect(answered(run, 'approve', 'g')).toBe('g is approved.');
    expect(run.endings()).toMatchObject({ g: 'done' });
    expect(answered(run, 'approve', 'g')).toBe('g asks nothing.');
    expect(answered(run, 'approve', 'h')).toBe('The plan has no task h.');
  });

  test('is for the step that asks, which need be named only when several do', () => {
    const steps =
      '[{ id: p, run: x, async: true, on_error: gate }, { id: q, run: x, on_error: gate }, { id: r, run: x, needs: [p] }]';
    const run = given(`a: { steps: ${steps} }`, ONCE);
    run.says('a/p', 'failed');
    run.says('a/q', 'failed');
    expect(answered(run, 'reject', 'a')).toBe('a asks about p and q; name the step.');
    expect(answered(run, 'approve', 'a/r')).toBe('a/r asks nothing; a/p and a/q do.');
    expect(answered(run, 'approve', 'a/q')).toBe('a/q is approved.');
    expect(answered(run, 'reject', 'a')).toBe('a/p is rejected.');
    expect(run.endings()).toEqual({ a: 'failed (rejected)' });
  });
});

describe('a conflict that waits for a person', () => {
  const conflicted = (): Run => {
    const run = given('a: { run: x }\nb: { run: x }', { tree: 'auto' });
    run.says('a', 'done', 'conflict');
    return run;
  };

  test('is merged again with what they made', () => {
    const run = conflicted();
    const { outcomes, answer } = heed(run.state(), { type: 'merge', task: 'a', commit: 'by hand' });
    expect(answer).toBe('a is checked and merged again.');
    expect(outcomes.flatMap((outcome) => run.hears(outcome))).toEqual([
      'task.resolved a',
      'task.queued a',
      'task.merging a',
    ]);
  });

  test('is answered like any other question', () => {
    const run = conflicted();
    expect(heed(run.state(), { type: 'approve', task: 'a', step: undefined }).answer).toBe(
      'a is merged again as it stands.',
    );
    expect(heed(run.state(), { type: 'reject', task: 'a', step: undefined }).answer).toBe('a is rejected.');
  });

  test('is none of a task that has none', () => {
    const run = conflicted();
    expect(heed(run.state(), { type: 'merge', task: 'b', commit: undefined })).toEqual({
      outcomes: [],
      answer: 'b has no conflict that waits for a person.',
    });
  });
});

describe('words for an agent that asks', () => {
  const answer = (run: Run, task: string, step?: string): string => {
    const { outcomes, answer: says } = heed(run.state(), { type: 'answer', task, step, text: 'That one.' });
    for (const outcome of outcomes) run.hears(outcome);
    return says;
  };
  const ask = (run: Run, step: string): void => {
    const result = { ok: false, response: '', output: undefined, exitCode: undefined, commit: undefined };
    const about = { task: 'a', step, attempt: 1, spend: { usd: 0, tokens: 0 } };
    run.hears({ type: 'step.asked', ...about, question: 'Which?', result });
  };

  test('reach it once, and nobody who wants a yes or a no', () => {
    const run = given('a: { prompt: x }\ng: { gate: Go? }');
    expect(answer(run, 'a')).toBe('a asks nothing; g does.');
    expect(answer(run, 'g')).toBe('g asks for a yes or a no: heddle approve or reject.');
    ask(run, 'main');
    const yes = heed(run.state(), { type: 'approve', task: 'a', step: undefined });
    expect(yes).toMatchObject({ outcomes: [], answer: expect.stringContaining('wants words, not a yes') });
    expect(answer(run, 'a')).toBe('a is told.');
    expect(run.claims()).toEqual(['a#2']);
    expect(answer(run, 'a')).toBe('a asks nothing; g does.');
  });

  test('name the step where several ask', () => {
    const run = given(`a:
  steps:
    - { id: p, async: true, prompt: x }
    - { id: q, async: true, prompt: x }
    - { needs: [p, q], action: join }`);
    ask(run, 'p');
    ask(run, 'q');
    expect(answer(run, 'a')).toBe('a asks about p and q; name the step.');
    expect(answer(run, 'a', 'q')).toBe('a/q is told.');
  });
});

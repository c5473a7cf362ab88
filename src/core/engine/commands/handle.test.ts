import { describe, expect, test } from 'vitest';
import type { Command } from '../command.ts';
import { given, type Run } from '../run.given.ts';
import { handle } from './handle.ts';
import { notesIn } from './reply.given.ts';

type Control = Extract<Command, { readonly tasks: readonly string[] }>['type'];

/** Handles a command, applies its outcomes, and lists the notes of the reply. */
function replyTo(run: Run, type: Control, ...tasks: readonly string[]): string {
  const { outcomes, reply } = handle(run.state(), { type, tasks });
  for (const outcome of outcomes) run.hears(outcome);
  return notesIn(reply);
}

const PLAN = 'build: { run: x }\nship: { needs: [build], run: x }';
const ONCE = { plan: 'attempts: 1' };

test('an unknown task is reported, with the nearest known name, and the command has no effect', () => {
  const run = given(PLAN);
  expect(replyTo(run, 'cancel', 'ship', 'biuld')).toBe('task.unknown biuld build');
  expect(replyTo(run, 'cancel', 'elsewhere')).toBe('task.unknown elsewhere');
  expect(run.owed()).toEqual(['work build#1']);
});

describe('a command to the run', () => {
  test('gets a reply with its effect, and the second time with the reason why it has none', () => {
    const run = given(PLAN);
    expect(replyTo(run, 'resume')).toBe('run.active');
    expect(replyTo(run, 'pause')).toBe('run.paused');
    expect(replyTo(run, 'pause')).toBe('run.paused.already');
    expect(replyTo(run, 'stop')).toBe('run.stopped 1');
    expect(replyTo(run, 'stop')).toBe('run.stopped.already');
    expect(replyTo(run, 'pause', 'ship')).toBe('task.paused ship');
    expect(replyTo(run, 'resume')).toBe('run.resumed ["ship"]');
    expect(replyTo(run, 'skip')).toBe('skip.names-no-task');
    expect(replyTo(run, 'retry')).toBe('run.nothing-failed');
    expect(replyTo(run, 'cancel')).toBe('run.cancelled');
    run.says('build', 'stopped');
    for (const type of ['pause', 'stop', 'cancel'] as const) expect(replyTo(run, type)).toBe('run.ended');
    expect(replyTo(run, 'resume')).toBe('run.ended.retry');
    expect(replyTo(run, 'retry')).toBe('tasks.reset ["build","ship"]');
    expect(run.claims()).toEqual(['build#2']);
  });
});

describe('a command to tasks', () => {
  test('gets one note for each task', () => {
    const run = given('a: { run: x }\nb: { needs: [a], run: x }\nc: { run: x }');
    run.says('c', 'done');
    expect(replyTo(run, 'stop', 'a', 'b', 'c')).toBe('task.stopped a 1; task.paused b; task.ended c done');
    expect(replyTo(run, 'pause', 'a')).toBe('task.paused.already a');
    expect(replyTo(run, 'resume', 'a', 'c')).toBe('task.resumed a false; task.not-paused c false');
    expect(replyTo(run, 'cancel', 'a')).toBe('task.cancelled a');
    expect(replyTo(run, 'cancel', 'a')).toBe('task.ending.already a');
    expect(replyTo(run, 'skip', 'a', 'c')).toBe('task.ending.already a; task.ended c done');
    expect(replyTo(run, 'skip', 'b')).toBe('task.skipped b');
  });

  test('says that the tasks are paused by their subplan', () => {
    const run = given('s: { tasks: { p: { run: x } } }');
    replyTo(run, 'pause', 's');
    expect(replyTo(run, 'resume', 's.p')).toBe('task.paused.by-subplan s.p s');
    replyTo(run, 'resume', 's');
    replyTo(run, 'pause');
    expect(replyTo(run, 'resume', 's.p')).toBe('task.not-paused s.p true');
  });

  test('to retry names the tasks that run again too, or the obstacles', () => {
    const run = given('a: { run: x }\nb: { needs: [a], run: x }\nc: { run: x }\nz: { run: x }', ONCE);
    expect(replyTo(run, 'retry', 'a')).toBe('retry.not-failed a');
    run.says('a', 'failed');
    run.says('c', 'done');
    expect(replyTo(run, 'retry', 'b')).toBe('retry.needs b a');
    expect(replyTo(run, 'retry', 'c')).toBe('retry.ended-well c done');
    expect(replyTo(run, 'retry', 'a')).toBe('task.reset a; tasks.reset.also ["b"]');
    replyTo(run, 'cancel', 'z');
    expect(replyTo(run, 'retry', 'z')).toBe('retry.still-ending z');
  });

  test('to retry is refused where another task has continued, or a race is decided', () => {
    const run = given(
      'a: { run: x }\nb: { run: x }\nj: { needs: [a], join: { on_error: wait_for_all } }\nk: { needs: [j], run: x }\nr: { needs: { race: [b, k] }, run: x }',
      ONCE,
    );
    run.says('a', 'failed');
    expect(replyTo(run, 'retry', 'a')).toBe('retry.used a k');
    run.says('b', 'failed');
    run.says('k', 'done');
    expect(replyTo(run, 'retry', 'b')).toBe('retry.raced b r');
    expect(replyTo(run, 'skip', 'b')).toBe('retry.raced b r');
  });

  test('to retry skips a backoff, and answers a step that asks', () => {
    const run = given('a: { run: x, attempts: 2 }\nb: { run: x, attempts: 1, on_error: gate }');
    run.says('a', 'failed');
    run.says('b', 'failed');
    expect(replyTo(run, 'retry', 'a', 'b')).toBe('task.backoff-skipped a; task.retried b');
    expect(run.claims()).toEqual(['a#2', 'b#2']);
  });
});

describe('an answer', () => {
  const answered = (run: Run, type: 'approve' | 'reject', name: string): string => {
    const [task = '', step] = name.split('/');
    const { outcomes, reply } = handle(run.state(), { type, task, step });
    for (const outcome of outcomes) run.hears(outcome);
    return notesIn(reply);
  };

  test('is for the gate that asks', () => {
    const run = given('g: { gate: Sure? }\na: { run: x }');
    expect(answered(run, 'approve', 'a')).toBe('question.none a [{"task":"g"}]');
    expect(answered(run, 'approve', 'g')).toBe('question.approved g');
    expect(run.endings()).toMatchObject({ g: 'done' });
    expect(answered(run, 'approve', 'g')).toBe('question.none g []');
    expect(answered(run, 'approve', 'h')).toBe('task.unknown h');
  });

  test('is for the step that asks, which must be named only when several steps ask', () => {
    const steps =
      '[{ id: p, run: x, async: true, on_error: gate }, { id: q, run: x, on_error: gate }, { id: r, run: x, needs: [p] }]';
    const run = given(`a: { steps: ${steps} }`, ONCE);
    run.says('a/p', 'failed');
    run.says('a/q', 'failed');
    expect(answered(run, 'reject', 'a')).toBe('question.several a ["p","q"]');
    expect(answered(run, 'approve', 'a/r')).toBe('question.none a r [{"task":"a","step":"p"},{"task":"a","step":"q"}]');
    expect(answered(run, 'approve', 'a/q')).toBe('question.approved a q');
    expect(answered(run, 'reject', 'a')).toBe('question.rejected a p');
    expect(run.endings()).toEqual({ a: 'failed (rejected)' });
  });
});

describe('a conflict that waits for a person', () => {
  const conflicted = (): Run => {
    const run = given('a: { run: x }\nb: { run: x }', { tree: 'auto' });
    run.says('a', 'done', 'conflict');
    return run;
  };

  test('is merged again with the resolution of the person', () => {
    const run = conflicted();
    const { outcomes, reply } = handle(run.state(), { type: 'merge', task: 'a', commit: 'by hand' });
    expect(notesIn(reply)).toBe('conflict.resolved a');
    expect(outcomes.flatMap((outcome) => run.hears(outcome))).toEqual([
      'task.resolved a',
      'task.queued a',
      'claim.made a merge',
    ]);
  });

  test('is rejected like any other question, and not approved while it is unresolved', () => {
    const run = conflicted();
    expect(notesIn(handle(run.state(), { type: 'approve', task: 'a', step: undefined }).reply)).toBe(
      'conflict.unresolved a',
    );
    expect(notesIn(handle(run.state(), { type: 'reject', task: 'a', step: undefined }).reply)).toBe(
      'question.rejected a',
    );
  });

  test('is reported as none for a task without a conflict', () => {
    const run = conflicted();
    expect(handle(run.state(), { type: 'merge', task: 'b', commit: undefined })).toEqual({
      outcomes: [],
      reply: { takesEffect: false, notes: [{ code: 'conflict.none', task: 'b' }] },
    });
  });
});

describe('an answer to an agent', () => {
  const answer = (run: Run, task: string, step?: string): string => {
    const { outcomes, reply } = handle(run.state(), { type: 'answer', task, step, text: 'That one.' });
    for (const outcome of outcomes) run.hears(outcome);
    return notesIn(reply);
  };
  const ask = (run: Run, step: string, attempt = 1): void => {
    const result = { ok: false, response: '', output: undefined, exitCode: undefined, commit: undefined };
    const about = { task: 'a', step, attempt, spend: { usd: 0, tokens: 0 } };
    run.hears({ type: 'asked', work: 'step', ...about, question: 'Which?', result });
  };

  test('is delivered once, and never to a question that takes a yes or a no', () => {
    const run = given('a: { prompt: x }\ng: { gate: Go? }');
    expect(answer(run, 'a')).toBe('question.none a [{"task":"g"}]');
    expect(answer(run, 'g')).toBe('question.wants-yes-or-no g');
    ask(run, 'main');
    const yes = handle(run.state(), { type: 'approve', task: 'a', step: undefined });
    expect(yes).toMatchObject({ outcomes: [], reply: { notes: [{ code: 'question.wants-text', task: 'a' }] } });
    expect(answer(run, 'a')).toBe('question.answered a');
    expect(run.claims()).toEqual(['a#2']);
    expect(answer(run, 'a')).toBe('question.none a [{"task":"g"}]');
  });

  test('does nothing when the task asks something else by then', () => {
    const run = given('a: { prompt: x }');
    ask(run, 'main');
    const seen = { type: 'answer', task: 'a', step: undefined, attempt: 1, text: 'That one.' } as const;
    for (const outcome of handle(run.state(), seen).outcomes) run.hears(outcome);
    ask(run, 'main', 2);
    const late = handle(run.state(), seen);
    expect(late.outcomes).toEqual([]);
    expect(notesIn(late.reply)).toBe('question.outdated a');
    expect(notesIn(handle(run.state(), { ...seen, attempt: 2 }).reply)).toBe('question.answered a');
  });

  test('names the step where several steps ask', () => {
    const run = given(`a:
  steps:
    - { id: p, async: true, prompt: x }
    - { id: q, async: true, prompt: x }
    - { needs: [p, q], action: join }`);
    ask(run, 'p');
    ask(run, 'q');
    expect(answer(run, 'a')).toBe('question.several a ["p","q"]');
    expect(answer(run, 'a', 'q')).toBe('question.answered a q');
  });
});

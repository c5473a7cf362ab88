import { expect, test } from 'vitest';
import type { ReplyNote } from '../../engine/commands/reply.ts';
import { repliedText, replyText } from './command-reply-text.ts';

const said = (...notes: readonly ReplyNote[]): string => replyText({ takesEffect: true, notes });
const EMPTY = { restarted: [], added: [], cancelled: [] };
const OF_A = { task: 'a', step: undefined } as const;

test('a task that is not there is named, with the nearest that is', () => {
  expect(said({ code: 'task.unknown', task: 'biuld', nearest: 'build' })).toBe(
    'The plan has no task biuld; did you mean build?',
  );
  expect(said({ code: 'task.unknown', task: 'elsewhere', nearest: undefined })).toBe('The plan has no task elsewhere.');
});

test('a reply about several tasks is one sentence', () => {
  expect(
    said(
      { code: 'task.stopped', task: 'a', claims: 1 },
      { code: 'task.paused', task: 'b' },
      { code: 'task.ended', task: 'c', ending: 'done' },
    ),
  ).toBe(
    'a is paused, and one running step of it is stopped; b is paused: its running steps finish, and nothing else of it starts; c has ended (done).',
  );
  expect(said({ code: 'task.reset', task: 'a' }, { code: 'tasks.reset.also', tasks: ['b'] })).toBe(
    'a runs again; with it b.',
  );
});

test('every reply about a run has its words', () => {
  const notes: readonly ReplyNote[] = [
    { code: 'run.ended' },
    { code: 'run.ended.retry' },
    { code: 'run.paused' },
    { code: 'run.paused.already' },
    { code: 'run.paused.idle' },
    { code: 'run.stopped', claims: 3 },
    { code: 'run.stopped.already' },
    { code: 'run.active' },
    { code: 'run.cancelled' },
    { code: 'run.ending.already' },
    { code: 'run.nothing-failed' },
    { code: 'run.resumed', tasks: [] },
    { code: 'run.resumed', tasks: ['a', 'b'] },
    { code: 'tasks.resumed', tasks: ['a', 'b', 'c', 'd', 'e', 'f'] },
    { code: 'tasks.reset', tasks: ['a'] },
    { code: 'skip.names-no-task' },
  ];
  expect(notes.map((note) => said(note)).join('\n')).toMatchInlineSnapshot(`
    "The run has ended.
    The run has ended; retry runs again what failed in it.
    The run is paused: running steps finish, and nothing else starts.
    The run is paused already.
    The run is paused; nothing was running that could be stopped.
    The run is paused, and 3 running steps are stopped until it is resumed.
    The run is paused already, and nothing is running that is not being stopped.
    Nothing to resume: the run is active and no task is paused.
    The run is cancelled: what is running is ended, and nothing else starts.
    All of the run is being ended already.
    Nothing has failed or was cancelled.
    The run goes on.
    The run goes on, and a and b with it.
    The run goes on with a, b, c, d and 2 more.
    a runs again.
    Name the tasks to skip; cancel ends the whole run."
  `);
});

test('every reply about a task has its words', () => {
  const notes: readonly ReplyNote[] = [
    { code: 'task.cancelled', task: 'a' },
    { code: 'task.ending.already', task: 'a' },
    { code: 'task.skipped', task: 'a' },
    { code: 'task.paused.already', task: 'a' },
    { code: 'task.paused.by-subplan', task: 's.a', subplan: 's' },
    { code: 'task.resumed', task: 'a', isRunPaused: false },
    { code: 'task.resumed', task: 'a', isRunPaused: true },
    { code: 'task.not-paused', task: 'a', isRunPaused: false },
    { code: 'task.not-paused', task: 'a', isRunPaused: true },
    { code: 'task.retried', task: 'a' },
    { code: 'task.backoff-skipped', task: 'a' },
    { code: 'retry.used', task: 'a', by: 'b' },
    { code: 'retry.raced', task: 'a', by: 'b' },
    { code: 'retry.needs', task: 'a', by: 'b' },
    { code: 'retry.ended-well', task: 'a', ending: 'done' },
    { code: 'retry.not-failed', task: 'a' },
    { code: 'retry.still-ending', task: 'a' },
    { code: 'command.unknown' },
  ];
  expect(notes.map((note) => said(note)).join('\n')).toMatchInlineSnapshot(`
    "a is cancelled.
    a is being ended already.
    a is skipped.
    a is paused already.
    s.a is paused by its subplan; resume s.
    a is resumed.
    a is resumed, but the run is paused.
    a is not paused.
    a is not paused, but the run is paused; resume the run.
    a is tried again.
    a: backoff skipped, retrying now.
    a cannot run again: b has gone on without it.
    a cannot run again: the race for b is decided.
    a cannot run again before b; retry b.
    a is done; only what failed or was cancelled runs again.
    a has not failed.
    a is still being ended; retry it after that.
    Refused: it was written by a newer Heddle than the one that runs this plan."
  `);
});

test('every reply to an answer has its words', () => {
  const notes: readonly ReplyNote[] = [
    { code: 'question.approved', ...OF_A },
    { code: 'question.rejected', task: 'a', step: 'p' },
    { code: 'question.answered', ...OF_A },
    { code: 'question.wants-text', ...OF_A },
    { code: 'question.wants-yes-or-no', ...OF_A },
    { code: 'question.none', ...OF_A, others: [] },
    { code: 'question.none', ...OF_A, others: [{ task: 'g', step: undefined }] },
    {
      code: 'question.none',
      ...OF_A,
      others: [
        { task: 'g', step: undefined },
        { task: 'b', step: 'p' },
      ],
    },
    { code: 'question.several', task: 'a', steps: ['p', 'q'] },
    { code: 'permission.decided', ...OF_A, decision: 'yes' },
    { code: 'permission.decided', ...OF_A, decision: 'no' },
    { code: 'permission.decided', ...OF_A, decision: 'always' },
    { code: 'permission.wants-yes-or-no', ...OF_A, text: 'Only if you must, and then with the greatest care' },
    { code: 'conflict.unresolved', task: 'a' },
    { code: 'conflict.resolved', task: 'a' },
    { code: 'conflict.none', task: 'a' },
  ];
  expect(notes.map((note) => said(note)).join('\n')).toMatchInlineSnapshot(`
    "a is approved.
    a/p is rejected.
    a has the answer.
    a wants words, not a yes: heddle answer a "…"; or heddle reject a.
    a asks for a yes or a no: heddle approve or reject.
    a asks nothing.
    a asks nothing; g does.
    a asks nothing; g and b/p do.
    a asks about p and q; name the step.
    a may do it.
    a may not, and goes on without it.
    a may do it, in all its later turns too.
    a asks for a permission, and “Only if you must, and then with the grea…” is neither yes nor no: heddle answer a yes, no or always, with any words after it.
    a has a conflict that is not resolved: heddle open a, resolve it, then heddle merge a; or heddle reject a.
    a is checked and merged again.
    a has no conflict that waits for a person."
  `);
});

test('every reply about a rollback or an amendment has its words', () => {
  const about = { task: 'a', step: 's' } as const;
  const notes: readonly ReplyNote[] = [
    { code: 'task.rolled-back', ...about, tasks: [] },
    { code: 'task.rolled-back', ...about, tasks: ['b'] },
    { code: 'rollback.in-place', ...about },
    { code: 'rollback.no-such-step', ...about },
    { code: 'rollback.not-open', ...about },
    { code: 'rollback.done', ...about },
    { code: 'rollback.running', ...about },
    { code: 'rollback.not-begun', ...about },
    { code: 'rollback.unfinished', ...about, earlier: 'p' },
    { code: 'rollback.beside', ...about, earlier: 'p' },
    { code: 'plan.amended', ...EMPTY, claims: 0 },
    { code: 'plan.amended', restarted: ['a'], added: ['b', 'c'], cancelled: ['d'], claims: 2 },
    { code: 'amend.outdated', shown: { ...EMPTY, added: ['c'] }, actual: { ...EMPTY, restarted: ['b'] } },
    { code: 'amend.pending' },
    { code: 'amend.base', before: 'HEAD', after: 'other' },
    { code: 'amend.tree', before: 'none' },
    { code: 'amend.isolation', before: 'os' },
    { code: 'amend.inputs', names: ['x', 'y'] },
    { code: 'amend.done.removed', task: 'a' },
    { code: 'amend.done.redefined', task: 'a', parts: ['prompt', 'check'] },
    { code: 'amend.done.used', task: 'a', by: 'g' },
    { code: 'amend.merging', task: 'a' },
  ];
  expect(notes.map((note) => said(note)).join('\n')).toMatchInlineSnapshot(`
    "a goes back to before its step s.
    a goes back to before its step s; with it b.
    The run works in place, so there is nothing to go back to.
    a has no step s.
    a has not begun.
    a is done and stays as it is.
    a is running; stop it first.
    The step s of a has not begun.
    The step p of a, before s, has not ended well; go back to that.
    The step p of a may have run beside s; go back to that.
    The plan is amended: every task is kept.
    The plan is amended: a begins anew; b and c are added; d is cancelled; 2 running steps are stopped first.
    The run has moved on since the changes were shown, and nothing was done: b would begin anew too; c would not be added any more.
    Another amendment of the run is still being made.
    The run started from HEAD; another base (other) takes another run.
    The trees of sandboxes are settled when a run starts; put sandbox.tree back to none.
    Isolation is settled when a run starts; put sandbox.isolation back to os.
    Inputs are given when a run starts, and this one was not given x, y.
    a is done, and gone from the plan: that would orphan its work. Put it back as it was, or add a task that follows it.
    a is done, and its prompt and check changed: that would orphan its work. Put it back as it was, or add a task that follows it.
    a is done on top of g, which would begin anew: that would orphan its work.
    a is being merged right now; amend again when that is over."
  `);
});

test('a coordinator that does not reply is said to be silent', () => {
  expect(repliedText({ type: 'silent' })).toContain('heddle resume --take-over');
  expect(repliedText({ type: 'gone' })).toBe('');
  expect(repliedText({ type: 'replied', reply: { takesEffect: true, notes: [{ code: 'run.paused' }] } })).toContain(
    'The run is paused',
  );
});

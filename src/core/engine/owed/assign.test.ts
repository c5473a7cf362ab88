import { fold } from '../apply/fold.ts';
import { describe, expect, test } from 'vitest';
import { assert } from '../../assert.ts';
import { NO_COST, given, OK, type Run } from '../run.given.ts';
import { assign } from './assign.ts';
import type { Assignment, ClaimRef, SandboxSource } from '../../protocol/assignment.ts';
import { claimsOf } from './owed.ts';

const merged = { tree: 'auto', base: 'base' } as const;
const GIVEN = { inputs: {}, env: {} };

/** The running claim of a task. */
function claimOf(run: Run, task: string): ClaimRef {
  const claim = claimsOf(run.state()).find((each) => each.task === task);
  assert(claim !== undefined, `Nothing of ${task} is at work.`);
  return claim;
}

/** The assignment for the claim. */
function assigned(run: Run, task: string): Assignment {
  const answer = assign(run.state(), claimOf(run, task), GIVEN);
  assert(answer.type === 'assigned', 'The texts of these plans can be rendered.');
  return answer.assignment;
}

const sandboxOf = (run: Run, task: string): SandboxSource | undefined => assigned(run, task).sandbox;

/** Finishes and merges a task with one step. */
function finish(run: Run, ...tasks: readonly string[]): void {
  for (const task of tasks) run.says(task, { said: { commit: `tip of ${task}` } }, 'merged');
}

describe('the sandbox of a claim', () => {
  test('is undefined for a run that works in place', () => {
    expect(sandboxOf(given('a: { run: x }', { base: 'base' }), 'a')).toBeUndefined();
    expect(sandboxOf(given('a: { run: x }', { tree: 'auto' }), 'a')).toBeUndefined();
  });

  test('has the tree and the isolation that a coordinator logged last, and not what the plan leaves open', () => {
    const run = given('a: { run: x }', merged);
    expect(sandboxOf(run, 'a')?.settings).toMatchObject({ tree: 'auto', isolation: 'auto' });
    const found = { tree: 'overlay', isolation: 'os', why: 'works' } as const;
    run.state().run.sandboxes = found;
    expect(sandboxOf(run, 'a')?.settings).toMatchObject({ tree: 'overlay', isolation: 'os' });
  });

  test('starts from the base of the run and the tips of its needs, in the order in which they were merged', () => {
    const run = given('a: { run: x }\nb: { run: x }\nz: { run: x }\nc: { needs: [b, a], run: x }', merged);
    run.waits(7);
    finish(run, 'b', 'a');
    expect(sandboxOf(run, 'c')).toMatchObject({
      base: 'base',
      needs: ['tip of b', 'tip of a'],
      from: undefined,
      onto: undefined,
      at: 7,
    });
  });

  test('continues from the latest checkpoint of its task, for each step, its check and a later attempt', () => {
    const run = given('a:\n  check: t\n  steps: [{ id: p, run: x }, { id: q, prompt: x, attempts: 2 }]', merged);
    run.says('a/p', { said: { commit: 'after p' } });
    expect(sandboxOf(run, 'a')?.from).toBe('after p');
    run.says('a/q', 'crashed');
    run.waits(60_000);
    expect(sandboxOf(run, 'a')?.from).toBe('after p');
    run.says('a/q', { said: { commit: 'after q' } });
    expect(sandboxOf(run, 'a')?.from).toBe('after q');
    run.says('a', 'failed');
    expect(assigned(run, 'a')).toMatchObject({ claim: { step: 'q' }, sandbox: { from: 'after q' } });
  });

  test('keeps work that a person was asked about only after approval', () => {
    const run = given('a: { run: x, on_error: gate }\nb: { run: x, on_error: gate }', {
      ...merged,
      plan: 'attempts: 1',
    });
    for (const task of ['a', 'b']) run.says(task, { said: { ok: false, commit: `work of ${task}` } });
    run.says('a', 'retry');
    run.says('b', 'approve');
    expect(sandboxOf(run, 'a')?.from).toBeUndefined();
    expect(run.state().tasks[1]?.tip).toBe('work of b');
  });

  test('of a retried task starts afresh', () => {
    const run = given('a: { run: x, check: t }', { ...merged, plan: 'attempts: 1' });
    run.says('a', { said: { commit: 'tip' } }, 'failed');
    run.retry('a');
    expect(sandboxOf(run, 'a')?.from).toBeUndefined();
  });

  test.each([
    {
      what: 'a subplan, for all in it',
      tasks: 's: { tasks: { a: { run: x }, b: { run: x } } }',
      need: 's',
      made: ['s.a', 's.b'],
    },
    { what: 'a join', tasks: 'a: { run: x }\nb: { run: x }\nj: { needs: [a, b], join: }', need: 'j', made: ['a', 'b'] },
    { what: 'a gate', tasks: 'a: { run: x }\nj: { needs: [a], gate: Go? }', need: 'j', made: ['a'] },
    {
      what: 'one that was skipped',
      tasks: 'a: { run: x }\nj: { needs: [a], when: "false", run: x }',
      need: 'j',
      made: ['a'],
    },
  ])('follows needs to the tasks with work: $what', ({ tasks, need, made }) => {
    const run = given(`${tasks}\nz: { needs: [${need}], run: x }`, merged);
    finish(run, ...made);
    if (run.owed().includes('ask j#1')) run.says('j', 'approve');
    expect(sandboxOf(run, 'z')?.needs).toEqual(made.map((task) => `tip of ${task}`));
  });

  test('of a task in a subplan starts from the needs of the subplan', () => {
    const run = given('a: { run: x }\ns: { needs: [a], tasks: { b: { run: x }, c: { needs: [b], run: x } } }', merged);
    finish(run, 'a', 's.b');
    expect(sandboxOf(run, 's.c')?.needs).toEqual(['tip of a', 'tip of s.b']);
  });

  test('is made from the work at the opening of the task, not from later work', () => {
    const run = given('a: { run: x }\nb: { run: x }\nc: { needs: { any: [a, b] }, run: x }', merged);
    finish(run, 'b', 'a');
    expect(sandboxOf(run, 'c')?.needs).toEqual(['tip of b']);
  });

  test('leaves out the work of a failed need', () => {
    const run = given(
      'a: { run: x }\nb: { run: x }\nj: { needs: [a, b], join: { on_error: wait_for_all } }\nc: { needs: [j], run: x }',
      {
        ...merged,
        plan: 'attempts: 1',
      },
    );
    run.says('a', { said: { ok: false, commit: 'bad' } });
    finish(run, 'b');
    expect(sandboxOf(run, 'c')?.needs).toEqual(['tip of b']);
  });
});

describe("an agent's turn", () => {
  test('continues the conversation of another task, or branches off it', () => {
    const run = given(
      'a: { prompt: x }\nb: { needs: [a], prompt: y, resume: { from: tasks.a } }\nc: { needs: [a], prompt: z, resume: { fork: tasks.a } }',
    );
    const about = { type: 'finished', work: 'step', step: 'main', attempt: 1, spend: { usd: 1, tokens: 1 } } as const;
    const reading = { input: 5, cached: 0, output: 1, usd: 1 };
    run.hears({ ...about, task: 'a', result: OK, conversation: { id: 'of-a', reading } });
    const ofA = { id: 'of-a', reading, task: 'a' };
    expect(assigned(run, 'b').work).toMatchObject({ prompt: 'y', conversation: { ...ofA, mode: 'continue' } });
    expect(assigned(run, 'c').work).toMatchObject({ prompt: 'z', conversation: { ...ofA, mode: 'fork' } });
    const later = { ...reading, usd: 3 };
    run.hears({ ...about, task: 'b', result: OK, conversation: { id: 'of-a', reading: later } });
    expect(assigned(run, 'c').work).toMatchObject({ conversation: { id: 'of-a', reading: later } });
  });

  test('is checked by a command with its values, and fails without going back where a value is missing', () => {
    const run = given('a: { prompt: x, check: "test {{ steps.main.response }} {{ steps.main.output.n }}" }', {
      ...merged,
      plan: 'attempts: 3',
    });
    run.says('a', { said: { output: { n: 3 } } });
    expect(assigned(run, 'a').work).toMatchObject({
      command: `HEDDLE_VALUE_1='said'; HEDDLE_VALUE_2='3'; test "$HEDDLE_VALUE_1" "$HEDDLE_VALUE_2"`,
    });
    const without = given('a: { prompt: x, check: "test {{ steps.main.output.n }}" }', {
      ...merged,
      plan: 'attempts: 3',
    });
    without.says('a', 'done');
    const answer = assign(without.state(), { work: 'check', task: 'a', step: undefined, attempt: 1 }, GIVEN);
    assert(answer.type === 'refused', 'A value is missing.');
    without.hears(answer.outcome);
    expect(without.endings()).toEqual({ a: 'failed (expression)' });
  });

  test('gets the end of the output of a failed check, and not after the check passed', () => {
    const run = given('a: { prompt: do it, check: t }', { ...merged, plan: 'attempts: 3' });
    run.says('a', 'done', 'failed');
    expect(assigned(run, 'a').work).toMatchObject({
      prompt: 'do it\n\nThis was done before, and then the check failed. The end of what it said:\n\ntail',
    });
    run.says('a', 'done', 'passed', 'conflict', 'done', 'passed', 'failed');
    expect(assigned(run, 'a').work).toMatchObject({ prompt: expect.stringContaining('The end of what it said') });
  });

  test('a person who retries a task tells its agent what to do, until the task is retried again', () => {
    const run = given('a: { prompt: do it }\nb: { needs: [a], prompt: next }', { plan: 'attempts: 1' });
    run.says('a', 'crashed');
    run.hears({ type: 'retry', tasks: ['a'], text: 'Keep the old route.' });
    const told = 'do it\n\nThis was done before, and a person asks for it again:\n\nKeep the old route.';
    expect(assigned(run, 'a').work).toMatchObject({ prompt: told });
    expect(fold(run.log).tasks[0]?.told).toBe('Keep the old route.');
    run.says('a', 'crashed');
    run.retry('a');
    expect(assigned(run, 'a').work).toMatchObject({ prompt: 'do it' });
    run.says('a', 'done');
    expect(assigned(run, 'b').work).toMatchObject({ prompt: 'next' });
  });

  test('a person who retries a step that asks goes on with its agent', () => {
    const run = given('a: { prompt: do it, on_error: gate }', { plan: 'attempts: 1' });
    run.says('a', { said: { ok: false, response: 'no luck' } });
    run.hears({ type: 'retry', tasks: ['a'], text: 'Try the other door.' });
    expect(assigned(run, 'a').work).toMatchObject({ prompt: expect.stringContaining('Try the other door.') });
  });

  test('gets no check output when the task goes back to another step', () => {
    const run = given('a:\n  check: t\n  steps: [{ id: p, prompt: one }, { id: q, prompt: two }]', merged);
    run.says('a/p', 'done');
    run.says('a/q', 'done');
    run.says('a', 'failed');
    expect(assigned(run, 'a')).toMatchObject({
      claim: { step: 'q' },
      work: { prompt: expect.stringContaining('tail') },
    });
  });

  test('on a conflict gets both sides, their intents, and the files in conflict', () => {
    const run = given(
      'a: { prompt: Add a flag, check: npm test }\nb: { description: Rename the tool, run: x }',
      merged,
    );
    run.says('b', { said: { commit: 'tip of b' } }, 'merged');
    run.says('a', { said: { commit: 'tip of a' } }, 'passed', { conflictsWith: ['b'] });
    const { work, sandbox, output } = assigned(run, 'a');
    expect(sandbox).toMatchObject({ from: 'tip of a', onto: 'onto' });
    expect(output).toBeUndefined();
    expect(work.type === 'turn' ? work.prompt : '').toMatchInlineSnapshot(`
      "The work of the task a does not fit together with what has been merged before it from b. Make it fit: the files of this folder hold both sides, with conflict markers where they differ, and between the markers also what both began with. What markers cannot show is told in HEDDLE-CONFLICTS.md, if that is there: decide what it lists, then delete it.

      Where both began: base
      This task's side: tip of a
      The other side: onto

      Files in conflict:
      - file

      What a was to do:

      Add a flag

      What b was to do:

      Rename the tool

      Keep what both sides were to do; never settle it by dropping one of them. Leave no conflict marker behind.

      It is done when this passes: npm test"
    `);
  });

  test('on a conflict names no more files than an agent would read', () => {
    const run = given('a: { prompt: x }', merged);
    run.says('a', 'done');
    const paths = Array.from({ length: 103 }, (_, at) => `file-${at}`);
    run.hears({ type: 'conflict', ...claimOf(run, 'a'), spend: NO_COST, paths, with: [], onto: undefined });
    const { work } = assigned(run, 'a');
    expect(work.type === 'turn' ? work.prompt : '').toContain('- file-99\n- and 3 more\n\n');
  });
});

describe('the spending limit of a turn', () => {
  const PLAN = 'budget: { usd: 3 }\nagents: { bot: { use: scripted, reserve: { usd: 1, tokens: 0 } } }\nagent: bot';

  test('is the rest of the tightest ceiling beside the reservations of others', () => {
    const run = given('a: { prompt: x }\nb: { prompt: x, budget: { usd: 1.5 } }', { plan: PLAN });
    expect(assigned(run, 'a').work).toMatchObject({ ceilingUsd: 2 });
    expect(assigned(run, 'b').work).toMatchObject({ ceilingUsd: 1.5 });
    run.says('a', { said: {}, spend: { usd: 2, tokens: 0 } });
    expect(assigned(run, 'b').work).toMatchObject({ ceilingUsd: 1 });
  });

  test('is undefined without a ceiling in dollars', () => {
    const run = given('a: { prompt: x }', { plan: PLAN.replace('usd: 3', 'tokens: 10M') });
    expect(assigned(run, 'a').work).not.toHaveProperty('ceilingUsd');
  });
});

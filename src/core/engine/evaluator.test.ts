import { describe, expect, test } from 'vitest';
import { given } from './run.given.ts';

const object = 'output: { type: object }';

describe('a join of tasks', () => {
  test('gives a header and the response of each need, in the order of needs', () => {
    const run = given('a: { run: x }\nb: { run: x }\nj: { needs: [b, a], join: }');
    run.says('a', { said: { response: 'one' } });
    run.says('b', { said: { response: 'two' } });
    expect(run.state().tasks[2]?.result?.response).toBe('[b]:\ntwo\n\n[a]:\none');
    expect(run.endings()).toMatchObject({ j: 'done' });
  });

  test('as data has one key per need, by path where ids are equal', () => {
    const run = given(
      `s: { tasks: { a: { run: x, ${object} } } }\nt: { tasks: { a: { run: x, ${object} }, b: { run: x, ${object} } } }\nj: { needs: [s.a, t.a, t.b], join: true, ${object} }`,
    );
    run.says('s.a', { said: { output: 1 } });
    run.says('t.a', { said: { output: 2 } });
    run.says('t.b', { said: { output: [3] } });
    expect(run.state().tasks.at(-1)?.result?.output).toEqual({ 's.a': 1, 't.a': 2, b: [3] });
  });

  test('fails fast: the other needs are ended at once', () => {
    const run = given('a: { run: x }\nb: { run: x }\nj: { needs: [a, b], join: }', { plan: 'attempts: 1' });
    run.says('a', 'failed');
    expect(run.owed()).toEqual(['stop b#1']);
    run.says('b', 'stopped');
    expect(run.endings()).toEqual({ a: 'failed (failed)', b: 'cancelled (fail_fast)', j: 'failed (need)' });
  });

  test('waits for all: a failed need contributes its error', () => {
    const run = given(
      `a: { run: x, ${object} }\nb: { run: x, ${object} }\nj: { needs: [a, b], join: { on_error: wait_for_all }, ${object} }`,
      {
        plan: 'attempts: 1',
      },
    );
    run.says('a', 'timeout');
    run.says('b', { said: { output: { n: 1 } } });
    expect(run.state().tasks[2]?.result?.output).toEqual({
      a: { error: 'a ended as failed (timeout).', error_type: 'timeout' },
      b: { n: 1 },
    });
    expect(run.endings()).toMatchObject({ j: 'done' });
  });

  test('over any of its needs does not end the others when one fails, and joins the needs that are done', () => {
    const run = given('a: { run: x }\nb: { run: x }\nc: { run: x }\nj: { needs: { any: [a, b, c] }, join: }', {
      plan: 'attempts: 1',
    });
    run.says('a', 'failed');
    expect(run.owed()).toEqual(['work b#1', 'work c#1']);
    run.says('b', { said: { response: 'ok' } });
    expect(run.state().tasks[3]?.result?.response).toBe('[a]:\na ended as failed (failed).\n\n[b]:\nok');
  });

  test('over two of three fails fast as soon as two cannot succeed any more', () => {
    const run = given(
      'a: { run: x }\nb: { run: x }\nc: { run: x }\nj: { needs: { at_least: 2, of: [a, b, c] }, join: }',
      {
        plan: 'attempts: 1',
      },
    );
    run.says('a', 'failed');
    expect(run.owed()).toEqual(['work b#1', 'work c#1']);
    run.says('b', 'failed');
    expect(run.endings()).toMatchObject({ j: 'failed (need)' });
    expect(run.owed()).toEqual(['stop c#1']);
  });

  test('over two of three that waits for all joins every done need when fewer than two succeed', () => {
    const join = '{ needs: { at_least: 2, of: [a, b, c] }, join: { on_error: wait_for_all } }';
    const run = given(`a: { run: x }\nb: { run: x }\nc: { run: x }\nj: ${join}`, { plan: 'attempts: 1' });
    run.says('a', 'failed');
    run.says('b', 'failed');
    expect(run.endings()).toMatchObject({ j: 'not ended' });
    run.says('c', { said: { response: 'fine' } });
    expect(run.state().tasks[3]?.result?.response).toContain('[c]:\nfine');
  });
});

describe('the values that an expression may read', () => {
  test('are inputs, and results of tasks in the nearest scope', () => {
    const run = given(
      `a: { run: x, ${object} }\ns:\n  needs: [a]\n  tasks:\n    a: { run: x, ${object} }\n    b: { needs: [a], when: tasks.a.output.n == inputs.two && tasks.a.exit_code == 0, run: x }`,
      { plan: 'inputs: { two: { type: number } }', inputs: { two: 2 } },
    );
    run.says('a', { said: { output: { n: 1 } } });
    run.says('s.a', { said: { output: { n: 2 } } });
    expect(run.claims()).toEqual(['s.b#1']);
  });

  test('include the cost of a task, with failed attempts and inner tasks', () => {
    const run = given('s: { tasks: { p: { prompt: x } } }\nb: { needs: [s], when: tasks.s.cost > 0.5, run: x }');
    run.says('s.p', { lost: 'timeout', spend: { usd: 0.4, tokens: 0 } });
    run.waits(60_000);
    run.says('s.p', { said: {}, spend: { usd: 0.2, tokens: 0 } });
    expect(run.claims()).toEqual(['b#1']);
  });

  test('include the commit of a merged task', () => {
    const run = given('a: { run: x }\nb: { needs: [a], when: tasks.a.commit == "commit of a", run: x }', {
      tree: 'auto',
    });
    run.says('a', 'done', 'merged');
    expect(run.claims()).toEqual(['b#1']);
  });

  test('say that a task which failed after successful steps is not ok', () => {
    const tasks =
      'a: { run: x, check: t }\nj: { needs: [a], join: { on_error: wait_for_all } }\nb: { needs: [j], when: tasks.a.ok, run: x }';
    for (const words of [['failed'], ['passed', 'conflict', 'reject'], ['passed', 'refused']] as const) {
      const run = given(tasks, { tree: 'auto', plan: 'attempts: 1' });
      run.says('a', 'done', ...words);
      expect(run.endings()).toMatchObject({ j: 'done', b: 'skipped (condition)' });
    }
  });

  test('say that a step which its own rule aborted is not ok', () => {
    const steps = [
      '    - { id: p, run: x, async: true, on_result: [{ if: exit_code == 0, do: abort }] }',
      '    - { id: j, action: join, needs: [p], on_error: wait_for_all }',
      '    - { id: z, run: x, when: steps.p.ok }',
    ];
    const run = given(['a:', '  steps:', ...steps].join('\n'));
    run.says('a/p', 'done');
    expect(run.trace()).toContain('step.skipped a/z skipped (condition)');
  });

  test('include the step that on_result evaluates, with the result of this round', () => {
    const step = '{ id: p, run: x, on_result: [{ if: steps.p.exit_code == 0 && result.ok, do: abort }] }';
    const run = given(`a: { steps: [${step}] }`);
    run.says('a/p', 'done');
    expect(run.endings()).toMatchObject({ a: expect.stringContaining('failed') });
    expect(run.trace().join()).not.toContain('expression');
  });

  test('say that a skipped task is not ok', () => {
    const run = given('a: { when: "1 > 2", run: x }\nb: { needs: [a], when: "!tasks.a.ok", run: x }');
    expect(run.claims()).toEqual(['b#1']);
  });

  test('include two tasks of one subplan side by side', () => {
    const run = given(
      's: { tasks: { p: { run: x }, q: { run: x } } }\nb: { needs: [s], when: tasks.s.p.ok && tasks.s.q.ok && tasks.s.ok, run: x }',
    );
    run.says('s.p', 'done');
    run.says('s.q', 'done');
    expect(run.claims()).toEqual(['b#1']);
  });
});

describe('for_each over a known list', () => {
  test('makes one copy per item, each with its own value', () => {
    const run = given('e:\n  for_each:\n    in: [3, 7]\n    as: n\n    task: { run: x, when: n > 5 }');
    expect(run.endings()).toMatchObject({ 'e.1': 'skipped (condition)', 'e.2': 'not ended' });
    expect(run.claims()).toEqual(['e.2#1']);
  });

  test('passes straight through when the list is empty', () => {
    const run = given('e: { for_each: { in: [], task: { run: x } } }\nb: { needs: [e], run: x }');
    expect(run.endings()).toMatchObject({ e: 'done' });
    expect(run.claims()).toEqual(['b#1']);
  });

  test('is skipped when the list is empty and the condition is false', () => {
    const run = given('e: { when: "1 > 2", for_each: { in: [], task: { run: x } } }');
    expect(run.endings()).toEqual({ e: 'skipped (condition)' });
  });

  test('may be nested, and inner copies read both items', () => {
    const run = given(
      'e:\n  for_each:\n    in: [1, 2]\n    as: row\n    task:\n      for_each:\n        in: [1, 2]\n        as: column\n        task: { run: x, when: row == column }',
    );
    expect(run.claims()).toEqual(['e.1.1#1', 'e.2.2#1']);
  });
});

describe('for_each over a list from the run', () => {
  const tasks = `a: { run: x, ${object} }\ne:\n  needs: [a]\n  for_each:\n    in: tasks.a.output.files\n    max: 3\n    as: file\n    task: { run: x, when: file != "b" }\nz: { needs: [e], run: x }`;

  test('opens as many copies as there are items, and skips the others', () => {
    const run = given(tasks);
    run.says('a', { said: { output: { files: ['a', 'b'] } } });
    expect(run.claims()).toEqual(['e.1#1']);
    expect(run.endings()).toMatchObject({ 'e.2': 'skipped (condition)', 'e.3': 'skipped (no_item)' });
    run.says('e.1', 'done');
    expect(run.claims()).toEqual(['z#1']);
  });

  test('skips all copies when the list is empty, and is done', () => {
    const run = given(tasks);
    run.says('a', { said: { output: { files: [] } } });
    expect(run.endings()).toMatchObject({ e: 'done', 'e.1': 'skipped (no_item)' });
    expect(run.claims()).toEqual(['z#1']);
  });

  test('fails when the list is longer than max, and begins nothing', () => {
    const run = given(tasks);
    const lines = run.says('a', { said: { output: { files: ['p', 'q', 'r', 's'] } } });
    expect(lines).toContain(
      'task.skipped e.1 failed (expression) by tasks.a.output.files gives 4 items, more than the 3 that max allows.',
    );
    expect(run.endings()).toMatchObject({ e: 'failed (expression)', z: 'cancelled (need)' });
  });

  test('fails when the value is no list', () => {
    const run = given(tasks);
    expect(run.says('a', { said: { output: { files: 'p' } } })).toContain(
      'task.skipped e.1 failed (expression) by tasks.a.output.files gives "p", not a list.',
    );
    expect(run.endings()).toMatchObject({ e: 'failed (expression)' });
  });

  test('fails with the reason when the list cannot be evaluated', () => {
    const run = given(tasks);
    const lines = run.says('a', { said: { output: {} } });
    expect(lines.find((line) => line.startsWith('task.skipped e.1 failed (expression) by '))).toContain('files');
  });

  test('may be nested in another, whose item it reads', () => {
    const run = given(
      `a: { run: x, ${object} }\ne:\n  needs: [a]\n  for_each:\n    in: tasks.a.output.groups\n    max: 2\n    as: group\n    task:\n      for_each:\n        in: group.files\n        max: 2\n        as: file\n        task: { run: x, when: file != group.name }`,
    );
    run.says('a', { said: { output: { groups: [{ name: 'p', files: ['p', 'q'] }] } } });
    expect(run.claims()).toEqual(['e.1.2#1']);
    expect(run.endings()).toMatchObject({ 'e.2': 'skipped (no_item)', 'e.2.1': 'skipped (no_item)' });
  });
});

test('a name shared by a sibling and an outer subplan means the same as in the check before the run', () => {
  const run = given(`a: { tasks: { b: { run: x } } }
s: { needs: [a], tasks: { a: { run: x }, c: { needs: [a], when: tasks.a.b.ok, run: x } } }`);
  run.says('a.b', 'done');
  run.says('s.a', 'done');
  expect(run.claims()).toEqual(['s.c#1']);
});

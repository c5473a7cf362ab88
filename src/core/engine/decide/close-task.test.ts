import { describe, expect, test } from 'vitest';
import { evaluatorOf } from '../evaluator.ts';
import { given, type Run } from '../run.given.ts';

/** Two needs and the join over them, with one rule. */
const plan = (rule: string, { join = 'wait_for_all', more = '', when = '!response.contains("said")' } = {}): string =>
  `a: { run: x, attempts: 1 }\nb: { run: x, attempts: 1 }\nj: { needs: [a, b], join: { on_error: ${join} }, attempts: 3, on_result: [{ if: ${JSON.stringify(when)}, do: ${rule} }]${more} }\nz: { needs: [j], run: x }`;
const ALWAYS = { when: 'true' };
const FAILED = { when: '!tasks.b.ok' };

function ended(run: Run): Run {
  run.says('a', 'done');
  run.says('b', 'failed');
  return run;
}

describe('a join task with on_result', () => {
  test.each(['fail_fast', 'wait_for_all'])('abort fails it with the rule as the cause, with %s', (join) => {
    const run = given(plan('abort', { join, ...ALWAYS }));
    run.says('a', 'done');
    run.says('b', 'done');
    expect(run.endings()).toEqual({ a: 'done', b: 'done', j: 'failed (failed)', z: 'cancelled (need)' });
    expect(run.log.find((event) => event.type === 'task.ended' && event.task === 'j')).toMatchObject({
      cause: 'on_result says abort: true',
      result: { ok: true },
    });
  });

  test('continue ends it well, also when its output does not fit', () => {
    const schema = 'output: { type: object, required: [a] }';
    const text = `a: { run: x, output: { type: object } }\nj: { needs: [a], join: true, ${schema}, on_result: [{ if: "!ok", do: continue }] }\nk: { needs: [a], join: true, ${schema} }`;
    const fits = (wanted: object): string | undefined => ('required' in wanted ? 'a is missing' : undefined);
    const run = given(text, { evaluator: evaluatorOf({ inputs: {}, env: {}, fits }) });
    run.says('a', { said: { output: { score: 3 } } });
    expect(run.endings()).toEqual({ a: 'done', j: 'done', k: 'failed (output)' });
  });

  test('the first rule that holds reads the output of the join by the names of its needs', () => {
    const output = 'output: { type: object, properties: { score: { type: number } } }';
    const run = given(
      `a: { run: x, ${output} }\nj: { needs: [a], join: true, output: { type: object }, on_result: [{ if: output.a.score > 7, do: continue }, { if: result.ok, do: abort }] }`,
    );
    run.says('a', { said: { output: { score: 3 } } });
    expect(run.endings()).toEqual({ a: 'done', j: 'failed (failed)' });
  });

  test('a condition that cannot be evaluated fails it with a typed reason', () => {
    const run = given(plan('abort', { when: 'output.a > 3' }));
    ended(run);
    expect(run.endings()).toMatchObject({ j: 'failed (expression)' });
  });

  test('a failed need fails a join that fails fast before its rules are read', () => {
    const run = ended(given(plan('continue', { join: 'fail_fast', ...ALWAYS })));
    expect(run.endings()).toMatchObject({ j: 'failed (need)', z: 'cancelled (need)' });
  });
});

describe('gate on a join task', () => {
  const asked = (): Run => {
    const run = ended(given(plan('gate', ALWAYS)));
    expect(run.owed()).toEqual(['ask j#1']);
    return run;
  };

  test('asks a person, who approves or rejects, and the result stays', () => {
    const approved = asked();
    approved.says('j', 'approve');
    expect(approved.endings()).toMatchObject({ j: 'done', z: 'not ended' });
    expect(approved.log.find((event) => event.type === 'task.ended' && event.task === 'j')).toMatchObject({
      result: { response: expect.stringContaining('[a]:') },
    });
    const rejected = asked();
    rejected.says('j', 'reject');
    expect(rejected.endings()).toMatchObject({ j: 'failed (rejected)', z: 'cancelled (need)' });
  });

  test('a retry by a person runs the failed needs again, and the join asks again', () => {
    const run = asked();
    expect(run.retry('j')).toContain('task.reset b j');
    expect(run.claims()).toEqual(['b#2']);
    run.says('b', 'done');
    expect(run.owed()).toEqual(['ask j#2']);
    // An answer to the question before is stale.
    run.hears({ type: 'answered', task: 'j', step: undefined, attempt: 1, answer: 'reject' });
    run.says('j', 'approve');
    expect(run.endings()).toMatchObject({ a: 'done', b: 'done', j: 'done' });
  });

  test('a retry without a failed need changes nothing, and cancelling ends the question', () => {
    const run = given(plan('gate', ALWAYS));
    run.says('a', 'done');
    run.says('b', 'done');
    expect(run.retry('j')).toEqual([]);
    run.cancel('j');
    expect(run.endings()).toMatchObject({ j: 'cancelled (cancelled)' });
    expect(run.owed()).toEqual([]);
  });
});

describe('retry on a join task', () => {
  test('runs the failed needs again, and no other, up to the attempts of the join', () => {
    const run = ended(given(plan('retry', FAILED)));
    expect(run.trace()).toContain('task.reset b j');
    expect(run.claims()).toEqual(['b#2']);
    run.says('b', 'failed');
    expect(run.claims()).toEqual(['b#3']);
    run.says('b', 'failed');
    expect(run.endings()).toEqual({ a: 'done', b: 'failed (failed)', j: 'failed (failed)', z: 'cancelled (need)' });
  });

  test('goes on with the result of the needs that succeed the second time', () => {
    const run = ended(given(plan('retry', FAILED)));
    run.says('b', 'done');
    expect(run.endings()).toMatchObject({ b: 'done', j: 'done', z: 'not ended' });
  });

  test('fails the join when no need of it failed, because merged work is not undone', () => {
    const run = given(plan('retry', ALWAYS));
    run.says('a', 'done');
    run.says('b', 'done');
    expect(run.endings()).toMatchObject({ a: 'done', b: 'done', j: 'failed (failed)' });
    expect(run.log.findLast((event) => event.type === 'task.ended' && event.task === 'j')).toMatchObject({
      cause: 'on_result says retry: true',
    });
  });

  test('leaves alone a need that a person cancelled', () => {
    const run = given(plan('retry', FAILED));
    run.says('a', 'done');
    run.cancel('b');
    run.says('b', 'stopped');
    expect(run.endings()).toMatchObject({ b: 'cancelled (cancelled)', j: 'failed (failed)' });
  });

  test('runs again what failed before a need, and the tasks between', () => {
    const run = given(
      `a: { run: x, attempts: 1 }\nb: { needs: [a], run: x }\nj: { needs: [b], join: { on_error: wait_for_all }, on_result: [{ if: "!tasks.b.ok", do: retry }] }`,
    );
    run.says('a', 'failed');
    expect(run.trace()).toContain('task.reset a b j');
    run.says('a', 'done');
    run.says('b', 'done');
    expect(run.endings()).toEqual({ a: 'done', b: 'done', j: 'done' });
  });

  test('works in a subplan and over a subplan', () => {
    const rule = (need: string): string =>
      `needs: [${need}], join: { on_error: wait_for_all }, on_result: [{ if: "!tasks.${need}.ok", do: retry }]`;
    const run = given(`s:\n  tasks:\n    a: { run: x, attempts: 1 }\n    j: { ${rule('a')} }\nj: { ${rule('s')} }`);
    run.says('s.a', 'failed');
    run.says('s.a', 'failed');
    // The inner join is used up, so its subplan fails and the outer join has its turn.
    expect(run.claims()).toEqual(['s.a#3']);
    run.says('s.a', 'done');
    expect(run.endings()).toEqual({ s: 'done', 's.a': 'done', 's.j': 'done', j: 'done' });
  });

  test('works over the copies of a for_each', () => {
    const run = given(
      `f: { for_each: { in: [p, q], task: { run: x, attempts: 1 } } }\nj: { needs: [f], join: { on_error: wait_for_all }, on_result: [{ if: "!tasks.f.ok", do: retry }] }`,
    );
    run.says('f.p', 'done');
    run.says('f.q', 'failed');
    expect(run.claims()).toEqual(['f.q#2']);
    run.says('f.q', 'done');
    expect(run.endings()).toEqual({ f: 'done', 'f.p': 'done', 'f.q': 'done', j: 'done' });
  });

  test('works in each copy of a for_each, with a structured output', () => {
    const schema = 'output: { type: object }';
    const run = given(
      `f:\n  for_each:\n    in: [p, q]\n    task:\n      tasks:\n        a: { run: x, attempts: 1, ${schema} }\n        j: { needs: [a], join: { on_error: wait_for_all }, ${schema}, on_result: [{ if: has(output.a.error), do: retry }] }`,
    );
    run.says('f.p.a', { said: { output: {} } });
    run.says('f.q.a', 'failed');
    expect(run.claims()).toEqual(['f.q.a#2']);
    run.says('f.q.a', { said: { output: {} } });
    expect(run.endings()).toMatchObject({ f: 'done', 'f.p.j': 'done', 'f.q.j': 'done' });
  });
});

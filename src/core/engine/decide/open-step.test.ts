import { describe, expect, test } from 'vitest';
import { misfitOfOutput } from '../../plan/expressions/output-fit.ts';
import { evaluatorOf } from '../evaluator.ts';
import { given, type Run } from '../run.given.ts';

const once = { plan: 'attempts: 1' };
const task = (steps: readonly string[], more = ''): string =>
  `a:\n  steps:\n${steps.map((step) => `    - { ${step} }`).join('\n')}\n${more}`;

describe('steps', () => {
  test('run one after the other', () => {
    const run = given(task(['id: p, prompt: x', 'id: q, run: x']));
    expect(run.claims()).toEqual(['a/p#1']);
    run.says('a', 'done');
    expect(run.claims()).toEqual(['a/q#1']);
    run.says('a', 'done');
    expect(run.endings()).toEqual({ a: 'done' });
  });

  test('after a failed step are cancelled, and the task fails for its reason', () => {
    const run = given(task(['id: p, prompt: x', 'id: q, run: x', 'id: r, run: x']), once);
    expect(run.says('a', 'timeout')).toEqual([
      'claim.ended a/p failed (timeout)',
      'step.skipped a/q cancelled (need) by a/p',
      'step.skipped a/r cancelled (need) by a/p',
      'task.ended a failed (timeout)',
      'run.ended',
    ]);
  });

  test('may be a thousand', () => {
    const run = given(task(Array.from({ length: 1000 }, (_, index) => `id: s${index}, run: x`)));
    for (let index = 0; index < 1000; index += 1) run.says('a', 'done');
    expect(run.isEnded()).toBe(true);
    expect(run.trace()).toHaveLength(2004);
  });

  test('are skipped when their condition is false, which satisfies the next step', () => {
    const run = given(task(['id: p, run: x', 'id: q, run: x, when: "!steps.p.ok"', 'id: r, run: x']));
    expect(run.says('a/p', 'done')).toContain('step.skipped a/q skipped (condition)');
    expect(run.claims()).toEqual(['a/r#1']);
    run.says('a/r', 'done');
    expect(run.endings()).toEqual({ a: 'done' });
  });

  test('fail with a typed reason when their condition cannot be evaluated', () => {
    const run = given(task(['id: p, run: x, output: { type: object }', 'id: q, run: x, when: steps.p.output.n > 1']));
    run.says('a/p', { said: { output: {} } });
    expect(run.endings()).toEqual({ a: 'failed (expression)' });
  });

  test('hold no slot between two steps', () => {
    const run = given(`${task(['id: p, run: x', 'id: q, run: x'])}b: { run: x }`, {
      plan: 'max_parallel: 1',
      priorities: [[1, 0], [5]],
    });
    expect(run.claims()).toEqual(['b#1']);
    run.says('b', 'done');
    expect(run.claims()).toEqual(['a/p#1']);
  });
});

describe('an async step', () => {
  const steps = ['id: p, run: x, async: true', 'id: q, run: x', 'id: r, run: x, needs: [p]'];

  test('is started without blocking the next step, and collected by the step that needs it', () => {
    const run = given(task(steps));
    expect(run.claims()).toEqual(['a/p#1', 'a/q#1']);
    run.says('a/q', 'done');
    expect(run.claims()).toEqual(['a/p#1']);
    run.says('a/p', 'done');
    expect(run.claims()).toEqual(['a/r#1']);
  });

  test('that fails ends the other steps of its task, running steps too', () => {
    const run = given(task(steps), once);
    run.says('a/p', 'failed');
    expect(run.owed()).toEqual(['stop a/q#1']);
    expect(run.says('a/q', 'stopped')).toEqual([
      'claim.ended a/q cancelled (need) by a/p',
      'step.skipped a/r cancelled (need) by a/p',
      'task.ended a failed (failed)',
      'run.ended',
    ]);
  });

  test('is ended when a step in sequence fails', () => {
    const run = given(task(steps), once);
    run.says('a/q', 'failed');
    run.says('a/p', 'done');
    expect(run.trace()).toContain('claim.ended a/p cancelled (need) by a/q');
    expect(run.endings()).toEqual({ a: 'failed (failed)' });
  });

  test('that waits for its slot is dropped when another step fails', () => {
    const run = given(task(steps), { plan: 'attempts: 1\nmax_parallel: 1', priorities: [[0, 1, 0]] });
    expect(run.claims()).toEqual(['a/q#1']);
    run.says('a/q', 'failed');
    expect(run.trace()).toContain('step.skipped a/p cancelled (need) by a/q');
    expect(run.isEnded()).toBe(true);
  });

  test('takes a slot of its task, whose own cap applies', () => {
    const many = ['id: p, run: x, async: true', 'id: q, run: x, async: true', 'id: r, run: x, needs: [p, q]'];
    const run = given(`${task(many, '  max_parallel: 1\n')}b: { run: x }`);
    expect(run.claims()).toEqual(['a/p#1', 'b#1']);
    run.says('a/p', 'done');
    expect(run.claims()).toEqual(['b#1', 'a/q#1']);
  });

  test('may itself collect another async step', () => {
    const run = given(
      task(['id: p, run: x, async: true', 'id: q, run: x, async: true, needs: [p]', 'id: r, run: x, needs: [q]']),
    );
    expect(run.claims()).toEqual(['a/p#1']);
    run.says('a/p', 'done');
    expect(run.claims()).toEqual(['a/q#1']);
    run.says('a/q', 'done');
    expect(run.claims()).toEqual(['a/r#1']);
  });
});

describe('a join of steps', () => {
  const join = (rule: string): readonly string[] => [
    'id: p, run: x, async: true',
    'id: q, run: x, async: true',
    `id: j, action: join, needs: [p, q], on_error: ${rule}`,
  ];
  const responseOf = (run: ReturnType<typeof given>): string | undefined => run.state().tasks[0]?.result?.response;

  test('gives a header and the response of each need, in the order of needs', () => {
    const run = given(task(join('fail_fast')));
    run.says('a/q', { said: { response: 'second' } });
    run.says('a/p', { said: { response: 'first' } });
    expect(responseOf(run)).toBe('[p]:\nfirst\n\n[q]:\nsecond');
    expect(run.endings()).toEqual({ a: 'done' });
  });

  test('merges steps in sequence and async steps', () => {
    const run = given(task(['id: p, run: x', 'id: q, run: x, async: true', 'id: j, action: join, needs: [q, p]']));
    run.says('a/p', { said: { response: 'one' } });
    run.says('a/q', { said: { response: 'two' } });
    expect(responseOf(run)).toBe('[q]:\ntwo\n\n[p]:\none');
  });

  test('fails fast: the other steps are ended, running steps too', () => {
    const run = given(task(join('fail_fast')), once);
    run.says('a/p', 'failed');
    expect(run.owed()).toEqual(['stop a/q#1']);
    expect(run.says('a/q', 'stopped')).toEqual([
      'claim.ended a/q cancelled (need) by a/p',
      'step.skipped a/j failed (need) by a/p',
      'task.ended a failed (need) by a/p',
      'run.ended',
    ]);
  });

  test('fails fast: other steps that have not begun are dropped', () => {
    const run = given(
      task([
        'id: p, run: x, async: true',
        'id: m, run: x',
        'id: q, run: x, async: true',
        'id: j, action: join, needs: [p, q]',
      ]),
      once,
    );
    run.says('a/p', 'failed');
    expect(run.owed()).toEqual(['work a/m#1']);
    run.says('a/m', 'done');
    expect(run.trace()).toContain('step.skipped a/q cancelled (need) by a/p');
    expect(run.endings()).toEqual({ a: 'failed (need)' });
  });

  test('waits for all: a failed need contributes its error', () => {
    const run = given(task(join('wait_for_all')), once);
    run.says('a/p', 'timeout');
    expect(run.owed()).toEqual(['work a/q#1']);
    run.says('a/q', { said: { response: 'fine' } });
    expect(responseOf(run)).toBe('[p]:\np ended as failed (timeout).\n\n[q]:\nfine');
    expect(run.endings()).toEqual({ a: 'done' });
  });

  test('as data has one key per need, and an error entry for a failed need', () => {
    const output = 'output: { type: object }';
    const run = given(
      task([
        `id: p, run: x, async: true, ${output}`,
        `id: q, run: x, async: true, ${output}`,
        `id: j, action: join, needs: [p, q], on_error: wait_for_all, ${output}`,
      ]),
      once,
    );
    run.says('a/p', { said: { output: { score: 7 } } });
    run.says('a/q', 'crashed');
    expect(run.state().tasks[0]?.result?.output).toEqual({
      p: { score: 7 },
      q: { error: 'q ended as failed (crashed).', error_type: 'crashed' },
    });
  });

  describe('whose data is checked as it is joined', () => {
    const evaluator = evaluatorOf({ inputs: {}, env: {}, fits: misfitOfOutput });
    const open = 'output: { type: object }';
    const strict =
      'output: { type: object, required: [p, q], properties: { p: { type: object, required: [score] }, q: { type: object, required: [score] } } }';
    const plan = task([
      `id: p, run: x, async: true, ${open}`,
      `id: q, run: x, async: true, ${open}`,
      `id: j, action: join, needs: [p, q], on_error: wait_for_all, ${strict}`,
    ]);

    test('the error of a failed need is valid, whatever its declared shape', () => {
      const run = given(plan, { ...once, evaluator });
      run.says('a/p', { said: { output: { score: 7 } } });
      run.says('a/q', 'crashed');
      expect(run.endings()).toEqual({ a: 'done' });
    });

    test('a value of another shape fails the join, with the reason', () => {
      const run = given(plan, { ...once, evaluator });
      run.says('a/p', { said: { output: { score: 7 } } });
      run.says('a/q', { said: { output: { other: 1 } } });
      expect(run.endings()).toEqual({ a: 'failed (output)' });
      const dropped = run.log.find((event) => event.type === 'step.skipped');
      expect(dropped).toMatchObject({ cause: expect.stringContaining("must have required property 'score'") });
    });

    test('so is the data of a join of tasks', () => {
      const tasks = `a: { run: x, ${open} }
b: { run: x, ${open} }
j: { join: { on_error: wait_for_all }, needs: [a, b], ${strict.replaceAll('p:', 'a:').replaceAll('q:', 'b:').replace('[p, q]', '[a, b]')} }`;
      const run = given(tasks, { ...once, evaluator });
      run.says('a', { said: { output: { score: 7 } } });
      run.says('b', { said: { output: {} } });
      expect(run.endings()).toMatchObject({ j: 'failed (output)' });
      const other = given(tasks, { ...once, evaluator });
      other.says('a', { said: { output: { score: 7 } } });
      other.says('b', 'crashed');
      expect(other.endings()).toMatchObject({ b: 'failed (crashed)', j: 'done' });
    });
  });

  test('ignores a need that may fail', () => {
    const run = given(
      task([
        'id: p, run: x, async: true, on_error: continue',
        'id: q, run: x, async: true',
        'id: j, action: join, needs: [p, q]',
      ]),
      once,
    );
    run.says('a/p', 'failed');
    expect(run.owed()).toEqual(['work a/q#1']);
    run.says('a/q', 'done');
    expect(run.endings()).toEqual({ a: 'done' });
  });

  test('may share a need with another join', () => {
    const run = given(
      task([
        'id: p, run: x, async: true',
        'id: q, run: x, async: true',
        'id: r, run: x, async: true',
        'id: j, action: join, needs: [p, q]',
        'id: k, action: join, needs: [q, r]',
      ]),
    );
    run.says('a/q', 'done');
    run.says('a/p', 'done');
    expect(run.trace()).toContain('step.joined a/j done');
    expect(run.isEnded()).toBe(false);
    run.says('a/r', 'done');
    expect(run.endings()).toEqual({ a: 'done' });
  });

  test('is skipped when its condition is false', () => {
    const run = given(
      task(['id: p, run: x, async: true', 'id: j, action: join, needs: [p], when: "1 > 2"', 'id: q, run: x']),
    );
    run.says('a/p', 'done');
    expect(run.claims()).toEqual(['a/q#1']);
  });
});

describe('on_error', () => {
  test('continue: the task continues', () => {
    const run = given(task(['id: p, run: x, on_error: continue', 'id: q, run: x, when: "!steps.p.ok"']), once);
    run.says('a/p', 'failed');
    run.says('a/q', 'done');
    expect(run.endings()).toEqual({ a: 'done' });
  });

  test('gate: a person approves, and the step counts as done', () => {
    const run = given('a: { run: x, on_error: gate }', once);
    run.says('a', 'failed');
    expect(run.owed()).toEqual(['ask a#1']);
    expect(run.says('a', 'approve')).toEqual(['claim.answered a done', 'task.ended a done', 'run.ended']);
  });

  test('gate: an approved step is ok, so a loop that waits for it ends', () => {
    const run = given('a: { steps: [{ id: p, run: x, on_error: gate }], repeat: { until: steps.p.ok, max: 3 } }', once);
    run.says('a/p', 'failed');
    run.says('a/p', 'approve');
    expect(run.endings()).toEqual({ a: 'done' });
  });

  test('gate: a person rejects, and the task fails as rejected', () => {
    const run = given('a: { run: x, on_error: gate }', once);
    run.says('a', 'failed', 'reject');
    expect(run.endings()).toEqual({ a: 'failed (rejected)' });
  });

  test('gate: a person asks for a retry, and may be asked again', () => {
    const run = given('a: { run: x, on_error: gate }', once);
    run.says('a', 'failed', 'retry');
    expect(run.claims()).toEqual(['a#2']);
    run.says('a', 'failed');
    expect(run.owed()).toEqual(['ask a#2']);
    expect(run.hears({ type: 'answered', task: 'a', step: 'main', attempt: 1, answer: 'approve' })).toEqual([]);
    run.says('a', 'approve');
    expect(run.endings()).toEqual({ a: 'done' });
  });

  test('while a person is asked, the step holds no slot', () => {
    const run = given('a: { run: x, on_error: gate }\nb: { run: x }', { plan: 'attempts: 1\nmax_parallel: 1' });
    run.says('a', 'failed');
    expect(run.owed()).toEqual(['work b#1', 'ask a#1']);
  });

  test('retry: the failure is retried, even inside a loop', () => {
    const loop = (rule: string): string =>
      `a:\n  repeat: { until: steps.p.ok, max: 2 }\n  steps:\n    - { id: p, run: x${rule} }`;
    const plain = given(loop(''));
    plain.says('a', 'failed');
    expect(plain.trace()).toContain('task.repeated a round 1');
    const stubborn = given(loop(', on_error: retry'));
    stubborn.says('a', 'failed');
    expect(stubborn.trace().at(-1)).toBe('claim.returned a/p (failed)');
  });
});

describe('a rule on the result', () => {
  const ruled = (rules: string): ReturnType<typeof given> => given(`a:\n  run: x\n  on_result: [${rules}]`, once);

  test('may continue after a failed command', () => {
    const run = ruled('{ if: exit_code == 1, do: continue }');
    run.says('a', 'failed');
    expect(run.endings()).toEqual({ a: 'done' });
  });

  test('may abort after a successful command', () => {
    const run = ruled('{ if: result.response == "nothing", do: abort }');
    run.says('a', { said: { response: 'nothing' } });
    expect(run.endings()).toEqual({ a: 'failed (failed)' });
    expect(run.log.find(({ type }) => type === 'task.ended')).toMatchObject({
      cause: 'on_result says abort: result.response == "nothing"',
    });
  });

  test('may ask a person', () => {
    const run = ruled('{ if: ok, do: gate }');
    run.says('a', 'done');
    expect(run.owed()).toEqual(['ask a#1']);
    run.cancel('a');
    expect(run.endings()).toEqual({ a: 'cancelled (cancelled)' });
  });

  test('may retry, while attempts are left', () => {
    const run = given('a:\n  run: x\n  attempts: 2\n  on_result: [{ if: response == "", do: retry }]');
    run.says('a', { said: { response: '' } });
    run.waits(10_000);
    expect(run.claims()).toEqual(['a#2']);
    run.says('a', { said: { response: '' } });
    expect(run.endings()).toEqual({ a: 'failed (failed)' });
    const ended = run.log.find(({ type }) => type === 'claim.ended');
    expect(ended).toMatchObject({ cause: 'on_result says retry: response == ""' });
  });

  test('is the first rule that holds', () => {
    const run = ruled('{ if: "!ok", do: abort }, { if: ok, do: continue }, { if: ok, do: abort }');
    run.says('a', 'done');
    expect(run.endings()).toEqual({ a: 'done' });
  });

  test('that cannot be evaluated fails the step with a typed reason', () => {
    const run = ruled('{ if: output.score > 3, do: abort }');
    run.says('a', 'done');
    expect(run.endings()).toEqual({ a: 'failed (expression)' });
  });
});

describe('a join with on_result', () => {
  const task = (rule: string, more = '', join = '') =>
    `a:\n  steps:\n    - { id: p, run: x, async: true }\n    - { id: q, run: x }\n    - { id: j, action: join, needs: [p, q], ${join} on_result: [{ if: "response.contains('bad')", do: ${rule} }] }${more}`;
  const bad = { said: { response: 'bad' } };

  test.each([
    ['sync', '', ''],
    ['async', '\n    - { id: z, run: x, needs: [j] }', 'async: true,'],
  ])('abort fails the task, and continue does not, for one that is %s', (_, more, join) => {
    const aborted = given(task('abort', more, join).replace('id: q, run: x', 'id: q, run: x, async: true'));
    aborted.says('a/p', bad);
    aborted.says('a/q', 'done');
    expect(aborted.endings()).toEqual({ a: 'failed (failed)' });
    expect(aborted.log.find(({ type }) => type === 'step.joined')).toMatchObject({
      ending: 'failed',
      cause: "on_result says abort: response.contains('bad')",
    });
    const on = given(task('continue'));
    on.says('a/p', bad);
    on.says('a/q', 'done');
    expect(on.endings()).toEqual({ a: 'done' });
  });

  test('gate asks a person, who approves, rejects or has the steps run again', () => {
    const asked = (): Run => {
      const run = given(task('gate'));
      run.says('a/p', bad);
      run.says('a/q', 'done');
      expect(run.owed()).toEqual(['ask a/j#1']);
      return run;
    };
    const approved = asked();
    approved.hears({ type: 'answered', task: 'a', step: 'j', attempt: 1, answer: 'approve' });
    expect(approved.endings()).toEqual({ a: 'done' });
    const rejected = asked();
    rejected.hears({ type: 'answered', task: 'a', step: 'j', attempt: 1, answer: 'reject' });
    expect(rejected.endings()).toEqual({ a: 'failed (rejected)' });
    const again = asked();
    again.hears({ type: 'answered', task: 'a', step: 'j', attempt: 1, answer: 'retry' });
    expect(again.claims()).toEqual(['a/p#2', 'a/q#2']);
    again.says('a/p', 'done');
    again.says('a/q', 'done');
    expect(again.endings()).toEqual({ a: 'done' });
    const cancelled = asked();
    cancelled.cancel('a');
    expect(cancelled.endings()).toEqual({ a: 'cancelled (cancelled)' });
  });

  test('retry runs the joined steps again, as often as there are attempts', () => {
    const run = given(task('retry', '', 'attempts: 3,'));
    for (const attempt of [1, 2]) {
      expect(run.claims()).toEqual([`a/p#${attempt}`, `a/q#${attempt}`]);
      run.says('a/p', bad);
      run.says('a/q', 'done');
      expect(run.trace()).toContain('step.rejoined a/j');
    }
    const good = given(task('retry'));
    good.says('a/p', bad);
    good.says('a/q', 'done');
    good.says('a/p', 'done');
    good.says('a/q', 'done');
    expect(good.endings()).toEqual({ a: 'done' });
    run.says('a/p', bad);
    run.says('a/q', 'done');
    expect(run.endings()).toEqual({ a: 'failed (failed)' });
  });

  test('retry of a join in a later round has all its attempts again, and earlier steps do not run again', () => {
    const run = given(
      `a:\n  repeat: { until: steps.v.ok, max: 2 }\n  steps:\n    - { id: o, run: x, async: true }\n    - { id: p, run: x }\n    - { id: j, action: join, needs: [p], on_result: [{ if: "response.contains('bad')", do: retry }] }\n    - { id: v, run: x, needs: [o] }`,
    );
    run.says('a/o', 'done');
    for (const round of [1, 2]) {
      run.says('a/p', bad);
      expect(run.claims()).toEqual([`a/p#${2 * round}`]);
      run.says('a/p', 'done');
      run.says('a/v', round === 1 ? 'failed' : 'done');
      if (round === 1) run.says('a/o', 'done');
    }
    expect(run.endings()).toEqual({ a: 'done' });
  });
});

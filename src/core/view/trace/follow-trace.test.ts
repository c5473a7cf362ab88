import { describe, expect, test } from 'vitest';
import { given } from '../../engine/run.given.ts';
import { answerWord, growing } from '../../grow/growing.given.ts';
import { busyRun } from '../text/busy-run.given.ts';
import { followTrace } from './follow-trace.ts';
import { otlpOf } from './otlp-json.ts';
import { outlineOfSpans, PLAIN_TRACE, readGoldenLog, tracedOf } from './spans.given.ts';

const SOURCE = { resource: { 'service.name': 'heddle' }, version: '0.1.0' };

describe('the golden log of a run', () => {
  test('has the golden spans', async () => {
    const spans = tracedOf(readGoldenLog('golden/run.jsonl'));
    const lines = spans.map((span) => JSON.stringify(otlpOf([span], SOURCE)));
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('golden/spans.txt');
  });

  test('of every type of event can be followed, though it is no run', () => {
    const log = readGoldenLog('../../engine/golden/log.jsonl');
    expect(tracedOf(log).length).toBeGreaterThan(10);
  });
});

describe('a run', () => {
  test('is one span, with its tasks, and with the claims of each inside', () => {
    const run = given('a: { prompt: x }\nb: { needs: a, run: x }', { tree: 'auto' });
    run.waits(10);
    run.says('a', { said: {}, spend: { usd: 0.5, tokens: 300 } });
    run.waits(5);
    run.says('a', 'merged');
    run.waits(20);
    run.says('b', 'failed');
    run.waits(60_000);
    run.says('b', 'failed');
    expect(run.isEnded()).toBe(true);
    expect(outlineOfSpans(tracedOf(run.log))).toMatchInlineSnapshot(`
      [
        "invoke_workflow given 0–60035 error: failed",
        "  task a 0–15 ok: done",
        "    invoke_agent ai 0–10 ok: done, 300 tokens",
        "    merge 10–15 ok: done",
        "  task b 15–60035 error: failed, failed",
        "    step main 15–35 error: returned, failed, 0 tokens",
        "    step main 60035–60035 error: failed, failed, 0 tokens",
      ]
    `);
  });

  test('that goes on after its end has another span, linked to the first', () => {
    const run = given('a: { run: x, attempts: 1 }');
    run.says('a', 'failed');
    run.waits(1_000);
    run.retry('a');
    run.says('a', 'done');
    const runs = tracedOf(run.log).filter(({ name }) => name.startsWith('invoke_workflow'));
    expect(runs.map(({ status }) => status)).toEqual(['error', 'ok']);
    expect(runs[1]?.links).toEqual([{ traceId: runs[0]?.traceId, spanId: runs[0]?.spanId }]);
  });

  test('that is stopped has its span when nothing of it runs, and another when it goes on', () => {
    const run = given('a: { run: x }\nb: { needs: a, run: y }');
    run.waits(10);
    run.stop();
    const before = tracedOf(run.log);
    expect(before.filter(({ name }) => name.startsWith('invoke_workflow'))).toEqual([]);
    run.waits(5);
    run.says('a', 'stopped');
    const stopped = outlineOfSpans(tracedOf(run.log));
    run.waits(1_000);
    run.resume();
    run.says('a', 'done');
    run.says('b', 'done');
    const spans = tracedOf(run.log);
    expect(outlineOfSpans(spans).slice(0, stopped.length)).toEqual(stopped);
    expect(outlineOfSpans(spans)).toMatchInlineSnapshot(`
      [
        "invoke_workflow given 0–15 unset: paused",
        "  task a 0–15 unset: paused",
        "    step main 0–15 error: returned, cancelled, 0 tokens",
        "invoke_workflow given 1015–1015 ok: done",
        "  task a 1015–1015 ok: done",
        "    step main 1015–1015 ok: done, 0 tokens",
        "  task b 1015–1015 ok: done",
        "    step main 1015–1015 ok: done, 0 tokens",
      ]
    `);
    const [first, second] = spans.filter(({ name }) => name.startsWith('invoke_workflow'));
    expect(second?.links).toEqual([{ traceId: first?.traceId, spanId: first?.spanId }]);
  });

  test('of more tasks than viewers draw has a trace for each task, linked to what is around it', () => {
    const tasks = Array.from({ length: 1_001 }, (_, index) => `t${index}: { run: x }`).join('\n');
    const run = given(tasks, { plan: 'max_parallel: 1\n' });
    run.says('t0', 'done');
    const spans = tracedOf(run.log);
    const task = spans.find(({ name }) => name === 'task t0');
    const step = spans.find(({ name }) => name === 'step main');
    expect(task?.parent).toBeUndefined();
    expect(task?.links).toHaveLength(1);
    expect(step).toMatchObject({ traceId: task?.traceId, parent: task?.spanId });
    expect(task?.links[0]?.traceId).not.toBe(task?.traceId);
  });
});

test('tasks that a run grows are inside the subplan that grows, with their agents', () => {
  const run = growing();
  run.says('migrate.draft', answerWord('tasks:\n  a: { files: [src/a], prompt: Do a. }'));
  run.says('migrate.a', 'done');
  const spans = tracedOf(run.log);
  const inside = spans.find(({ name }) => name === 'task migrate.a');
  expect(spans.find(({ spanId }) => spanId === inside?.parent)?.name).toBe('task migrate');
  expect(spans.find(({ parent }) => parent === inside?.spanId)?.name).toBe('invoke_agent ai');
});

describe('what has only begun', () => {
  test('has a marker below the span that will come, and none once that has come', () => {
    const run = given('a: { run: x }');
    const [started] = run.log;
    if (started?.type !== 'run.started') throw new Error('A log begins with the start of its run.');
    const follower = followTrace(started, PLAIN_TRACE);
    for (const event of run.log) follower.add(event);
    const markers = follower.begun();
    expect(markers.map(({ name }) => name)).toEqual([
      'invoke_workflow given (started)',
      'task a (started)',
      'step main (started)',
    ]);
    const before = run.log.length;
    run.waits(50);
    run.says('a', 'done');
    const spans = run.log.slice(before).flatMap((event) => follower.add(event));
    expect(new Set(markers.map(({ parent }) => parent))).toEqual(new Set(spans.map(({ spanId }) => spanId)));
    expect(follower.begun()).toEqual([]);
  });
});

describe('prompts and answers', () => {
  const contentOf = (hasContent: boolean): string => {
    const run = given('a: { prompt: x }\nb: { run: x, attempts: 1 }');
    run.says('a', { said: { response: 'the answer' }, spend: { usd: 0, tokens: 1 } });
    run.says('b', { said: { ok: false, stderr: 'the complaint' } });
    return JSON.stringify(tracedOf(run.log, { hasContent, promptOf: () => 'the question' }));
  };

  test('are in no span unless they are asked for', () => {
    expect(contentOf(false)).not.toMatch(/answer|question|complaint/);
    expect(contentOf(true)).toMatch(/the question.*the answer.*the complaint/s);
  });
});

test('an answer that is the cause of an end is in no span unless content is asked for, and a task is', () => {
  const run = given('a: { run: x }\nb: { needs: a, run: x }');
  run.says('a', 'done');
  run.says('b', 'done');
  const causes = (cause: string, hasContent: boolean) =>
    tracedOf(
      run.log.map((event) => (event.type === 'task.ended' && event.task === 'b' ? { ...event, cause } : event)),
      { hasContent },
    ).flatMap(({ attributes }) => attributes['heddle.cause'] ?? []);
  expect([causes('the answer', false), causes('the answer', true), causes('a', false)]).toEqual([
    [],
    ['the answer'],
    ['a'],
  ]);
});

describe('tokens', () => {
  test('are split as the program counted them, where that is what was spent', () => {
    const run = given('a: { steps: [{ id: one, prompt: x }, { id: two, prompt: y }] }');
    const turn = (step: string, tokens: number, { input, output }: { input: number; output: number }) =>
      run.hears({
        type: 'finished',
        work: 'step',
        task: 'a',
        step,
        attempt: 1,
        result: { ok: true, response: '', output: undefined, exitCode: undefined, commit: undefined },
        spend: { usd: 0, tokens },
        conversation: { id: 'c', reading: { input, cached: 0, output, usd: undefined } },
      });
    turn('one', 110, { input: 100, output: 10 });
    turn('two', 70, { input: 150, output: 30 });
    const usage = (areAgentsJoined: boolean) =>
      tracedOf(run.log, { areAgentsJoined })
        .filter(({ name }) => name === 'invoke_agent ai')
        .map(({ attributes }) => [
          attributes['gen_ai.usage.input_tokens'],
          attributes['gen_ai.usage.output_tokens'],
          attributes['heddle.tokens'],
        ]);
    expect(usage(false)).toEqual([
      [100, 10, 110],
      [50, 20, 70],
    ]);
    // The spans of the agent have them then, and a sum would count them twice.
    expect(usage(true)).toEqual([
      [undefined, undefined, 110],
      [undefined, undefined, 70],
    ]);
  });
});

test('a cost that the agent did not report is its reservation, and says so', () => {
  const run = busyRun();
  const turns = tracedOf(run.log).filter(({ attributes }) => attributes['heddle.cost_usd'] !== undefined);
  expect(turns.map(({ attributes }) => attributes['heddle.cost_reported'])).toContain(true);
});

import { describe, expect, test } from 'vitest';
import { countAt } from '../../net/play.ts';
import type { Reason } from '../../protocol/result.ts';
import { assign } from '../owed/assign.ts';
import type { Conversation } from '../../protocol/assignment.ts';
import type { Outcome } from '../outcome.ts';
import { given, OK, type Run, type RunOptions } from '../run.given.ts';
import { snapshot } from '../state.ts';
import { fold } from '../apply/fold.ts';

const GIVEN = { inputs: {}, env: {} };
const FREE = { usd: 0, tokens: 0 };

interface Saying {
  readonly task?: string;
  readonly step?: string;
  readonly attempt?: number;
}

const about = ({ task = 'a', step = 'main', attempt = 1 }: Saying = {}) => ({
  work: 'step' as const,
  task,
  step,
  attempt,
  spend: FREE,
});

type Failed = Extract<Outcome, { type: 'failed' }>;

const failedBy = (reason: Reason, saying: Saying & { isFinal?: boolean; says?: string } = {}): Failed => ({
  type: 'failed',
  ...about(saying),
  reason,
  isFinal: saying.isFinal ?? false,
  result: { ...OK, ok: false, response: saying.says ?? reason, commit: 'made' },
});

const finished = (saying: Saying, id?: string): Outcome => ({
  type: 'finished',
  ...about(saying),
  result: OK,
  conversation: id === undefined ? undefined : { id, reading: undefined },
});

const asked = (question: string, saying: Saying = {}): Extract<Outcome, { type: 'asked' }> => ({
  type: 'asked',
  ...about(saying),
  question,
  result: { ...OK, ok: false, commit: 'half' },
  conversation: { id: 'talk', reading: undefined },
});

function workOf(run: Run, saying: Saying): { prompt: string; conversation: Conversation | undefined; agent: string } {
  const assigned = assign(run.state(), about(saying), GIVEN);
  if (assigned.type !== 'assigned' || assigned.assignment.work.type !== 'turn') throw new Error('It is a turn.');
  const { prompt, conversation, agent } = assigned.assignment.work;
  return { prompt, conversation, agent: agent.name };
}

/** The same log gives the same state anywhere (P1). */
function expectSameFold({ log, state }: Run): void {
  const again = fold(log);
  expect(snapshot(again)).toEqual(snapshot(state()));
}

describe('a conversation', () => {
  const STEPS = `a:
  steps:
    - { id: one, prompt: x }
    - { id: two, prompt: x }
    - { id: alone, resume: false, prompt: x }`;

  test('is continued by the next step, also by its second attempt, and not by a fresh one', () => {
    const run = given(STEPS, { plan: 'attempts: 2' });
    expect(workOf(run, { step: 'one' }).conversation).toBeUndefined();
    run.hears(finished({ step: 'one' }, 'talk'));
    expect(workOf(run, { step: 'two' }).conversation).toEqual({ id: 'talk', mode: 'continue', reading: undefined });
    run.hears(failedBy('crashed', { step: 'two' }));
    run.waits(10_000);
    expect(workOf(run, { step: 'two', attempt: 2 }).conversation?.id).toBe('talk');
    run.hears(finished({ step: 'two', attempt: 2 }, 'talk'));
    expect(workOf(run, { step: 'alone' }).conversation).toBeUndefined();
    expectSameFold(run);
  });

  test('is taken up with its latest usage counters, by any attempt', () => {
    const run = given(STEPS, { plan: 'attempts: 2' });
    run.hears(finished({ step: 'one' }, 'talk'));
    const reading = { input: 5, cached: 0, output: 5, usd: 0.5 };
    run.hears({ ...failedBy('crashed', { step: 'two' }), conversation: { id: 'talk', reading } });
    run.waits(10_000);
    expect(workOf(run, { step: 'two', attempt: 2 }).conversation?.reading).toEqual(reading);
  });

  test('is branched off by async steps and not read by an agent of another kind', () => {
    const run = given(
      `a:
  steps:
    - { id: one, prompt: x }
    - { id: side, async: true, prompt: x }
    - { id: other, agent: odd, prompt: x }
    - { id: all, needs: [side], action: join }`,
      { plan: 'agents: { ai: { use: scripted }, odd: { use: claude } }\nagent: ai' },
    );
    run.hears(finished({ step: 'one' }, 'talk'));
    expect(workOf(run, { step: 'side' }).conversation).toMatchObject({ id: 'talk', mode: 'fork' });
    expect(workOf(run, { step: 'other' }).conversation).toBeUndefined();
  });

  test('of a skipped step is the one before it', () => {
    const run = given(`a:
  steps:
    - { id: one, prompt: x }
    - { id: two, when: "false", prompt: x }
    - { id: three, prompt: x }`);
    run.hears(finished({ step: 'one' }, 'talk'));
    expect(workOf(run, { step: 'three' }).conversation?.id).toBe('talk');
  });

  test('that is too long is replaced by a fresh one, once', () => {
    const run = given(STEPS, { plan: 'attempts: 1' });
    run.hears(finished({ step: 'one' }, 'talk'));
    run.hears(failedBy('context', { step: 'two', isFinal: true }));
    expect(workOf(run, { step: 'two', attempt: 2 }).conversation).toBeUndefined();
    run.hears(failedBy('context', { step: 'two', attempt: 2, isFinal: true }));
    expect(run.endings()).toEqual({ a: 'failed (context)' });
  });

  test('in which a turn failed for no known reason is replaced by a fresh one', () => {
    const run = given(STEPS, { plan: 'attempts: 2' });
    run.hears(finished({ step: 'one' }, 'talk'));
    run.hears(failedBy('failed', { step: 'two' }));
    run.waits(10_000);
    expect(workOf(run, { step: 'two', attempt: 2 }).conversation).toBeUndefined();
    run.hears(finished({ step: 'two', attempt: 2 }, 'other'));
    expectSameFold(run);
  });

  test('is continued when a check sends the step back', () => {
    const run = given('a: { prompt: x, check: t }', { tree: 'auto', base: 'base' });
    run.hears(finished({}, 'talk'));
    run.says('a', 'failed');
    expect(workOf(run, { attempt: 2 }).conversation).toMatchObject({ id: 'talk', mode: 'continue' });
  });
});

describe('an agent that asks', () => {
  test('waits for an answer, gets it in its conversation, and continues from its work', () => {
    const run = given('a: { prompt: x }', { plan: 'attempts: 1', tree: 'auto', base: 'base' });
    expect(run.hears(asked('Which?'))).toHaveLength(1);
    expect(run.owed()).toEqual(['ask a#1', 'wait 86400000']);
    expect(run.hears({ type: 'answered', task: 'a', step: 'main', attempt: 1, answer: 'approve' })).toEqual([]);
    expect(run.hears({ type: 'replied', task: 'a', step: 'main', attempt: 9, text: 'late' })).toEqual([]);
    run.hears({ type: 'replied', task: 'a', step: 'main', attempt: 1, text: 'That one.' });
    expect(workOf(run, { attempt: 2 })).toMatchObject({ prompt: 'That one.', conversation: { id: 'talk' } });
    expect(run.state().tasks[0]?.tip).toBe('half');
    expectSameFold(run);
  });

  test('gets the full prompt again without its conversation', () => {
    const run = given('a: { prompt: Do it. }');
    run.hears({ ...asked('Which?'), conversation: undefined });
    run.hears({ type: 'replied', task: 'a', step: 'main', attempt: 1, text: 'That one.' });
    const { prompt } = workOf(run, { attempt: 2 });
    for (const part of ['Do it.', 'You asked: Which?', 'That one.']) expect(prompt).toContain(part);
  });

  test('fails without an answer in time, and when a person rejects', () => {
    const run = given('a: { prompt: x }', { plan: 'questions: { timeout: 1h }' });
    run.hears(asked('Which?'));
    expect(run.waits(3_599_999)).toEqual([]);
    run.waits(1);
    expect(run.endings()).toEqual({ a: 'failed (asked)' });
    const other = given('a: { prompt: x }');
    other.hears(asked('Which?'));
    other.says('a', 'reject');
    expect(other.endings()).toEqual({ a: 'failed (rejected)' });
  });

  test('loses its work when a person rejects, however often it asked', () => {
    const run = given('a: { prompt: x }', { plan: 'attempts: 1', tree: 'auto', base: 'base' });
    const tip = (): string | undefined => run.state().tasks[0]?.tip;
    const before = tip();
    run.hears(asked('Which?'));
    run.hears({ type: 'replied', task: 'a', step: 'main', attempt: 1, text: 'That one.' });
    const more = asked('And then?', { attempt: 2 });
    run.hears({ ...more, result: { ...more.result, commit: 'more' } });
    expect(tip()).toBe('more');
    run.says('a', 'reject');
    expect(tip()).toBe(before);
    expectSameFold(run);
  });

  test('must decide alone where the plan denies questions, as often as it has attempts', () => {
    const run = given('a: { prompt: x }', { plan: 'questions: deny\nattempts: 2' });
    run.hears(asked('Which?'));
    expect(workOf(run, { attempt: 2 }).prompt).toContain('Decide for yourself');
    run.hears(asked('Which?', { attempt: 2 }));
    expect(run.endings()).toEqual({ a: 'failed (asked)' });
  });
});

describe('an answer of the wrong shape', () => {
  test('is sent back once with the error, and then fails', () => {
    const run = given('a: { prompt: x, output: { type: object } }', { plan: 'attempts: 5' });
    run.hears(failedBy('output', { isFinal: true, says: 'It is not JSON.' }));
    expect(workOf(run, { attempt: 2 }).prompt).toContain('It is not JSON. Answer again');
    run.hears(failedBy('output', { attempt: 2, isFinal: true }));
    expect(run.endings()).toEqual({ a: 'failed (output)' });
  });
});

const POOL = 'pools: { p: 4 }\nagents: { ai: { use: scripted, pool: p } }\nagent: ai\nattempts: 1';
const FOUR = ['a', 'b', 'c', 'd', 'e', 'f'].map((task) => `${task}: { prompt: x }`).join('\n');

describe('an overloaded provider', () => {
  test('throttles the pool, once for turns running together, and restores it step by step', () => {
    const run = given(FOUR, { plan: POOL });
    expect(run.claims()).toHaveLength(4);
    run.hears(failedBy('overloaded'));
    run.hears(failedBy('overloaded', { task: 'b' }));
    expect(run.log.filter(({ type }) => type === 'pool.throttled')).toMatchObject([{ pool: 'p', limit: 2 }]);
    expect(run.claims()).toEqual(['c#1', 'd#1']);
    run.says('c', 'done');
    expect(run.claims()).toHaveLength(2);
    run.waits(30_000);
    expect(run.claims()).toHaveLength(3);
    run.waits(30_000);
    expect(run.state().throttled.size).toBe(0);
    expectSameFold(run);
  });

  test('uses up no attempt, until it has been overloaded for hours', () => {
    const run = given('a: { prompt: x }', { plan: 'attempts: 1' });
    for (let attempt = 1; attempt < 30; attempt += 1) {
      run.hears(failedBy('overloaded', { attempt }));
      expect(run.isEnded()).toBe(false);
      run.waits(300_000);
    }
    run.hears(failedBy('overloaded', { attempt: 30 }));
    expect(run.endings()).toEqual({ a: 'failed (overloaded)' });
  });
});

test('a turn interrupted by an overload continues its own conversation', () => {
  const run = given('a: { prompt: x }');
  const begun = { hasWorked: true, conversation: { id: 'talk', reading: undefined } };
  run.hears({ ...failedBy('overloaded'), ...begun });
  run.waits(300_000);
  expect(workOf(run, { attempt: 2 }).conversation?.id).toBe('talk');
  expectSameFold(run);
});

describe('an interrupted turn', () => {
  const begun = { hasWorked: true, conversation: { id: 'talk', reading: undefined } };

  test.each(['cut_off', 'crashed'] as const)('continues its conversation and its work (%s)', (reason) => {
    const run = given('a: { prompt: x }', { plan: 'attempts: 2' });
    run.hears({ ...failedBy(reason), ...begun });
    expect(run.log.find(({ type }) => type === 'claim.returned')).toMatchObject({
      reason,
      counted: true,
      commit: 'made',
      conversation: { id: 'talk' },
    });
    run.waits(10_000);
    const second = workOf(run, { attempt: 2 });
    expect(second.conversation).toEqual({ id: 'talk', mode: 'continue', reading: undefined });
    expect(second.prompt).toMatch(/^You were cut off .* go on where you stopped/);
    expectSameFold(run);
    run.hears({ ...failedBy(reason, { attempt: 2 }), ...begun });
    expect(run.endings()).toEqual({ a: `failed (${reason})` });
  });

  test('starts again when it had done nothing, or has no conversation', () => {
    const run = given('a: { prompt: x }');
    run.hears({ ...failedBy('cut_off'), conversation: begun.conversation });
    run.waits(10_000);
    expect(workOf(run, { attempt: 2 })).toMatchObject({ prompt: 'x', conversation: undefined });
    expect(run.log.find(({ type }) => type === 'claim.returned')).not.toHaveProperty('commit');
  });

  test('continues once more when it was interrupted again before it could do anything', () => {
    const run = given('a: { prompt: x }', { plan: 'attempts: 3' });
    run.hears({ ...failedBy('cut_off'), ...begun });
    run.waits(10_000);
    run.hears(failedBy('cut_off', { attempt: 2 }));
    run.waits(60_000);
    expect(workOf(run, { attempt: 3 }).conversation?.id).toBe('talk');
  });

  test('is described to an agent that takes over without the conversation', () => {
    const plan = 'agents: { one: { use: scripted }, two: { use: command, command: c } }\nagent: [one, two]';
    const run = given('a: { prompt: x }', { plan });
    run.hears({ ...failedBy('cut_off'), ...begun });
    const { agent, conversation, prompt } = workOf(run, { attempt: 2 });
    expect([agent, conversation]).toEqual(['two', undefined]);
    expect(prompt).toMatch(/^x\n\nThis was done before, and what was made then is still there\./);
  });
});

describe('an account at its limit', () => {
  const limited = (
    by: 'rate_limit' | 'quota',
    until: number | undefined,
    task = 'a',
  ): Extract<Outcome, { type: 'limited' }> => ({
    type: 'limited',
    ...about({ task }),
    pool: undefined,
    until,
    by,
  });

  test('closes its pool, with a growing backoff when the provider gives no time', () => {
    const run = given('a: { prompt: x }', { plan: POOL });
    run.hears(limited('rate_limit', undefined));
    const first = run.log.find((event) => event.type === 'claim.returned');
    expect(first).toMatchObject({ reason: 'rate_limit', counted: false, pool: 'p' });
    expect(run.claims()).toEqual([]);
    run.waits(30_000);
    expect(run.claims()).toEqual(['a#2']);
    run.hears({ ...limited('rate_limit', undefined), attempt: 2 });
    const rests = run.log.flatMap((event) => (event.type === 'claim.returned' ? [event.until - event.at] : []));
    expect(rests[1]).toBeGreaterThan(rests[0] ?? 0);
    expectSameFold(run);
  });

  test('interrupts a turn that then continues its own conversation and work', () => {
    const run = given('a: { prompt: x }', { plan: POOL });
    const begun = {
      hasWorked: true,
      conversation: { id: 'talk', reading: undefined },
      result: { ...OK, commit: 'half' },
    };
    run.hears({ ...limited('quota', 60_000), ...begun });
    run.waits(60_000);
    const second = workOf(run, { attempt: 2 });
    expect(second.conversation).toEqual({ id: 'talk', mode: 'continue', reading: undefined });
    expect(second.prompt).toContain('go on where you stopped');
    expect(run.log.find((event) => event.type === 'claim.returned')).toMatchObject({ commit: 'half' });
    expectSameFold(run);
  });

  test('repeats the prompt of an interrupted turn that had done nothing', () => {
    const run = given('a: { prompt: x }', { plan: POOL });
    run.hears({ ...limited('quota', 60_000), conversation: { id: 'talk', reading: undefined } });
    run.waits(60_000);
    expect(workOf(run, { attempt: 2 })).toMatchObject({ prompt: 'x', conversation: undefined });
  });

  test('of an agent without a pool makes all turns of that agent wait', () => {
    const run = given('a: { prompt: x }\nb: { prompt: x, needs: [c] }\nc: { run: x }');
    run.hears(limited('quota', 60_000));
    run.says('c', 'done');
    expect(run.claims()).toEqual([]);
    run.waits(60_000);
    expect(run.claims()).toEqual(['a#2', 'b#1']);
    expectSameFold(run);
  });
});

const LIST = 'pools: { p: 1, q: 1 }\nagents: { one: { use: scripted, pool: p }, two: { use: scripted, pool: q } }';
const listed = (tasks: string, options: RunOptions = {}): Run =>
  given(tasks, { plan: `${LIST}\nagent: [one, two]\nattempts: 1`, ...options });

describe('a list of agents', () => {
  test("goes to the next agent when the failure is the agent's own, each with its own pool", () => {
    const run = listed('a: { prompt: x }\nb: { agent: two, prompt: x }');
    expect(run.log.filter(({ type }) => type === 'claim.made')).toMatchObject([{ agent: 'one' }, { task: 'b' }]);
    run.hears(failedBy('authentication', { isFinal: true }));
    expect(run.claims()).toEqual(['b#1']);
    run.says('b', 'done');
    expect(workOf(run, { attempt: 2 }).agent).toBe('two');
    run.hears(failedBy('bad_request', { attempt: 2, isFinal: true }));
    expect(run.endings()).toMatchObject({ a: 'failed (bad_request)' });
    expectSameFold(run);
  });

  test('stays with the first agent when the work failed', () => {
    const run = listed('a: { attempts: 2, prompt: x }');
    run.hears(failedBy('timeout'));
    run.waits(10_000);
    expect(workOf(run, { attempt: 2 }).agent).toBe('one');
  });

  test('takes the next agent while the account of the first backs off, also in other tasks, and comes back', () => {
    const run = listed('a: { prompt: x }\nb: { prompt: x }');
    expect(run.claims()).toEqual(['a#1']);
    run.hears({ type: 'limited', ...about(), pool: undefined, until: 60_000, by: 'quota' });
    expect(run.claims()).toEqual(['a#2']);
    expect(workOf(run, { attempt: 2 }).agent).toBe('two');
    run.says('a', 'done');
    expect(workOf(run, { task: 'b' }).agent).toBe('two');
    run.cancel('b');
    run.says('b', 'stopped');
    expect(run.isEnded()).toBe(true);
    for (const { place, size } of run.compiled.pools.values()) expect(countAt(run.state().play, place)).toBe(size);
    expectSameFold(run);
  });

  test('replaces an interrupted agent by the next, once', () => {
    const run = listed('a: { prompt: x }');
    run.hears(failedBy('cut_off'));
    expect(workOf(run, { attempt: 2 }).agent).toBe('two');
    run.hears(failedBy('cut_off', { attempt: 2 }));
    expect(run.endings()).toEqual({ a: 'failed (cut_off)' });
    expectSameFold(run);
  });

  test('retries with its last agent when no other is left to take over', () => {
    const run = listed('a: { attempts: 2, prompt: x }');
    run.hears(failedBy('refused'));
    run.hears(failedBy('refused', { attempt: 2 }));
    expect(run.claims()).toEqual([]);
    run.waits(10_000);
    expect(workOf(run, { attempt: 3 }).agent).toBe('two');
    run.hears(failedBy('refused', { attempt: 3 }));
    expect(run.endings()).toEqual({ a: 'failed (refused)' });
  });

  test('alternates between overloaded providers, but not for ever', () => {
    const run = listed('a: { prompt: x }');
    for (let attempt = 1; attempt < 30; attempt += 1) {
      run.hears(failedBy('overloaded', { attempt }));
      run.waits(300_000);
    }
    expect(run.isEnded()).toBe(false);
    run.hears(failedBy('overloaded', { attempt: 30 }));
    expect(run.endings()).toEqual({ a: 'failed (overloaded)' });
  });

  test('comes back to the first agent when its backoff is over and the pool of the next is not free', () => {
    const run = listed('a: { prompt: x }\nb: { agent: two, prompt: x }');
    run.hears(failedBy('overloaded'));
    expect(run.claims()).toEqual(['b#1']);
    run.waits(10_000);
    expect(run.claims()).toEqual(['b#1', 'a#2']);
    expect(workOf(run, { attempt: 2 }).agent).toBe('one');
  });

  test('starts with the first agent again after a manual retry', () => {
    const run = listed('a: { on_error: gate, prompt: x }');
    run.hears(failedBy('authentication', { isFinal: true }));
    run.hears(failedBy('authentication', { attempt: 2, isFinal: true }));
    run.hears({ type: 'answered', task: 'a', step: 'main', attempt: 2, answer: 'retry' });
    expect(workOf(run, { attempt: 3 }).agent).toBe('one');
    expectSameFold(run);
  });

  test('continues with the agent that asked after the answer', () => {
    const run = listed('a: { prompt: x }');
    run.hears(failedBy('authentication', { isFinal: true }));
    run.hears(asked('Which?', { attempt: 2 }));
    run.hears({ type: 'replied', task: 'a', step: 'main', attempt: 2, text: 'So.' });
    expect(workOf(run, { attempt: 3 }).agent).toBe('two');
  });

  test('shares one variant among agents with the same pools', () => {
    const run = given('a: { prompt: x }', {
      plan: 'agents: { one: { use: scripted }, two: { use: scripted } }\nagent: [one, two]\nattempts: 1',
    });
    run.hears(failedBy('overloaded'));
    expect(workOf(run, { attempt: 2 }).agent).toBe('two');
    run.hears(asked('Which?', { attempt: 2 }));
    run.hears({ type: 'replied', task: 'a', step: 'main', attempt: 2, text: 'So.' });
    run.says('a', 'done');
    expect(run.endings()).toEqual({ a: 'done' });
  });
});

describe('the breaker', () => {
  const three = (run: Run, says: readonly string[]): void =>
    says.forEach((words, at) =>
      run.hears(failedBy('bad_request', { task: ['a', 'b', 'c', 'd'][at] ?? '', isFinal: true, says: words })),
    );

  test('pauses the run before a fourth turn when three tasks failed in the same way', () => {
    const run = given(FOUR, { plan: 'max_parallel: 1\nattempts: 1' });
    three(run, ['No model 1.', 'No model 2.', 'No model 3.']);
    expect(run.state().run).toMatchObject({ stage: 'paused', pausedFor: expect.stringContaining('in a, b, c') });
    expect(run.claims()).toEqual([]);
    expectSameFold(run);
    run.resume();
    expect(run.claims()).toEqual(['d#1']);
  });

  test('resets its count after a successful turn, and does not mix different failures', () => {
    const run = given(FOUR, { plan: 'max_parallel: 1\nattempts: 1' });
    three(run, ['No model.', 'No model.']);
    run.says('c', 'done');
    run.hears(failedBy('bad_request', { task: 'd', isFinal: true, says: 'No model.' }));
    run.hears(failedBy('bad_request', { task: 'e', isFinal: true, says: 'No such tool.' }));
    expect(run.claims()).toEqual(['f#1']);
  });

  test('lets a run end that has nothing left to begin', () => {
    const run = given('a: { prompt: x }\nb: { prompt: x }\nc: { prompt: x }', { plan: 'attempts: 1' });
    three(run, ['No.', 'No.', 'No.']);
    expect(run.isEnded()).toBe(true);
  });
});

import { describe, expect, test } from 'vitest';
import { given, OK, type Run } from '../run.given.ts';
import { fold } from '../apply/fold.ts';
import { snapshot } from '../state.ts';

const AGENTS =
  'agents: { cheap: { use: scripted }, strong: { use: scripted, reserve: { usd: 3 } }, last: { use: claude } }\nagent: cheap\nattempts: 3';
const options = { plan: AGENTS };

/** The agents of all turns so far, in order. */
const agents = ({ log }: Run): readonly (string | undefined)[] =>
  log.flatMap((event) => (event.type === 'claim.made' && event.work === 'step' ? [event.agent] : []));

function expectReplays(run: Run): void {
  expect(snapshot(fold(run.log))).toEqual(snapshot(run.state()));
}

describe('the next attempt goes to the next agent', () => {
  test('after a failed check, and the last agent has all that are left', () => {
    const run = given('a: { prompt: x, check: y, attempts: 4, escalate: [cheap, strong, last] }', options);
    for (let round = 0; round < 4; round += 1) run.says('a', 'done', 'failed');
    expect(agents(run)).toEqual(['cheap', 'strong', 'last', 'last']);
    expect(run.endings()).toEqual({ a: 'failed (check)' });
    expectReplays(run);
  });

  test.each(['context', 'turns', 'output'] as const)(
    'after %s, although a retry with the same agent would not help',
    (reason) => {
      const run = given('a: { prompt: x, escalate: [cheap, strong] }', options);
      run.says('a', { lost: reason, isFinal: true });
      // An answer of the wrong shape is repaired once, by the agent that gave it.
      if (reason === 'output') run.says('a', { lost: reason, isFinal: true });
      run.waits(60_000);
      expect(agents(run).at(-1)).toBe('strong');
      run.says('a', 'done');
      expect(run.endings()).toEqual({ a: 'done' });
      expectReplays(run);
    },
  );

  test('only after failures of the work', () => {
    const run = given('a: { prompt: x, escalate: [cheap, strong] }', options);
    run.says('a', { limitedUntil: 1_000 });
    run.waits(60_000);
    run.says('a', { lost: 'overloaded' });
    run.waits(600_000);
    run.says('a', 'crashed');
    run.waits(600_000);
    run.says('a', 'timeout');
    run.waits(600_000);
    expect(agents(run)).toEqual(['cheap', 'cheap', 'cheap', 'cheap', 'cheap']);
    expectReplays(run);
  });

  test('while a limit falls back to the agents that the plan names for it, and to no other', () => {
    const run = given('a: { prompt: x, check: y, agent: [cheap, last], escalate: [cheap, strong] }', options);
    run.says('a', { limitedUntil: 1_000_000 });
    expect(agents(run)).toEqual(['cheap', 'last']);
    run.says('a', 'done', 'failed');
    expect(agents(run)).toEqual(['cheap', 'last', 'strong']);
    run.says('a', { lost: 'authentication', isFinal: true });
    expect(agents(run)).toEqual(['cheap', 'last', 'strong', 'last']);
  });

  test('with the reservation of that agent', () => {
    const run = given('a: { prompt: x, check: y, escalate: [cheap, strong] }', options);
    run.says('a', 'done', 'failed');
    const reserved = run.log.flatMap((event) =>
      event.type === 'claim.made' && event.work === 'step' ? [event.reserve.usd] : [],
    );
    expect(reserved).toEqual([0.5, 3]);
  });

  test('and a person who retries the task begins with the first again', () => {
    const run = given('a: { prompt: x, check: y, attempts: 2, escalate: [cheap, strong] }', options);
    run.says('a', 'done', 'failed', 'done', 'failed');
    run.retry('a');
    expect(agents(run)).toEqual(['cheap', 'strong', 'cheap']);
    expectReplays(run);
  });
});

const REVIEWED = 'a: { prompt: x, check: y, review: { agent: last, rounds: 2 } }';
const merged = { ...options, tree: 'auto', base: 'base' } as const;
const finding = (severity: string) => ({ severity, file: 'f', line: 1, problem: 'It is wrong.', suggestion: null });
const found = (...severities: readonly string[]) => ({
  said: { output: { summary: 'Read.', findings: severities.map(finding) }, response: 'reviewed' },
});

describe('a review', () => {
  test('that blocks nothing lets the work go on, and is not the result of the task', () => {
    const run = given(REVIEWED, merged);
    run.says('a/main', { said: { response: 'worked', commit: 'work' } });
    run.says('a/review', found('low', 'medium'));
    expect(run.claims()).toEqual(['a check#1']);
    run.says('a', 'passed');
    expect(run.merges()[0]).toMatchObject({ tip: 'work', answer: 'worked', intent: 'x' });
    run.says('a', 'merged');
    expect(run.endings()).toEqual({ a: 'done' });
    expect(run.state().tasks[0]?.result?.response).toBe('worked');
    expectReplays(run);
  });

  test('that blocks sends the work back with its findings, to the conversation of the author', () => {
    const run = given(REVIEWED, merged);
    run.says('a/main', { said: { commit: 'work' } });
    const events = run.says('a/review', found('high'));
    expect(events).toEqual(['claim.ended a/review done', 'task.repeated a round 1', 'claim.made a #2']);
    const repeated = run.log.find(({ type }) => type === 'task.repeated');
    expect(repeated).toMatchObject({ says: expect.stringContaining('- high, f:1: It is wrong.') });
    expectReplays(run);
  });

  test('that still blocks in the last round fails the task, with the reason', () => {
    const run = given(REVIEWED, merged);
    for (let round = 0; round < 2; round += 1) {
      run.says('a/main', 'done');
      run.says('a/review', found('high'));
    }
    expect(run.endings()).toEqual({ a: 'failed (failed)' });
    expect(run.state().tasks[0]?.ended?.cause).toContain('not after 2 rounds');
  });

  test('is done again after a failed check, which goes to the author and not to the reviewer', () => {
    const run = given(REVIEWED, merged);
    run.says('a/main', 'done');
    run.says('a/review', found());
    expect(run.says('a', 'failed')).toContain('claim.made a #2');
    run.says('a/main', 'done');
    expect(run.claims()).toEqual(['a/review#2']);
  });

  test('that fails itself fails the task, and sends nobody back without findings', () => {
    const run = given('a: { prompt: x, attempts: 1, review: { agent: last } }', merged);
    run.says('a/main', 'done');
    run.says('a/review', { lost: 'turns', isFinal: true });
    expect(run.endings()).toEqual({ a: 'failed (turns)' });
  });

  test('leaves a conflict to the author', () => {
    const run = given(REVIEWED, merged);
    run.says('a/main', { said: { commit: 'work' } });
    run.says('a/review', found());
    run.says('a', 'passed', 'conflict');
    expect(run.claims()).toEqual(['a#2']);
  });

  test('writes to files that no later claim sees, whatever retry says', () => {
    for (const retry of ['', ', retry: continue']) {
      const run = given(`a: { prompt: x, check: y${retry}, review: { agent: last } }`, merged);
      run.says('a/main', { said: { commit: 'work' } });
      run.says('a/review', found());
      expect([...run.state().claims.values()].map(({ startsClean }) => startsClean)).toEqual([true]);
      expect(run.state().tasks[0]?.tip).toBe('work');
    }
  });

  test('that blocks is a reason for the next agent, like a failed check', () => {
    const run = given('a: { prompt: x, escalate: [cheap, strong], review: { agent: last } }', merged);
    run.says('a/main', 'done');
    run.says('a/review', found('high'));
    expect(agents(run)).toEqual(['cheap', undefined, 'strong']);
  });

  test('counts against the budget like any other turn', () => {
    const run = given('a: { prompt: x, budget: { usd: 1.2 }, review: { agent: last } }', merged);
    run.says('a/main', { said: OK, spend: { usd: 0.5, tokens: 1 } });
    run.says('a/review', { ...found('high'), spend: { usd: 0.4, tokens: 1 } });
    expect(run.endings()).toEqual({ a: 'failed (cost)' });
    expect(run.spent().usd).toBeCloseTo(0.9);
  });
});

import { describe, expect, test } from 'vitest';
import type { RunEvent } from '../../engine/event.ts';
import { given, OK, type Run } from '../../engine/run.given.ts';
import { followNotifications, notificationText, stopNotification, type RunNotification } from './notification.ts';

const TELLING = { run: 'given-1', name: 'given', given: { inputs: {}, env: {} } };

/** Tells a run's events as they come, one turn at a time. */
function following(run: Run): () => readonly RunNotification[] {
  const follow = followNotifications(TELLING);
  let seen = 0;
  return () => {
    const events: readonly RunEvent[] = run.log.slice(seen);
    seen = run.log.length;
    return follow(events, run.state());
  };
}

const inShort = (notifications: readonly RunNotification[]): readonly string[] =>
  notifications.map(({ trigger, event, title, text, commands }) =>
    [trigger, event, title, text, commands.join('; ')].join(' | '),
  );

describe('a person is needed', () => {
  test('when a gate opens, with how to answer', () => {
    const run = given('a: { run: x }\nship: { needs: a, gate: "Ship it?" }');
    const news = following(run);
    expect(news()).toEqual([]);
    run.says('a', 'done');
    expect(inShort(news())).toEqual([
      'approval | 6 | ship of given-1 waits for your approval | Ship it? | heddle approve ship --run given-1; heddle reject ship --run given-1',
    ]);
    expect(news()).toEqual([]);
  });

  test('when a join of steps waits for approval', () => {
    const run = given(
      'a:\n  steps:\n    - { id: p, run: x, async: true }\n    - { id: j, action: join, needs: [p], on_result: [{ if: ok, do: gate }] }',
    );
    const news = following(run);
    run.says('a/p', 'done');
    expect(news()).toMatchObject([{ trigger: 'approval', task: 'a', step: 'j' }]);
  });

  test('when an agent asks, and again when it asks again', () => {
    const run = given('a: { prompt: x }');
    const news = following(run);
    const ask = (attempt: number, question: string): void =>
      void run.hears({
        type: 'asked',
        work: 'step',
        task: 'a',
        step: 'main',
        attempt,
        question,
        result: OK,
        spend: { usd: 0, tokens: 0 },
      });
    ask(1, 'Which?');
    expect(news()).toMatchObject([{ trigger: 'question', text: 'Which?', task: 'a', step: 'main', needsPerson: true }]);
    run.hears({ type: 'replied', task: 'a', step: 'main', attempt: 1, text: 'This.' });
    expect(news()).toEqual([]);
    ask(2, 'Sure?');
    expect(news()).toMatchObject([{ trigger: 'question', text: 'Sure?' }]);
  });

  test('when an agent asks for a permission, with how to decide', () => {
    const run = given('a: { prompt: x }', { plan: 'permissions: gate' });
    const news = following(run);
    run.hears({
      type: 'asked',
      work: 'step',
      task: 'a',
      step: 'main',
      attempt: 1,
      question: 'Permission to use Bash: make?',
      permission: { tool: 'Bash', about: 'make', key: 'k' },
      result: OK,
      spend: { usd: 0, tokens: 0 },
    });
    const commands = ['yes', 'no', 'always'].map((word) => `heddle answer a --run given-1 ${word}`);
    expect(news()).toMatchObject([
      {
        trigger: 'question',
        title: 'a of given-1 asks you for a permission',
        text: 'Permission to use Bash: make?',
        commands: [...commands, 'heddle retry a --run given-1'],
      },
    ]);
  });

  test('when a conflict is for a person, at once or after an agent has failed at it', () => {
    const plan = 'merge: { on_conflict: stop }\n';
    const run = given('a: { prompt: x }', { tree: 'auto', base: 'base', plan });
    const news = following(run);
    run.says('a', { said: { ok: true, commit: 'tip' } }, { conflictsWith: ['b'] });
    expect(news()).toMatchObject([
      { trigger: 'conflict', text: 'The work of a conflicts with the work of b in file.', task: 'a' },
    ]);
    const tried = given('a: { prompt: x, attempts: 1 }', { tree: 'auto', base: 'base' });
    const later = following(tried);
    tried.says('a', { said: { ok: true, commit: 'tip' } }, { conflictsWith: ['b'] });
    expect(later()).toEqual([]);
    tried.says('a', { lost: 'refused', isFinal: true });
    expect(later()).toMatchObject([{ trigger: 'conflict' }]);
  });

  test('when no account has quota for a while, once, and not for a moment', () => {
    const plan = 'pools: { one: 2 }\nagents: { ai: { use: scripted, pool: one } }\n';
    const run = given('a: { prompt: x }\nb: { prompt: y }', { plan });
    const news = following(run);
    run.says('a', { limitedUntil: 600_000, pool: 'one' });
    expect(news()).toEqual([]);
    run.says('b', { limitedUntil: 600_000, pool: 'one' });
    expect(news()).toMatchObject([{ trigger: 'quota', text: expect.stringContaining('10m 00s') }]);
    run.waits(1_000);
    expect(news()).toEqual([]);
    const short = given('a: { prompt: x }', { plan });
    const soon = following(short);
    short.says('a', { limitedUntil: 5_000, pool: 'one' });
    expect(soon()).toEqual([]);
  });

  test('when a budget is reached, once for all the tasks that it ends', () => {
    const run = given('a: { prompt: x }\nb: { needs: a, prompt: y }\nc: { needs: a, prompt: z }', {
      plan: 'budget: { usd: 0.6 }\n',
    });
    const news = following(run);
    run.says('a', { said: { ok: true }, spend: { usd: 0.5, tokens: 1 } });
    const triggers = news().map(({ trigger }) => trigger);
    expect(triggers).toEqual(['budget', 'failed']);
  });

  test('when the run has paused itself, but not when a person has paused it', () => {
    const run = given('a: { run: x }\nb: { run: y }');
    const news = following(run);
    run.pause();
    expect(news()).toEqual([]);
    const many = Array.from({ length: 8 }, (_, index) => `t${index}: { prompt: x }`).join('\n');
    const broken = given(many, { plan: 'max_parallel: 1\n' });
    const said = following(broken);
    for (let index = 0; index < 8 && broken.state().run.stage === 'going'; index += 1)
      broken.says(`t${index}`, { lost: 'authentication', isFinal: true });
    expect(said().filter(({ trigger }) => trigger === 'breaker')).toHaveLength(1);
  });
});

describe('a run that is over', () => {
  test('gives a notification as done, or as failed with the failed tasks', () => {
    const good = given('a: { run: x }');
    const well = following(good);
    good.waits(2_000);
    good.says('a', 'done');
    expect(inShort(well())).toEqual([
      'done | 6 | given-1 is done | 1 of 1 task done after 2s. | heddle report given-1',
    ]);
    const bad = given('a: { run: x, attempts: 1 }\nb: { needs: a, run: y }');
    const ill = following(bad);
    bad.says('a', 'failed');
    expect(ill()).toMatchObject([
      {
        trigger: 'failed',
        needsPerson: false,
        text: '0 of 2 tasks done, 1 failed, 1 cancelled after 0s. Failed: a.',
        commands: ['heddle report given-1', 'heddle retry given-1'],
      },
    ]);
  });

  test('gives another notification when it becomes active and ends again', () => {
    const run = given('a: { run: x, attempts: 1 }');
    const news = following(run);
    run.says('a', 'failed');
    expect(news()).toHaveLength(1);
    run.retry();
    expect(news()).toEqual([]);
    run.says('a', 'done');
    expect(news()).toMatchObject([{ trigger: 'done' }]);
  });

  test('gives the command to continue when it was stopped', () => {
    expect(stopNotification(TELLING, { event: 4, at: 9, text: 'Stopped.' })).toMatchObject({
      trigger: 'stopped',
      event: 4,
      commands: ['heddle resume given-1'],
    });
  });
});

test('after a restart open questions give notifications with the same events, and answered ones give none', () => {
  const run = given('one: { gate: A? }\ntwo: { gate: B? }');
  const live = following(run)();
  run.says('one', 'approve');
  const again = followNotifications(TELLING)(run.log, run.state());
  expect(again).toEqual(live.filter(({ task }) => task === 'two'));
  expect(again).toHaveLength(1);
});

test('a notification as text has all of its fields', () => {
  const text = notificationText(stopNotification(TELLING, { event: 4, at: 9, text: 'x' }));
  expect(JSON.parse(text)).toMatchObject({ version: 1, task: null, step: null });
  expect(text).not.toContain('\n');
});

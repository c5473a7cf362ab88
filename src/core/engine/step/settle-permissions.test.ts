// Permission requests of an agent: who decides, the text for the agent, and its permissions afterwards.
import { describe, expect, test } from 'vitest';
import { handle } from '../commands/handle.ts';
import { notesIn } from '../commands/reply.given.ts';
import { assign } from '../owed/assign.ts';
import type { Work } from '../../protocol/assignment.ts';
import type { Outcome } from '../outcome.ts';
import { given, OK, type Run } from '../run.given.ts';
import { snapshot } from '../state.ts';
import { fold } from '../apply/fold.ts';

const GATE = { plan: 'permissions: gate\nattempts: 1' };

const wants = (about: string, of: Partial<Extract<Outcome, { type: 'asked' }>> = {}): Outcome => ({
  type: 'asked',
  work: 'step',
  task: 'a',
  step: 'main',
  attempt: 1,
  spend: { usd: 0, tokens: 0 },
  question: `Permission to use Bash: ${about}?`,
  permission: { tool: 'Bash', about, key: `key of ${about}` },
  result: { ...OK, ok: false, commit: 'half' },
  conversation: { id: 'talk', reading: undefined },
  ...of,
});

/** The reply to a person's answer. */
function answered(run: Run, text: string, task = 'a'): string {
  const { outcomes, reply } = handle(run.state(), { type: 'answer', task, step: undefined, text });
  for (const outcome of outcomes) run.hears(outcome);
  return notesIn(reply);
}

function turnOf(run: Run, attempt: number, step = 'main'): Extract<Work, { type: 'turn' }> {
  const assigned = assign(run.state(), { work: 'step', task: 'a', step, attempt }, { inputs: {}, env: {} });
  if (assigned.type !== 'assigned' || assigned.assignment.work.type !== 'turn') throw new Error('It is a turn.');
  return assigned.assignment.work;
}

function expectSameFold({ log, state }: Run): void {
  const again = fold(log);
  expect(snapshot(again)).toEqual(snapshot(state()));
}

describe('a turn', () => {
  test('allows everything without asking unless the plan says otherwise', () => {
    expect(turnOf(given('a: { prompt: x }'), 1)).not.toHaveProperty('permissions');
    const listed = turnOf(given('a: { prompt: x }', { plan: 'permissions: { allow: [edit] }' }), 1);
    expect(listed).toMatchObject({ allow: ['edit'], permissions: { policy: 'deny', granted: [], refused: [] } });
  });

  test('has the lists of both keys', () => {
    const plan = 'permissions: { policy: gate, allow: [edit] }\nquestions: { allow: ["npm test"] }';
    expect(turnOf(given('a: { prompt: x }', { plan }), 1)).toMatchObject({
      allow: ['npm test', 'edit'],
      permissions: { policy: 'gate' },
    });
  });
});

describe('a permission that a person is asked about', () => {
  test('is granted by yes, in the same conversation, until the step has ended', () => {
    const run = given('a: { steps: [{ id: main, prompt: x }, { id: next, prompt: y }] }', GATE);
    run.hears(wants('make ship'));
    expect(run.claims()).toEqual([]);
    expect(answered(run, 'Yes, but quietly.')).toBe('permission.decided a main yes');
    const turn = turnOf(run, 2);
    expect(turn).toMatchObject({
      conversation: { id: 'talk', mode: 'continue' },
      permissions: { policy: 'gate', granted: ['key of make ship'], refused: [] },
    });
    expect(turn.prompt).toMatch(/^You asked to use Bash: make ship\nThat is allowed\..*\nbut quietly\.$/u);
    run.says('a/main', 'done');
    expect(turnOf(run, 1, 'next').permissions).toEqual({ policy: 'gate', granted: [], refused: [] });
    expectSameFold(run);
  });

  test('is kept when another permission is requested, and through a lost turn', () => {
    const run = given('a: { prompt: x }', GATE);
    run.hears(wants('one'));
    answered(run, 'yes');
    run.hears(wants('two', { attempt: 2 }));
    answered(run, 'no');
    run.says('a', 'lost');
    expect(turnOf(run, 4)).toMatchObject({ permissions: { granted: ['key of one'], refused: ['key of two'] } });
    expectSameFold(run);
  });

  test('is granted for all later turns of the task by always', () => {
    const run = given('a: { steps: [{ id: main, prompt: x }, { id: next, prompt: y }] }\nb: { prompt: z }', GATE);
    run.hears(wants('make'));
    expect(answered(run, 'always')).toBe('permission.decided a main always');
    run.says('a/main', 'done');
    expect(turnOf(run, 1, 'next').permissions?.granted).toEqual(['key of make']);
    run.hears(wants('make', { task: 'b' }));
    expect(answered(run, 'no', 'b')).toBe('permission.decided b no');
    expectSameFold(run);
  });

  test("is refused by no, with the person's text, and the agent continues", () => {
    const run = given('a: { prompt: x }', GATE);
    run.hears(wants('rm -rf build'));
    expect(answered(run, 'no: move it away')).toBe('permission.decided a no');
    const { prompt, permissions } = turnOf(run, 2);
    expect(prompt).toContain('You asked to use Bash: rm -rf build\nThat is refused.');
    expect(prompt).toMatch(/\nmove it away$/u);
    expect(permissions).toEqual({ policy: 'gate', granted: [], refused: ['key of rm -rf build'] });
  });

  test('is granted by approve and refused by reject', () => {
    for (const [type, isAllowed] of [
      ['approve', true],
      ['reject', false],
    ] as const) {
      const run = given('a: { prompt: x }', GATE);
      run.hears(wants('make'));
      const { outcomes } = handle(run.state(), { type, task: 'a', step: undefined });
      for (const outcome of outcomes) run.hears(outcome);
      expect(run.log.findLast((event) => event.type === 'claim.answered')).toMatchObject({ decision: { isAllowed } });
    }
  });

  test('is not decided by any other answer, however close', () => {
    const run = given('a: { prompt: x }', GATE);
    run.hears(wants('make'));
    for (const text of [
      'yesterday',
      'not sure',
      'Sure!',
      'constructor',
      'y.e.s',
      '“yes”',
      'always ask me',
      'allow nothing',
    ])
      expect(answered(run, text)).toBe(`permission.wants-yes-or-no a ${text}`);
    // Nor is an answer that bypasses the commands.
    run.hears({ type: 'replied', task: 'a', step: 'main', attempt: 1, text: 'yes' });
    expect(run.claims()).toEqual([]);
    run.hears({ type: 'replied', task: 'a', step: 'main', attempt: 7, text: '', decision: 'yes' });
    expect(run.claims()).toEqual([]);
  });

  test('fails its step without a decision in time, by its own limit', () => {
    const run = given('a: { prompt: x }', { plan: 'permissions: { policy: gate, timeout: 1h }' });
    run.hears(wants('make'));
    expect(run.waits(3_599_999)).toEqual([]);
    run.waits(1);
    expect(run.endings()).toEqual({ a: 'failed (asked)' });
    expectSameFold(run);
  });

  test('takes a decision that a plain question does not take', () => {
    const run = given('a: { prompt: x }', GATE);
    run.hears(wants('', { question: 'Which?', permission: undefined }));
    run.hears({ type: 'replied', task: 'a', step: 'main', attempt: 1, text: '', decision: 'yes' });
    expect(run.claims()).toEqual([]);
    expect(answered(run, 'yes')).toBe('question.answered a');
    expect(turnOf(run, 2).prompt).toBe('yes');
  });
});

test('a permission that an amended plan no longer asks people about is decided by the plan, for an attempt', () => {
  for (const [policy, word] of [
    ['deny', 'refused'],
    ['allow', 'allowed'],
  ] as const) {
    const run = given('a: { prompt: x }', { plan: `permissions: ${policy}\nattempts: 2` });
    run.hears(wants('make'));
    expect(turnOf(run, 2).prompt).toContain(`That is ${word}.`);
    run.hears(wants('make', { attempt: 2 }));
    expect(run.endings()).toEqual({ a: 'failed (asked)' });
  }
});

test('a turn on a conflict asks nobody for permissions', () => {
  const run = given('a: { prompt: x }', { ...GATE, tree: 'auto', base: 'base' });
  run.says('a', 'done');
  run.says('a', { conflictsWith: [] });
  expect(turnOf(run, 2).permissions).toEqual({ policy: 'deny', granted: [], refused: [] });
});

import { describe, expect, test } from 'vitest';
import { amendIn, amendTo } from '../engine/amend.given.ts';
import { amendmentOf } from '../engine/amendment.ts';
import { compile } from '../compile/compile.ts';
import { fold } from '../engine/apply/fold.ts';
import { given } from '../engine/run.given.ts';
import { stepOn } from '../engine/step/step.given.ts';
import { snapshot } from '../engine/state.ts';
import { evaluatorOf } from '../engine/evaluator.ts';
import type { RunInputs } from '../engine/scope.ts';
import { NO_HISTORY, PROMPT_DEFAULT_MS } from '../simulate/estimate.ts';
import { judgeFragment } from './judge-fragment.ts';
import { answerWord, EVALUATOR, growing, GROWING_PLAN, growingTasks } from './growing.given.ts';

const GROW = '{ prompt: x, max_tasks: 12 }';
const PLAN = { plan: GROWING_PLAN };
const PAIR = `tasks:
  a: { files: [src/a], prompt: Do a. }
  b: { files: [src/b], prompt: Do b. }`;

type Judge = NonNullable<RunInputs['judge']>;

describe('a run that grows', () => {
  test('and whose plan is amended keeps what it has grown', () => {
    const run = growing(GROW);
    run.says('migrate.draft', answerWord(PAIR));
    run.says('migrate.a', 'done');
    amendIn(run, `${growingTasks(GROW)}\nlater: { needs: [ship], run: x }`, PLAN);
    expect(run.claims()).toEqual(['migrate.b#1']);
    run.says('migrate.b', 'done');
    expect(run.endings()).toMatchObject({ 'migrate.a': 'done', 'migrate.b': 'done', migrate: 'done' });
    expect(snapshot(fold(run.log))).toEqual(snapshot(run.state()));
  });

  test('and whose amended plan asks for another draft is refused, because the draft is done', () => {
    const run = growing(GROW);
    run.says('migrate.draft', answerWord(PAIR));
    const { plan } = amendTo(run, growingTasks('{ prompt: another, max_tasks: 12 }'), PLAN);
    expect(amendmentOf(run.state(), compile(plan)).refused).toEqual([
      { code: 'amend.done.redefined', task: 'migrate.draft', parts: ['prompt'] },
    ]);
  });

  test('and whose plan is being amended grows under the amended plan', () => {
    const tasks = `${growingTasks(GROW)}\nlong: { run: x }`;
    const run = given(tasks, { evaluator: EVALUATOR, ...PLAN });
    run.says('survey', 'done');
    amendIn(run, tasks.replace('long: { run: x }', 'long: { run: other }'), PLAN);
    run.says('migrate.draft', answerWord(PAIR));
    expect(run.log.map(({ type }) => type)).not.toContain('plan.grown');
    run.says('long', 'stopped');
    expect(run.log.map(({ type }) => type).slice(-8)).toContain('plan.grown');
    expect(run.claims()).toEqual(['migrate.a#1', 'migrate.b#1', 'long#2']);
  });

  test('has the priorities of earlier runs in its event, so that the fold needs no history', () => {
    const history = { ...NO_HISTORY, steps: new Map([['migrate.b/main', 3_600_000]]) };
    const judge: Judge = (state, draft, written) => judgeFragment(state, draft, { written, history });
    const evaluator = evaluatorOf({ inputs: {}, env: {}, judge });
    const run = given(growingTasks(GROW), { evaluator, ...PLAN, priorities: [[1]] });
    run.says('survey', 'done');
    run.says('migrate.draft', answerWord(PAIR));
    const grown = run.log.find((event) => event.type === 'plan.grown');
    const [a = 0, b = 0] = ['migrate.a', 'migrate.b'].map(
      (path) => grown?.priorities.tasks.find(({ task }) => task === path)?.steps[0],
    );
    expect(b - a).toBe(3_600_000 - PROMPT_DEFAULT_MS);
    expect(snapshot(fold(run.log))).toEqual(snapshot(run.state()));
  });

  test('on top of work that is lost grows anew when that work is done again', () => {
    const tasks = `${growingTasks(GROW)}\nz: { run: x }`;
    const run = given(tasks, { evaluator: EVALUATOR, plan: `${GROWING_PLAN}\nattempts: 1`, tree: 'auto' });
    run.says('survey', 'done', 'merged');
    run.says('migrate.draft', answerWord(PAIR));
    run.says('migrate.a', 'done', 'merged');
    run.says('z', 'done');
    const merge = { work: 'merge', task: 'z', step: undefined, attempt: 1 } as const;
    const found = { lacks: 'commit of migrate.a', branch: 'commit of base', spend: { usd: 0, tokens: 0 } };
    run.hears({ type: 'rewound', ...merge, ...found });
    run.says('z', 'merged');
    run.says('migrate.b', 'stopped');
    expect(run.endings()).toMatchObject({ survey: 'failed (lost)', migrate: 'failed (lost)' });
    run.retry();
    run.says('survey', 'done', 'merged');
    run.says('migrate.draft', answerWord('tasks: { c: { files: [src/c], prompt: Do c. } }'));
    run.says('migrate.c', 'done', 'merged');
    run.says('ship', 'done', 'merged');
    expect(new Set(Object.values(run.endings()))).toEqual(new Set(['done']));
    expect(snapshot(fold(run.log))).toEqual(snapshot(run.state()));
  });

  test('and is paused has its tasks, and starts none of them until it is resumed', () => {
    const run = growing(GROW);
    run.pause();
    run.says('migrate.draft', answerWord(PAIR));
    expect(run.log.map(({ type }) => type)).toContain('plan.grown');
    expect(run.claims()).toEqual([]);
    run.resume();
    expect(run.claims()).toEqual(['migrate.a#1', 'migrate.b#1']);
  });

  test('and is cancelled while it drafts grows nothing', () => {
    const run = growing(GROW);
    run.cancel('migrate');
    run.says('migrate.draft', answerWord(PAIR));
    expect(run.log.map(({ type }) => type)).not.toContain('plan.grown');
    expect(run.endings()).toMatchObject({ 'migrate.draft': 'cancelled (cancelled)', ship: 'cancelled (need)' });
    expect(run.isEnded()).toBe(true);
  });

  test('knows its added tasks in commands: cancel, retry and skip', () => {
    const run = growing(GROW);
    run.says('migrate.draft', answerWord(PAIR));
    run.cancel('migrate.b');
    run.says('migrate.b', 'stopped');
    run.says('migrate.a', 'done');
    expect(run.endings()).toMatchObject({ 'migrate.b': 'cancelled (cancelled)', migrate: 'cancelled (cancelled)' });
    run.retry('migrate.b');
    expect(run.claims()).toEqual(['migrate.b#2']);
    run.says('migrate.b', { lost: 'failed', isFinal: true });
    run.skip('migrate.b');
    expect(run.endings()).toMatchObject({ 'migrate.b': 'skipped (skipped)', migrate: 'done' });
    run.says('ship', 'done');
    expect(run.isEnded()).toBe(true);
  });

  test('and fails fast ends the tasks that it has grown', () => {
    const tasks = growingTasks(GROW).replace('  grow:', '  failure_mode: fail_fast\n  grow:');
    const run = given(tasks, { evaluator: EVALUATOR, ...PLAN });
    run.says('survey', 'done');
    run.says('migrate.draft', answerWord(PAIR));
    run.says('migrate.a', { lost: 'failed', isFinal: true });
    run.says('migrate.b', 'stopped');
    expect(run.endings()).toMatchObject({
      'migrate.a': 'failed (failed)',
      'migrate.b': 'cancelled (fail_fast)',
      migrate: 'failed (failed)',
    });
  });

  test('counts the draft and its tasks against the budget of the subplan', () => {
    const run = growing(GROW);
    run.says('migrate.draft', { said: { response: PAIR }, spend: { usd: 9, tokens: 0 } });
    expect(run.claims()).toEqual(['migrate.a#1']);
    run.says('migrate.a', { said: {}, spend: { usd: 9, tokens: 0 } });
    expect(run.endings()).toMatchObject({ 'migrate.b': 'failed (cost)' });
    expect(run.spent().usd).toBe(18);
  });

  test('and loses its coordinator at any event decides the same again', () => {
    const run = growing('{ prompt: x, max_tasks: 12, confirm: gate }');
    run.says('migrate.draft', answerWord(PAIR));
    const whole = run.log.map(({ type }) => type);
    const from = whole.lastIndexOf('claim.ended') + 1;
    for (let end = from; end <= whole.length; end += 1) {
      const state = fold(run.log.slice(0, end));
      const rest = stepOn(state, [], { evaluator: EVALUATOR, now: 0 });
      expect([...run.log.slice(0, end), ...rest].map(({ type }) => type)).toEqual(whole);
      expect(snapshot(state)).toEqual(snapshot(run.state()));
    }
  });
});

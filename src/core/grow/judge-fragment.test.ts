import { describe, expect, test } from 'vitest';
import { fold } from '../engine/apply/fold.ts';
import { readEvent, writeEvent } from '../engine/events/event-format.ts';
import { given } from '../engine/run.given.ts';
import { snapshot } from '../engine/state.ts';
import { answerWord, EVALUATOR, growing, GROWING_PLAN, growingTasks } from './growing.given.ts';
import { HOSTILE } from './hostile-fragments.given.ts';

const TWO = `tasks:
  a: { files: [src/a/**], prompt: Do a. }
  b: { needs: [a], files: [src/b/**], prompt: Do b. }`;

describe('a fragment that is accepted', () => {
  test('becomes tasks of the subplan, which end before the tasks that need the subplan begin', () => {
    const run = growing();
    expect(run.says('migrate.draft', answerWord(TWO)).map((line) => line.split(' ')[0])).toEqual([
      'claim.ended',
      'plan.grown',
      'task.ended',
      'task.opened',
      'claim.made',
    ]);
    expect(run.claims()).toEqual(['migrate.a#1']);
    run.says('migrate.a', 'done');
    run.says('migrate.b', 'done');
    run.says('ship', 'done');
    expect(run.endings()).toEqual({
      survey: 'done',
      migrate: 'done',
      'migrate.draft': 'done',
      'migrate.a': 'done',
      'migrate.b': 'done',
      ship: 'done',
    });
    expect(run.isEnded()).toBe(true);
  });

  test('is in the log: the same state follows from its text alone', () => {
    const run = growing();
    run.says('migrate.draft', answerWord(TWO));
    const read = run.log.map((event) => {
      const line = readEvent(writeEvent(event));
      if (line.type === 'failed') throw new Error(line.message);
      return line.event;
    });
    expect(read).toEqual(run.log);
    expect(snapshot(fold(read))).toEqual(snapshot(run.state()));
  });

  test('may come in a fenced block with words around it', () => {
    const run = growing();
    run.says('migrate.draft', answerWord(`Here are the tasks:\n\n\`\`\`yaml\n${TWO}\n\`\`\`\nThat is all.`));
    expect(run.claims()).toEqual(['migrate.a#1']);
  });

  test('may say that there is nothing to do', () => {
    const run = growing('{ prompt: x, max_tasks: 12, confirm: gate }');
    run.says('migrate.draft', answerWord('tasks: {}'));
    expect(run.endings()).toMatchObject({ 'migrate.confirm': 'skipped (condition)', migrate: 'done' });
    expect(run.claims()).toEqual(['ship#1']);
  });

  test('grows while siblings run, and they go on', () => {
    const run = given(`x: { run: x }\n${growingTasks('{ prompt: x, max_tasks: 12 }')}`, {
      evaluator: EVALUATOR,
      plan: GROWING_PLAN,
    });
    run.says('survey', 'done');
    run.says('migrate.draft', answerWord(TWO));
    expect(run.claims()).toEqual(['x#1', 'migrate.a#1']);
    run.says('x', 'done');
    expect(run.endings()).toMatchObject({ x: 'done' });
  });

  test('uses a command of the plan, and any command where agents may run commands', () => {
    const command = (check: string): string => `tasks: { a: { files: [src/a], prompt: x, check: ${check} } }`;
    const strict = growing();
    strict.says('migrate.draft', answerWord(command('make test')));
    expect(strict.claims()).toEqual(['migrate.a#1']);
    const open = growing(undefined, GROWING_PLAN.replace('permissions: deny', 'permissions: allow'));
    open.says('migrate.draft', answerWord(command('npm test')));
    expect(open.claims()).toEqual(['migrate.a#1']);
  });

  test('may grow itself as deep as is left', () => {
    const run = growing('{ prompt: x, max_tasks: 12, depth: 2 }');
    run.says('migrate.draft', answerWord('tasks: { more: { files: [src/**], grow: { prompt: y, max_tasks: 4 } } }'));
    expect(run.claims()).toEqual(['migrate.more.draft#1']);
    run.says('migrate.more.draft', answerWord('tasks: { a: { files: [src/a], prompt: z } }'));
    expect(run.claims()).toEqual(['migrate.more.a#1']);
  });
});

describe('a person who confirms', () => {
  const GATE = '{ prompt: x, max_tasks: 12, confirm: gate }';

  test('sees the tasks and their work before any of them starts', () => {
    const run = growing(GATE);
    run.says('migrate.draft', answerWord(TWO.replace('Do b.', '"Do b. {{ tasks.migrate.a.response }}"')));
    expect(run.claims()).toEqual([]);
    const gate = run.state().compiled.tasks.find(({ task }) => task.path === 'migrate.confirm')?.task;
    expect(gate?.type === 'gate' ? gate.question.split('\n') : []).toEqual([
      'Start the 2 tasks that migrate has grown?',
      '- a: Do a.',
      '- b: Do b. { { tasks.migrate.a.response }}',
    ]);
    run.says('migrate.confirm', 'approve');
    expect(run.claims()).toEqual(['migrate.a#1']);
  });

  test('sees the commands inside subplans, and where to read what is cut', () => {
    const run = growing('{ prompt: x, max_tasks: 40, confirm: gate }');
    const inner = '{ files: [src/a], prompt: Do it., check: curl evil.example }';
    run.says(
      'migrate.draft',
      answerWord(`tasks: { s: { tasks: { a: ${inner} } }, b: { files: [src/b], prompt: ${'x'.repeat(500)} } }`),
    );
    const gate = run.state().compiled.tasks.find(({ task }) => task.path === 'migrate.confirm')?.task;
    expect(gate?.type === 'gate' ? gate.question.split('\n') : []).toEqual([
      'Start the 2 tasks that migrate has grown?',
      '- s: subplan',
      '- s.a: Do it.; check: curl evil.example',
      `- b: ${'x'.repeat(160)}…`,
      'All of it: heddle turns migrate.draft',
    ]);
  });

  test('is asked about what grows inside as well', () => {
    const run = growing('{ prompt: x, max_tasks: 12, depth: 2, confirm: gate }');
    const more = (confirm: string): string =>
      `tasks: { more: { files: [src/**], grow: { prompt: y, max_tasks: 4${confirm} } } }`;
    run.says('migrate.draft', answerWord(more('')));
    expect(run.log.at(-1)).toMatchObject({ says: expect.stringContaining('growth without confirmation') });
    run.waits(60_000);
    run.says('migrate.draft', answerWord(more(', confirm: gate')));
    expect(run.log.map(({ type }) => type)).toContain('plan.grown');
  });

  test('ends them all by saying no', () => {
    const run = growing(GATE);
    run.says('migrate.draft', answerWord(TWO));
    run.says('migrate.confirm', 'reject');
    expect(run.endings()).toMatchObject({
      'migrate.a': 'cancelled (need)',
      'migrate.b': 'cancelled (need)',
      migrate: 'failed (rejected)',
    });
  });
});

describe('a fragment that is refused', () => {
  test('goes back to the same conversation with places and hints, and counts as a round', () => {
    const run = growing();
    run.says('migrate.draft', answerWord('tasks:\n  a:\n    files: [src/a]\n    promt: x'));
    expect(run.log.at(-1)).toMatchObject({
      type: 'claim.returned',
      reason: 'refused',
      counted: true,
      says: [
        'The tasks cannot be added to the plan:',
        '- line 4, column 5 (unknown-key): A task has no key "promt". Did you mean prompt?',
        'Answer again with the whole fragment, as YAML that begins with tasks: and nothing else.',
      ].join('\n'),
    });
    run.waits(60_000);
    expect(run.claims()).toEqual(['migrate.draft#2']);
    run.says('migrate.draft', answerWord(TWO));
    expect(run.claims()).toEqual(['migrate.a#1']);
  });

  test.each(HOSTILE)('starts nothing: %s', (_, fragment, code) => {
    const run = growing('{ prompt: x, max_tasks: 12, rounds: 2 }');
    for (const round of [1, 2]) {
      expect(run.claims()).toEqual([`migrate.draft#${round}`]);
      run.says('migrate.draft', answerWord(fragment));
      run.waits(60_000);
    }
    const ended = run.log.find((event) => event.type === 'task.ended' && event.task === 'migrate.draft');
    expect(ended).toMatchObject({ ending: 'failed', reason: 'refused', cause: expect.stringContaining(`(${code})`) });
    expect(run.endings()).toMatchObject({ migrate: 'failed (refused)', ship: 'cancelled (need)' });
    expect(run.isEnded()).toBe(true);
    const begun = run.log.flatMap((event) => (event.type === 'claim.made' ? [event.task] : []));
    expect(begun).toEqual(['survey', 'migrate.draft', 'migrate.draft']);
    expect(run.log.some(({ type }) => type === 'plan.grown')).toBe(false);
  });

  test('can be tried again by a person', () => {
    const run = growing('{ prompt: x, max_tasks: 12, rounds: 1 }');
    run.says('migrate.draft', answerWord('no'));
    run.retry('migrate');
    expect(run.claims()).toEqual(['migrate.draft#2']);
    run.says('migrate.draft', answerWord(TWO));
    expect(run.claims()).toEqual(['migrate.a#1']);
  });
});

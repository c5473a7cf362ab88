import type { AmendmentPreview } from '../../app/run/amend-run.ts';
import { expect, test } from 'vitest';
import type { TaskChange } from '../../core/engine/plan-changes.ts';
import { startOf } from '../../core/engine/apply/fold.ts';
import { given } from '../../core/engine/run.given.ts';
import { amendmentLines } from './amendment-lines.ts';

const shown = (more: Partial<AmendmentPreview>): AmendmentPreview => ({
  run: 'flow-1',
  stage: 'going',
  isRunning: true,
  position: 1,
  changed: startOf(given('a: { run: x }').log),
  isSame: false,
  expects: { restarted: [], added: [], cancelled: [] },
  tasks: [],
  plan: [],
  stillFailed: [],
  refused: [],
  ...more,
});

const DONE = { type: 'ended', ending: 'done', reason: undefined } as const;
const MORE: TaskChange = {
  task: 'more',
  does: 'add',
  isTouched: true,
  because: { type: 'added', needs: [] },
  standing: undefined,
};

const linesAt = (width: number, more: Partial<AmendmentPreview>): string =>
  amendmentLines({ width, colour: false }, shown(more)).join('\n');

test('the table is aligned, and on a narrow screen reasons are folded and not cut', () => {
  const tasks: readonly TaskChange[] = [
    { task: 'api', does: 'keep', isTouched: false, because: undefined, standing: DONE },
    {
      task: 'web',
      does: 'restart',
      isTouched: true,
      because: { type: 'used', by: 'tests' },
      standing: { type: 'running' },
    },
    {
      task: 'a-task-with-a-very-long-name-indeed',
      does: 'cancel',
      isTouched: true,
      because: { type: 'removed' },
      standing: { type: 'not begun' },
    },
  ];
  const note = { type: 'drains', held: 2, to: 1 } as const;
  const plan = [{ part: 'pools.ci', before: '2', after: '1', note }];
  expect(linesAt(64, { tasks, plan, refused: [{ code: 'amend.merging', task: 'web' }] })).toMatchInlineSnapshot(`
      "keep     api                     done
      restart  web                     it went on from tests, which
                                       begins anew; its work is
                                       stopped
      cancel   a-task-with-a-very-lo…  gone from the plan; not begun
      plan     pools.ci: 2 → 1  (2 are held now; it drains to 1)

      keep 1, restart 1, add 0, cancel 1
      refused: web is being merged right now; amend again when that is
          over."
    `);
});

test('many tasks that are kept are counted, and what changes is listed', () => {
  const tasks = Array.from({ length: 20 }, (_, at): TaskChange => ({
    task: `t${at}`,
    does: 'keep',
    isTouched: false,
    because: undefined,
    standing: DONE,
  }));
  expect(linesAt(80, { tasks: [...tasks, MORE] })).toMatchInlineSnapshot(`
      "add      more  can start at once
      keep     20 tasks as they stand

      keep 20, restart 0, add 1, cancel 0"
    `);
});

test('what failed and is kept is said to need another word', () => {
  const text = linesAt(80, { stillFailed: ['a', 'b.c'] });
  expect(text).toContain('2 tasks stay failed; heddle retry flow-1 a b.c runs them again.');
  expect(linesAt(80, { stillFailed: ['a', 'b', 'c', 'd', 'e'] })).toContain('heddle retry flow-1 runs them again.');
  expect(linesAt(80, { stillFailed: ['a'], refused: [{ code: 'amend.pending' }] })).not.toContain('retry');
});

test('a plan that the run follows already is said to be that', () => {
  expect(linesAt(80, { isSame: true })).toBe('flow-1 follows this plan already; there is nothing to amend.');
});

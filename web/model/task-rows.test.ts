import { expect, test } from 'vitest';
import { given } from '../../src/core/engine/run.given.ts';
import { fold } from '../../src/core/engine/apply/fold.ts';
import { pictureOfPlan } from '../../src/core/view/draw/picture-of-plan.ts';
import { statusOf } from '../../src/core/view/run/run-status.ts';
import { planLooks } from '../canvas/plan-looks.ts';
import { openRunLog } from './run-log.ts';
import { rowsByPath, taskRows, type TaskRow } from './task-rows.ts';

const GIVEN = { inputs: {}, env: {} };

/** A run with a retry, a question and a subplan. */
function eventfulRun() {
  const run = given(
    'a: { run: x }\nb: { needs: [a], tasks: { c: { run: x }, d: { needs: [c], run: x } } }\ng: { gate: "Go?" }',
    {
      plan: 'attempts: 2',
    },
  );
  run.waits(1_000);
  run.says('a', 'crashed');
  run.waits(60_000);
  run.says('a', 'done');
  run.says('b.c', 'done');
  return run;
}

const rowsOf = (state: ReturnType<typeof fold>): readonly TaskRow[] =>
  taskRows(state, statusOf(state, { now: state.run.now, given: GIVEN }));

test('rows that are kept from step to step are those of the fold at each position', () => {
  const { log } = eventfulRun();
  const replay = openRunLog();
  for (const event of log) replay.append(event);
  for (let position = 1; position < log.length; position += 1) {
    const state = replay.stateAt(position);
    expect(state === undefined ? [] : rowsOf(state)).toEqual(rowsOf(fold(log.slice(0, position))));
  }
});

test('a step of the replay keeps the rows of tasks that it does not change', () => {
  const { log } = eventfulRun();
  const replay = openRunLog();
  for (const event of log) replay.append(event);
  const rowAt = (position: number): TaskRow | undefined => {
    const state = replay.stateAt(position);
    return state === undefined ? undefined : rowsOf(state).find(({ path }) => path === 'b.d');
  };
  const before = rowAt(2);
  expect(rowAt(3)).toBe(before);
  expect(before).toMatchObject({ group: 'waiting' });
});

test('a task looks like its row, and a subplan like its tasks together', () => {
  const { log } = eventfulRun();
  const state = fold(log);
  const rows = rowsOf(state);
  const whole = pictureOfPlan(state.compiled.plan, { all: true });
  const { lookOf } = planLooks({
    whole,
    rows,
    rowAt: rowsByPath(rows, state.compiled),
    chain: [],
    selected: 'a',
    finds: ({ path }) => path !== 'g',
  });
  expect(lookOf('a')).toMatchObject({ group: 'done', isSelected: true, isDim: false });
  expect(lookOf('g')).toMatchObject({ isDim: true });
  expect(lookOf('b')).toMatchObject({ foot: '1 of 2 · ●1', share: 0.5 });
  expect(lookOf('nothing')).toMatchObject({ group: 'waiting', foot: '' });
});

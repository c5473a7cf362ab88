import { expect, test } from 'vitest';
import type { RunEvent } from '../../src/core/engine/event.ts';
import { given } from '../../src/core/engine/run.given.ts';
import { followMarks, nextMark } from './log-marks.ts';

function marked() {
  const run = given('a: { prompt: x, attempts: 2 }\ng: { gate: Go?, needs: [a] }\nb: { prompt: x, needs: [g] }', {
    tree: 'auto',
  });
  run.says('a', 'crashed');
  run.waits(3_600_000);
  run.says('a', 'done', 'merged');
  return run;
}

test('failures, questions and merges of a log are marked where their effect is seen', () => {
  const { log, compiled } = marked();
  const marks = followMarks()(log, compiled);
  expect(marks.map(({ type, position }) => `${type} ${log[position - 1]?.type ?? ''}`)).toEqual([
    'failure claim.returned',
    'merge claim.ended',
    'question task.opened',
  ]);
});

test('marks of a growing log are those of the whole log', () => {
  const { log, compiled } = marked();
  const follow = followMarks();
  const grown = log.map((_, index) => follow(log.slice(0, index + 1), compiled)).at(-1);
  expect(grown).toEqual(followMarks()(log, compiled));
});

test('jumps go to the next mark of a kind, and back', () => {
  const marks = [
    { type: 'failure', position: 3 },
    { type: 'merge', position: 5 },
    { type: 'failure', position: 9 },
  ] as const;
  expect(nextMark(marks, 'failure', { from: 3, by: 1 })).toBe(9);
  expect(nextMark(marks, 'failure', { from: 9, by: -1 })).toBe(3);
  expect(nextMark(marks, 'merge', { from: 5, by: 1 })).toBeUndefined();
});

test('every event that asks a person is marked as a question', () => {
  const { log, compiled } = marked();
  const result = { ok: true, response: undefined, output: undefined, exitCode: undefined, commit: undefined };
  const asked: RunEvent = { type: 'task.gated', at: 1, task: 'a', result };
  expect(followMarks()([...log, asked], compiled).at(-1)).toEqual({ type: 'question', position: log.length + 1 });
});

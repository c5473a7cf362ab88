import { expect, test } from 'vitest';
import type { RunEvent } from '../../src/core/engine/event.ts';
import { given } from '../../src/core/engine/run.given.ts';
import { openRunLog } from './run-log.ts';
import { idleAt, waitAt, type LookedAt } from './wait-at.ts';

const logOf = (run: { readonly log: readonly RunEvent[] }): LookedAt => {
  const log = openRunLog();
  for (const event of run.log) log.append(event);
  return log;
};

test('a wait is explained by the state of its own time', () => {
  const run = given('a: { run: x, pool: ci }\nb: { run: x, pool: ci }\nc: { needs: [b], run: x }', {
    plan: 'pools: { ci: 1 }',
  });
  run.waits(1000);
  run.says('a', 'done');
  run.waits(1000);
  run.says('b', 'done');
  const log = logOf(run);
  expect(waitAt(log, 'b', 500)).toBe('waits: pool ci, held by a');
  expect(waitAt(log, 'c', 500)).toBe('after b');
  expect(waitAt(log, 'c', 1500)).toBe('after b');
  expect(waitAt(log, 'nobody', 500)).toBeUndefined();
});

test('an idle time says what the run waited for', () => {
  const run = given('ship: { gate: Ship? }\nlast: { needs: [ship], run: x }');
  run.waits(60_000);
  expect(idleAt(logOf(run), 30_000)).toBe('ship waited for a person');
});

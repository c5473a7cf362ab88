import { expect, test } from 'vitest';
import { given } from '../../src/core/engine/run.given.ts';
import { claimSpans } from '../../src/core/view/report/claim-spans.ts';
import { rowsByPool } from './rows-by-pool.ts';
import { historiesAt } from './task-histories.ts';
import { timelineForecast, timelineRows, type TimelineRow } from './timeline-rows.ts';

/** Two tasks inside of a subplan that share one slot, and a gate after them. */
function givenRows(): readonly TimelineRow[] {
  const run = given('all: { tasks: { a: { run: x }, b: { run: x } } }\nship: { needs: [all], gate: Ship? }', {
    plan: 'max_parallel: 1\n',
  });
  run.waits(1000);
  run.says('all.a', 'done');
  run.waits(2000);
  run.says('all.b', 'failed');
  const { compiled, log } = run;
  const expected = [{ type: 'step', task: 'all.a', step: 'main', startMs: 0, endMs: 500, ending: 'done' }] as const;
  const forecast = timelineForecast(compiled, expected);
  const rows = timelineRows({
    compiled,
    histories: historiesAt(log, log.length, compiled),
    forecast,
    nowMs: run.now(),
  });
  return Array.from({ length: rows.length }, (_, at) => rows.at(at) ?? []).flat();
}

test('each task has its work, its waits and its forecast; a subplan has no row of its own', () => {
  const shown = givenRows().map(({ label, bars, forecast }) => [
    label,
    bars.map(({ kind, startMs, endMs }) => `${kind} ${startMs} to ${endMs}`),
    forecast.length,
  ]);
  expect(shown).toMatchInlineSnapshot(`
    [
      [
        "all.a",
        [
          "work 0 to 1000",
        ],
        1,
      ],
      [
        "all.b",
        [
          "waiting 0 to 1000",
          "failed 1000 to 3000",
        ],
        0,
      ],
    ]
  `);
});

test('each slot of a pool has a lane with its work and its forecast, idle slots too', () => {
  const run = given('a: { run: x, pool: ci }\nb: { run: x, pool: ci }\nc: { run: x }', { plan: 'pools: { ci: 3 }' });
  run.waits(1000);
  run.says('a', 'done');
  const { compiled, log } = run;
  const spans = claimSpans(compiled, log);
  const forecast = [{ type: 'step', task: 'a', step: 'main', startMs: 0, endMs: 500, ending: 'done' }] as const;
  const rows = rowsByPool({ compiled, spans, forecast, nowMs: run.now(), wholeMs: 5000 });
  expect(rows.map(({ label, bars, forecast: pale }) => [label, bars.map((bar) => bar.label), pale.length])).toEqual([
    ['ci 1', ['a · main: done'], 1],
    ['ci 2', ['b · main: running'], 0],
    ['ci 3', [], 0],
    ['no pool 1', ['c · main: running'], 0],
  ]);
});

import { describe, expect, test } from 'vitest';
import { STARVATION_LIMIT } from './starvation-guard.ts';
import { given, runOf, type Run } from './run.given.ts';
import { snapshot } from './state.ts';
import { fold } from './apply/fold.ts';

/** One wide step that needs two tokens of a pool of two, and many narrow ones that need one each. */
function contended(narrow: number): Run {
  const many = Array.from({ length: narrow }, (_, index) => `n${index}: { run: x, pools: { gpu: 1 } }`);
  const wide = 'wide: { needs: [start], run: x, pools: { gpu: 2 } }';
  const tasks = ['start: { run: x }', wide, ...many].join('\n');
  return given(tasks, { plan: 'pools: { gpu: 2 }\nmax_parallel: 4', priorities: [[9], [8]] });
}

/** Ends the oldest narrow step again and again, so that both tokens are never free at once. */
function playOn(run: Run, times: number): readonly string[] {
  const claimed: string[] = [];
  for (let time = 0; time < times && !claimed.includes('wide#1'); time += 1) {
    const oldest = run.claims()[0];
    if (oldest === undefined) break;
    run.says(oldest.slice(0, oldest.indexOf('#')), 'done');
    claimed.push(...run.claims().filter((claim) => !claimed.includes(claim)));
  }
  return claimed;
}

describe('a step that needs more tokens than are free at once', () => {
  test('is passed over at first, for steps that fit', () => {
    const run = contended(10);
    run.says('start', 'done');
    expect(run.claims()).toEqual(['n0#1', 'n1#1']);
    run.says('n0', 'done');
    expect(run.claims()).toEqual(['n1#1', 'n2#1']);
  });

  test('gets its tokens kept free after it was passed over too often', () => {
    const run = contended(200);
    run.says('start', 'done');
    const claimed = playOn(run, 200);
    expect(claimed.indexOf('wide#1')).toBeGreaterThan(STARVATION_LIMIT - 2);
    expect(claimed.indexOf('wide#1')).toBeLessThan(STARVATION_LIMIT + 5);
    run.says('wide', 'done');
    expect(run.claims()).toHaveLength(2);
  });

  test('does not block steps that take none of its tokens', () => {
    const run = given(
      [
        'start: { run: x }',
        'wide: { needs: [start], run: x, pools: { gpu: 2 } }',
        ...Array.from({ length: 70 }, (_, index) => `n${index}: { run: x, pools: { gpu: 1 } }`),
        'other: { needs: [n49], run: x }',
      ].join('\n'),
      { plan: 'pools: { gpu: 2 }\nmax_parallel: 4', priorities: [[9], [8]] },
    );
    run.says('start', 'done');
    playOn(run, STARVATION_LIMIT - 1);
    expect(run.claims()).toEqual(['n49#1', 'n50#1']);
    run.says('n49', 'done');
    expect(run.claims()).toEqual(['n50#1', 'n51#1', 'other#1']);
    run.says('n50', 'done');
    expect(run.claims()).toEqual(['n51#1', 'other#1']);
    run.says('n51', 'done');
    expect(run.claims()).toEqual(['other#1', 'wide#1']);
  });

  test('is dropped from the guard when it is cancelled, and other steps take the tokens', () => {
    const run = contended(200);
    run.says('start', 'done');
    playOn(run, STARVATION_LIMIT + 1);
    expect(run.claims()).toHaveLength(1);
    run.cancel('wide');
    expect(run.claims()).toHaveLength(2);
  });

  test('has its tokens kept free after a restart as before', () => {
    const run = contended(200);
    run.says('start', 'done');
    playOn(run, STARVATION_LIMIT - 1);
    const folded = fold(run.log);
    expect(snapshot(folded)).toEqual(snapshot(run.state()));
    expect([...(folded.guard?.passes.values() ?? [])]).toEqual([STARVATION_LIMIT - 1]);
  });

  test('starts a new count when it was claimed and returns', () => {
    const run = contended(200);
    run.says('start', 'done');
    playOn(run, 200);
    expect(run.claims()).toEqual(['wide#1']);
    run.says('wide', 'failed');
    expect(run.claims()).toHaveLength(2);
    run.waits(60_000);
    expect(playOn(run, 5)).not.toContain('wide#2');
  });

  test('keeps no tokens free while its pool is closed', () => {
    const run = given(
      [
        'start: { run: x }',
        'wide: { needs: [start], run: x, pools: { gpu: 2, ai: 1 } }',
        ...Array.from({ length: 99 }, (_, index) => `n${index}: { run: x, pools: { gpu: 1 } }`),
        'asks: { run: x, pools: [ai] }',
      ].join('\n'),
      { plan: 'pools: { gpu: 2, ai: 1 }\nmax_parallel: 4', priorities: [[9], [8]] },
    );
    run.says('start', 'done');
    run.says('asks', { limitedUntil: 1e9, pool: 'ai' });
    playOn(run, 80);
    expect(run.claims()).toHaveLength(2);
    expect(run.state().guard?.passes.size).toBe(0);
  });
});

test('a plan in which no step could starve keeps no counts', () => {
  const run = given('a: { run: x, pools: [ci] }\nb: { run: x, pools: [ci] }', { plan: 'pools: { ci: 1 }' });
  expect(run.state().guard).toBeUndefined();
  expect(runOf(run.compiled, { policy: 'serial' }).state().guard).toBeUndefined();
});

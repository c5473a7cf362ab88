import { describe, expect, test } from 'vitest';
import { TASKS_PER_TRACE_MAX, traceIdsOf, traceParentOf } from './trace-context.ts';

const RUN = { run: 'checkout-3', startedAt: 1_700_000_000_000, seed: 7, base: 'b1a5ed5', tasks: 3 };
const CLAIM = { work: 'step', task: 'api', step: 'code', attempt: 1 } as const;

describe('ids of spans', () => {
  test('are the same for the same names, in any process and any year', () => {
    const ids = traceIdsOf(RUN);
    expect(ids.ofClaim(CLAIM)).toEqual(traceIdsOf({ ...RUN }).ofClaim({ ...CLAIM }));
    expect(traceParentOf(ids.ofClaim(CLAIM))).toMatchInlineSnapshot(
      `"00-42a09b597d9cf8420b0e0a5b4148487e-80ffbc428c29e2e3-01"`,
    );
  });

  test('differ where anything about the run or the claim differs', () => {
    const others = [
      traceIdsOf({ ...RUN, run: 'checkout-4' }).ofRun(1).traceId,
      traceIdsOf({ ...RUN, startedAt: RUN.startedAt + 1 }).ofRun(1).traceId,
      traceIdsOf({ ...RUN, seed: 8 }).ofRun(1).traceId,
      traceIdsOf({ ...RUN, base: undefined }).ofRun(1).traceId,
      traceIdsOf(RUN).ofRun(1).traceId,
    ];
    expect(new Set(others).size).toBe(others.length);
    const { ofClaim, ofTask, ofRun, ofStart } = traceIdsOf(RUN);
    const spans = [
      ofClaim(CLAIM),
      ofClaim({ ...CLAIM, attempt: 2 }),
      ofClaim({ ...CLAIM, work: 'resolve' }),
      ofClaim({ ...CLAIM, step: undefined }),
      ofClaim({ ...CLAIM, task: 'api.code' }),
      ofTask('api', 1),
      ofTask('api', 2),
      ofRun(1),
      ofRun(2),
      ofStart(ofRun(1)),
    ].map(({ spanId }) => spanId);
    expect(new Set(spans).size).toBe(spans.length);
    for (const id of spans) expect(id).toMatch(/^[0-9a-f]{16}$/);
  });

  test('do not meet among the claims of a very large run', () => {
    const { ofClaim } = traceIdsOf({ ...RUN, tasks: 100_000 });
    const ids = new Set<string>();
    const halves = new Set<string>();
    for (let task = 0; task < 100_000; task += 1) {
      const { spanId } = ofClaim({ ...CLAIM, task: `part-${task}` });
      ids.add(spanId);
      halves.add(spanId.slice(8));
    }
    expect(ids.size).toBe(100_000);
    // Half an id has 32 bits, in which about one of 100,000 values meets another.
    expect(halves.size).toBeGreaterThan(99_990);
  });

  test('share one trace up to a number of tasks, and have one for each task above it', () => {
    const tracesOf = (tasks: number): number => {
      const ids = traceIdsOf({ ...RUN, tasks });
      return new Set(
        [ids.ofRun(1), ids.ofTask('a', 1), ids.ofTask('b', 1), ids.ofClaim({ ...CLAIM, task: 'b' })].map(
          ({ traceId }) => traceId,
        ),
      ).size;
    };
    expect(tracesOf(TASKS_PER_TRACE_MAX)).toBe(1);
    expect(tracesOf(TASKS_PER_TRACE_MAX + 1)).toBe(3);
  });
});

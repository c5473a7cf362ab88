import { describe, expect, test } from 'vitest';
import { buildProblem, mirrored } from './problem.ts';
import { givenActivities } from './problem.given.ts';

describe('building a problem', () => {
  test('lists every activity after all it waits for', () => {
    const problem = givenActivities(
      [1, 1, 1],
      [
        [2, 0],
        [0, 1],
      ],
      { capacity: [] },
    );
    expect([...problem.topological]).toEqual([2, 0, 1]);
  });

  test('says that activities wait for each other in a cycle', () => {
    expect(
      buildProblem({
        activities: [1, 0].map((next) => ({ durationMs: 1, successors: [next], demands: [] })),
        capacity: [],
      }),
    ).toEqual({
      type: 'impossible',
      reasons: ['The activities wait for each other in a cycle.'],
    });
  });

  test('says all that is wrong at once', () => {
    const activities = [
      { durationMs: -1, successors: [9], demands: [{ pool: 0, tokens: 3 }] },
      {
        durationMs: Number.NaN,
        successors: [],
        demands: [
          { pool: 4, tokens: 1 },
          { pool: 0, tokens: -2 },
        ],
      },
    ];
    expect(buildProblem({ activities, capacity: [2] })).toMatchInlineSnapshot(`
      {
        "reasons": [
          "Activity 0 lasts -1 ms; give a number from 0 up.",
          "Activity 0 has a successor 9 that does not exist.",
          "Activity 0 demands 3 tokens of pool 0, which has 2.",
          "Activity 1 lasts NaN ms; give a number from 0 up.",
          "Activity 1 demands pool 4, which does not exist.",
          "Activity 1 demands -2 tokens; give a number from 0 up.",
        ],
        "type": "impossible",
      }
    `);
  });

  test('keeps the list of faults short', () => {
    const activities = Array.from({ length: 100 }, () => ({ durationMs: -1, successors: [], demands: [] }));
    const built = buildProblem({ activities, capacity: [] });
    expect(built.type === 'impossible' && built.reasons.length).toBe(20);
  });

  test('sums two demands of one activity on the same pool', () => {
    const twice = {
      durationMs: 1,
      successors: [],
      demands: [
        { pool: 0, tokens: 2 },
        { pool: 0, tokens: 2 },
      ],
    };
    expect(buildProblem({ activities: [twice], capacity: [3] }).type).toBe('impossible');
    const built = buildProblem({ activities: [twice, twice], capacity: [4] });
    expect(built.type === 'problem' && [...built.problem.demands.tokens]).toEqual([4]);
  });

  test('puts activities of equal demand in one class', () => {
    const problem = givenActivities([1, 2, 3], [], { capacity: [2], demands: [[1], [2], [1]] });
    expect([...problem.classOf]).toEqual([0, 1, 0]);
  });

  test('leaves out a pool that can serve everything at once, and demands for no time', () => {
    const roomy = givenActivities([1, 1], [], { capacity: [2] });
    expect(roomy.demands.pool.length).toBe(0);
    const gate = givenActivities([0, 5, 5], [], { capacity: [1] });
    expect(gate.classOf[0]).not.toBe(gate.classOf[1]);
  });

  test('run backwards, predecessors become successors', () => {
    const problem = givenActivities([1, 1], [[0, 1]], { capacity: [] });
    expect([...mirrored(problem).successors.to]).toEqual([0]);
    expect([...mirrored(problem).topological]).toEqual([1, 0]);
  });
});

// The readers of the benchmark: each format as published, and a clear sentence for any other file.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { generatedSets } from '../../bench/instances/generated-sets.ts';
import { loadFolder } from '../../bench/instances/load-folder.ts';
import { readOptima } from '../../bench/instances/read-optima.ts';
import { readPsplib } from '../../bench/instances/read-psplib.ts';
import { readStg } from '../../bench/instances/read-stg.ts';
import { readWfcommons } from '../../bench/instances/read-wfcommons.ts';
import { references } from '../../bench/instances/reference-policies.ts';
import { makespan, makespanDefaults } from '../../bench/makespan.ts';
import { lowerBounds } from '../../src/core/schedule/bounds.ts';
import { givenActivities } from '../../src/core/schedule/problem.given.ts';

const stg = '  2\n 0 0 0\n 1 5 1 0\n 2 3 1 0\n 3 0 2 1 2\n# a comment\n';
const psplib = [
  '  - renewable                 :  2   R',
  'PRECEDENCE RELATIONS:',
  'jobnr.    #modes  #successors   successors',
  '   1        1          1           2',
  '   2        1          1           3',
  '   3        1          0',
  '****',
  'REQUESTS/DURATIONS:',
  'jobnr. mode duration  R 1  R 2',
  '------',
  '  1      1     0       0    0',
  '  2      1     4       2    1',
  '  3      1     0       0    0',
  '****',
  'RESOURCEAVAILABILITIES:',
  '  R 1  R 2',
  '    3    2',
  '****',
].join('\r\n');
const durations = (read: ReturnType<typeof readStg>): unknown =>
  read.type === 'given'
    ? read.given.activities.map(({ durationMs, successors }) => [durationMs, successors])
    : read.reason;

describe('reading instances', () => {
  test('STG with and without comments', () => {
    const graph = [
      [0, [1, 2]],
      [5, [3]],
      [3, [3]],
      [0, []],
    ];
    expect(durations(readStg(stg, 2))).toEqual(graph);
    expect(durations(readStg(stg.replace(/#.*/, ''), 2))).toEqual(graph);
  });

  test.each([
    ['', 'The file is empty.'],
    ['2\n0 0 0\n', 'The file announces 2 tasks and holds 1 lines of them.'],
    ['1\n0 zero 0\n', 'A line holds something that is not a number.'],
    ['1\n0 0 0\n1 1 2 0\n2 0 1 1\n', 'Task 1 announces 2 predecessors and names 1.'],
    ['1\n0 0 0\n1 1 1 9\n2 0 1 1\n', 'Task 1 waits for task 9, which is not in the file.'],
  ])('STG that is wrong is said to be so: %j', (text, reason) => {
    expect(durations(readStg(text, 2))).toBe(reason);
  });

  test('PSPLIB, whatever its line ends', () => {
    const read = readPsplib(psplib);
    expect(durations(read)).toEqual([
      [0, [1]],
      [4, [2]],
      [0, []],
    ]);
    expect(read.type === 'given' && read.given.capacity).toEqual([3, 2]);
  });

  test('PSPLIB without its blocks or with several modes is said to be so', () => {
    expect(durations(readPsplib('nothing'))).toBe('The file has no block of precedence relations.');
    expect(durations(readPsplib(psplib.replace('   2        1          1', '   2        3          1')))).toBe(
      'Job 2 has 3 modes; only one is read.',
    );
  });

  test('WfCommons of schemas 1.3 to 1.5, by id or by name, by parents or by children', () => {
    const flat = {
      workflow: {
        tasks: [
          { name: 'a', runtimeInSeconds: 1.5, children: ['b'] },
          { name: 'b', runtime: 2, parents: ['a'] },
        ],
      },
    };
    const split = {
      workflow: {
        specification: {
          tasks: [
            { name: 'a', id: 'x1', children: ['x2'] },
            { name: 'a', id: 'x2', parents: ['x1'] },
          ],
        },
        execution: {
          tasks: [
            { id: 'x1', runtimeInSeconds: 1.5 },
            { id: 'x2', runtimeInSeconds: 2 },
          ],
        },
      },
    };
    const graph = [
      [1500, [1]],
      [2000, []],
    ];
    expect(durations(readWfcommons(JSON.stringify(flat), 2))).toEqual(graph);
    expect(durations(readWfcommons(JSON.stringify(split), 2))).toEqual(graph);
  });

  test.each([
    ['{', 'The file is not JSON.'],
    ['{}', 'The file has no workflow.tasks and no workflow.specification.tasks.'],
    ['{"workflow":{"tasks":[{"name":"a","parents":["z"]}]}}', 'Task a names z, which is not a task of the file.'],
    ['{"workflow":{"tasks":[{"name":"a"}]}}', 'No task of the file says how long it took.'],
  ])('JSON that is no instance is said to be so: %s', (text, reason) => {
    expect(durations(readWfcommons(text, 2))).toBe(reason);
  });

  test('optima by file, and by number of machines where given', () => {
    const optima = readOptima('file,m,lower,upper\na.stg,2,3,4\na.stg,4,2,2\n');
    expect(optima.of('a.stg', 2)).toEqual({ lower: 3, upper: 4 });
    expect(optima.of('a.stg', 8)).toBeUndefined();
    expect(readOptima('file,lower,upper\nb.sm,5,5\n').of('b.sm', 0)).toEqual({ lower: 5, upper: 5 });
  });
});

describe('the benchmark', () => {
  test('reads a folder through and through, and a bad file costs one sentence', () => {
    const folder = mkdtempSync(join(tmpdir(), 'instances-'));
    try {
      mkdirSync(join(folder, 'inner'));
      writeFileSync(join(folder, 'inner', 'a.stg'), stg);
      writeFileSync(join(folder, 'inner', 'optima.csv'), 'file,m,lower,upper\na.stg,2,5,5\n');
      writeFileSync(join(folder, 'b.sm'), psplib);
      writeFileSync(join(folder, 'c.json'), '{}');
      const { instances, skipped } = loadFolder(folder, { machines: [1, 2], limit: undefined });
      expect(instances.map(({ set, name, known }) => [set, name, known?.upper])).toEqual([
        ['psplib j1', 'b.sm', undefined],
        ['stg 2', 'a.stg on 1', undefined],
        ['stg 2', 'a.stg on 2', 5],
      ]);
      expect(skipped).toEqual(['c.json: The file has no workflow.tasks and no workflow.specification.tasks.']);
      const report = makespan({ ...makespanDefaults, data: folder, samples: 10 });
      expect(report.rows.map(({ set, ratios }) => [set, ratios['search']])).toEqual([
        ['psplib j1', 1],
        ['stg 2', 1],
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('the references differ in what they wait for', () => {
    // One long beside three short of which the last two form a chain, on two machines.
    const problem = givenActivities(
      [4, 1, 1, 1],
      [
        [1, 2],
        [2, 3],
      ],
      { capacity: [2] },
    );
    expect(references.serial(problem)).toBe(7);
    expect(references.barrierFitting(problem)).toBe(6);
    expect(references.barrierEnabled(problem)).toBe(6);
    expect(references.fifo(problem)).toBe(4);
    const wide = givenActivities([2, 2, 2], [], { capacity: [3], demands: [[2], [2], [1]] });
    expect(references.fifo(wide)).toBe(4);
    expect(references.fifoSkipping(wide)).toBe(4);
    const blocked = givenActivities([2, 2, 2], [[2, 1]], { capacity: [3], demands: [[2], [3], [1]] });
    expect(references.fifo(blocked)).toBe(4);
  });

  test('generated sets repeat by seed, and no reference beats their bounds', () => {
    const draw = () => generatedSets({ machines: [2], limit: 3, seed: 5 });
    expect(draw()).toEqual(draw());
    for (const { problem } of draw()) {
      expect(references.fifoSkipping(problem)).toBeGreaterThanOrEqual(lowerBounds(problem).bestMs);
    }
  });
});

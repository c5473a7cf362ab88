import { describe, expect, test } from 'vitest';
import { compiled } from '../engine/run.given.ts';
import { printNet } from './print-net.given.ts';

const golden = {
  'one-step': { tasks: 'a: { run: x }', tree: 'none' },
  'check-and-merge': { tasks: 'a: { prompt: x, check: t }', tree: 'auto' },
  'two-with-a-need': { tasks: 'a: { run: x }\nb: { needs: [a], run: x, pools: [ci] }', tree: 'none' },
  'any-of-three': {
    tasks: 'a: { gate: A? }\nb: { gate: B? }\nc: { gate: C? }\nd: { needs: { any: [a, b, c] }, gate: D? }',
    tree: 'none',
  },
  subplan: { tasks: 's:\n  max_parallel: 1\n  tasks: { p: { run: x }, q: { needs: [p], gate: Q? } }', tree: 'none' },
  repeat: { tasks: 'a:\n  repeat: { until: steps.p.ok, max: 3 }\n  steps: [{ id: p, run: x }]', tree: 'none' },
  'async-and-join': {
    tasks:
      'a:\n  steps:\n    - { id: p, run: x, async: true }\n    - { id: q, run: x }\n    - { id: j, action: join, needs: [p, q] }',
    tree: 'none',
  },
  gate: { tasks: 'a: { gate: Go on? }\nb: { run: x, on_error: gate, needs: [a] }', tree: 'none' },
} as const;

describe('the net of a small plan reads as it is kept', () => {
  test.each(Object.entries(golden))('%s', async (name, { tasks, tree }) => {
    const plan = tasks.includes('pools:') ? 'pools: { ci: 1 }\nmax_parallel: 2' : 'max_parallel: 2';
    const text = printNet(compiled(tasks, { plan, tree }).net);
    expect(printNet(compiled(tasks, { plan, tree }).net)).toBe(text);
    await expect(text).toMatchFileSnapshot(`golden/${name}.txt`);
  });
});

test('a net with a heavier arc and a read is printed with both', () => {
  const { net } = compiled('a: { run: x, pools: { ci: 2 } }', { plan: 'pools: { ci: 3 }' });
  expect(printNet(net)).toContain(
    '  claim a/main: a/main ready + run cap + 2 pool ci → a/main working [run going + pool ci open]\n',
  );
});

describe('compiling', () => {
  test('lists every task at every depth, parents before children', () => {
    const { tasks, indexOf } = compiled(
      's: { tasks: { p: { run: x }, t: { tasks: { q: { run: x } } } } }\nz: { run: x }',
    );
    expect(tasks.map(({ task }) => task.path)).toEqual(['s', 's.p', 's.t', 's.t.q', 'z']);
    expect(indexOf.get('s.t.q')).toBe(3);
    expect(tasks[3]?.parent).toBe(2);
    expect(tasks[0]?.children).toEqual([1, 2]);
  });

  test('knows needs and dependents both ways, each once', () => {
    const { tasks } = compiled(
      'a: { run: x }\nb: { needs: [a], run: x }\nc: { needs: { at_least: 1, of: [a, b] }, run: x }',
    );
    expect(tasks[2]?.needs).toEqual([0, 1]);
    expect(tasks[2]?.needed).toBe(1);
    expect(tasks[0]?.dependents).toEqual([1, 2]);
  });

  test('gives every transition that a task can do a transition, and no others', () => {
    const { tasks } = compiled(
      'a: { run: x }\nb: { prompt: x, check: t }\ng: { gate: Go? }\nj: { needs: [a], join: }',
      {
        tree: 'auto',
      },
    );
    const transitions = tasks.map((task) =>
      Object.entries(task.transitions).flatMap(([transition, at]) => (at === undefined ? [] : [transition])),
    );
    expect(transitions.map((each) => each.toSorted().join(' '))).toEqual([
      'accept answer askMerge cancel cancelMerge close closeQueue drop endMerge merge open queue requeue',
      'accept answer askConflict askMerge askResolve cancel cancelCheck cancelMerge cancelResolve check close closeConflict closeQueue conflict drop endMerge endResolve merge open pass raiseResolve redo redoMerge requeue resolve returnCheck returnResolve',
      'answer cancel drop open',
      'cancel close drop open',
    ]);
  });

  test('gives ids that are all different', () => {
    const { net } = compiled('a: { run: x, check: t }\ns: { needs: { race: [a] }, tasks: { a: { run: x } } }', {
      tree: 'auto',
    });
    for (const named of [net.places, net.transitions]) {
      const ids = named.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
    }
  });

  test('grows in step with the plan', () => {
    const chain = (count: number): string =>
      Array.from({ length: count }, (_, at) => `t${at}: { run: x${at === 0 ? '' : `, needs: [t${at - 1}]`} }`).join(
        '\n',
      );
    const small = compiled(chain(50)).net;
    const large = compiled(chain(500)).net;
    const perTask = (large.transitions.length - small.transitions.length) / 450;
    expect(large.transitions.length).toBe(small.transitions.length + perTask * 450);
    expect(large.takes.place.length / 500).toBeLessThan(1.05 * (small.takes.place.length / 50));
  });
});

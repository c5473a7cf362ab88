import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { componentsOf, membersOf } from './components.ts';
import { backEdges, cycleFrom, shortestCycle } from './cycles.ts';
import { orderWithFewBackEdges } from './few-back-edges.ts';
import { graphOf, graphOfEdges, positionsIn, reversed, topologicalOrder } from './directed-graph.ts';
import { cannotReach, reachable, reachableFrom, reachIndexOf } from './reach.ts';

type Lists = readonly (readonly number[])[];

/** Successors of up to twelve nodes, loops and twin edges included. */
const lists: fc.Arbitrary<Lists> = fc.integer({ min: 0, max: 12 }).chain((count) =>
  fc.array(fc.array(fc.nat({ max: Math.max(0, count - 1) }), { maxLength: count === 0 ? 0 : 3 }), {
    minLength: count,
    maxLength: count,
  }),
);

/** Edges lead to lower nodes only. */
const acyclicLists: fc.Arbitrary<Lists> = lists.map((all) =>
  all.map((next, node) => next.filter((each) => each < node)),
);

/** By node: every node that at least one edge leads to, by trying all paths. */
const naiveReach = (all: Lists): readonly ReadonlySet<number>[] =>
  all.map((_, from) => {
    const found = new Set<number>();
    const visit = (node: number): void => {
      for (const next of all[node] ?? []) {
        if (found.has(next)) continue;
        found.add(next);
        visit(next);
      }
    };
    visit(from);
    return found;
  });

const edgesOf = (all: Lists) => all.flatMap((next, from) => next.map((to) => ({ from, to })));

describe('a graph', () => {
  test('is the same from lists and from edges, and reversed twice', () => {
    fc.assert(
      fc.property(lists, (all) => {
        const graph = graphOf(all);
        const { start, to, edge } = graphOfEdges(all.length, edgesOf(all));
        expect({ start, to }).toEqual(graph);
        expect([...edge]).toEqual(edgesOf(all).map((_, index) => index));
        expect(reversed(reversed(graph))).toEqual(graphOf(all.map((next) => next.toSorted((a, b) => a - b))));
      }),
    );
  });

  test('has a topological order of exactly the nodes that are on no cycle and behind none', () => {
    fc.assert(
      fc.property(lists, (all) => {
        const reach = naiveReach(all);
        const order = topologicalOrder(graphOf(all));
        const position = positionsIn(order, all.length);
        const isStuck = (node: number) =>
          all.some((_, other) => reach[other]?.has(other) === true && (other === node || reach[other].has(node)));
        expect([...order].sort((a, b) => a - b)).toEqual(all.flatMap((_, node) => (isStuck(node) ? [] : [node])));
        for (const { from, to } of edgesOf(all))
          if (position[to] !== -1) expect(position[from]).toBeLessThan(position[to] ?? 0);
      }),
    );
  });
});

describe('components', () => {
  test('hold the nodes that lead to each other, and lead to lower numbers only', () => {
    fc.assert(
      fc.property(lists, (all) => {
        const reach = naiveReach(all);
        const component = componentsOf(graphOf(all));
        all.forEach((_, one) =>
          all.forEach((__, other) => {
            const isMutual = one === other || (reach[one]?.has(other) === true && reach[other]?.has(one) === true);
            expect(component[one] === component[other]).toBe(isMutual);
          }),
        );
        for (const { from, to } of edgesOf(all)) expect(component[to]).toBeLessThanOrEqual(component[from] ?? 0);
      }),
    );
  });

  test('are listed by their first node, each in rising order', () => {
    expect(membersOf(componentsOf(graphOf([[1], [2], [0], [1, 4], []])))).toEqual([[0, 1, 2], [3], [4]]);
  });

  test('of a chain of a million nodes are found without recursion', () => {
    const count = 1_000_000;
    const start = Int32Array.from({ length: count + 1 }, (_, node) => Math.min(node, count - 1));
    const to = Int32Array.from({ length: count - 1 }, (_, node) => node + 1);
    expect(componentsOf({ start, to })[0]).toBe(count - 1);
  });
});

describe('cycles', () => {
  test('a shortest cycle of a component is a cycle, and none is shorter', () => {
    fc.assert(
      fc.property(lists, (given) => {
        const all = given.map((next, node) => next.filter((each) => each !== node));
        const graph = graphOf(all);
        for (const members of membersOf(componentsOf(graph))) {
          if (members.length === 1) continue;
          const cycle = shortestCycle(graph, members, 1000);
          cycle.forEach((node, index) => expect(all[node]).toContain(cycle[(index + 1) % cycle.length]));
          expect(cycle).toHaveLength(Math.min(...members.map((node) => lengthOfCycle(all, node))));
        }
      }),
    );
  });

  test('past its bound of work the search gives the best cycle it has', () => {
    expect(shortestCycle(graphOf([[1], [2, 3], [0], [1]]), [0, 1, 2, 3], 1)).toEqual([0, 1, 2]);
  });

  test('a walk closes the cycle that it runs into, or ends', () => {
    const next = new Map([
      [0, 1],
      [1, 2],
      [2, 1],
      [3, 4],
    ]);
    expect(cycleFrom(0, (node) => next.get(node))).toEqual([1, 2]);
    expect(cycleFrom(3, (node) => next.get(node))).toEqual([]);
  });

  test('without its back edges a graph has no cycle, and without a cycle it has none', () => {
    fc.assert(
      fc.property(lists, (all) => {
        const { edge, ...graph } = graphOfEdges(all.length, edgesOf(all));
        const isBack = backEdges(graph, all.keys());
        const left = edgesOf(all).filter((_, index) => isBack[edge.indexOf(index)] === 0);
        expect(topologicalOrder(graphOfEdges(all.length, left))).toHaveLength(all.length);
        if (topologicalOrder(graph).length === all.length) expect(left).toHaveLength(graph.to.length);
      }),
    );
  });

  test('an order with few back edges holds every node once and has at most half of the edges against it', () => {
    fc.assert(
      fc.property(lists, (given) => {
        const all = given.map((next, node) => [...new Set(next)].filter((each) => each !== node));
        const order = orderWithFewBackEdges(graphOf(all), [...all.keys()]);
        const position = positionsIn(Int32Array.from(order), all.length);
        expect(order.toSorted((a, b) => a - b)).toEqual([...all.keys()]);
        const against = edgesOf(all).filter(({ from, to }) => (position[from] ?? 0) > (position[to] ?? 0));
        expect(against.length).toBeLessThanOrEqual(edgesOf(all).length / 2);
      }),
    );
  });
});

/** The number of edges of the shortest way from a node back to itself. */
function lengthOfCycle(all: Lists, node: number): number {
  let front = new Set([node]);
  for (let length = 1; length <= all.length; length += 1) {
    front = new Set([...front].flatMap((each) => all[each] ?? []));
    if (front.has(node)) return length;
  }
  return Infinity;
}

describe('reach', () => {
  test('a walk reaches its start and the ends of all paths, nearest first', () => {
    fc.assert(
      fc.property(lists, (all) => {
        const reach = naiveReach(all);
        all.forEach((_, node) => {
          const found = [...reachableFrom([node], (each) => all[each] ?? [])];
          expect(new Set(found)).toEqual(new Set([node, ...(reach[node] ?? [])]));
          const isReached = reachable(graphOf(all), [node]);
          expect(all.flatMap((__, each) => (isReached[each] === 1 ? [each] : []))).toEqual(found.sort((a, b) => a - b));
        });
      }),
    );
    const lists4 = [[1, 2], [3], [], []];
    expect([...reachableFrom([0], (node) => lists4[node] ?? [])]).toEqual([0, 1, 2, 3]);
  });

  test('the index rules out no pair that a path connects', () => {
    fc.assert(
      fc.property(acyclicLists, (all) => {
        const index = reachIndexOf(graphOf(all), all.keys());
        naiveReach(all).forEach((found, from) => {
          for (const to of found) expect(cannotReach(index, from, to)).toBe(false);
        });
      }),
    );
  });

  test('the index answers every pair of a chain', () => {
    const index = reachIndexOf(graphOf([[1], [2], []]), [0]);
    expect(cannotReach(index, 0, 2)).toBe(false);
    expect(cannotReach(index, 2, 0)).toBe(true);
  });
});

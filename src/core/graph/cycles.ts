// Cycles: the shortest one of a component, any one behind a node, and the edges that close cycles.

import { nodeCount, type Graph } from './directed-graph.ts';

/** Nodes along a cycle, each with an edge to the next and the last one to the first. */
export type Cycle = readonly number[];

/**
 * A shortest cycle within one strongly connected component of at least two nodes. Once `workMax` nodes have been
 * visited the shortest found so far is given; it is the shortest through one of its nodes.
 */
export function shortestCycle(graph: Graph, component: readonly number[], workMax: number): Cycle {
  const inside = new Set(component);
  let best: Cycle = [];
  let work = workMax;
  for (const from of component) {
    const found = cycleThrough(graph, inside, from);
    work -= found.visited;
    if (best.length === 0 || found.cycle.length < best.length) best = found.cycle;
    if (work <= 0) break;
  }
  return best;
}

/** Breadth first from a node back to itself. */
function cycleThrough(
  graph: Graph,
  inside: ReadonlySet<number>,
  from: number,
): { readonly cycle: Cycle; readonly visited: number } {
  const cameFrom = new Map<number, number>();
  const queue = [from];
  for (const node of queue) {
    for (let slot = graph.start[node] ?? 0; slot < (graph.start[node + 1] ?? 0); slot += 1) {
      const successor = graph.to[slot] ?? 0;
      if (successor === from) return { cycle: pathTo(cameFrom, from, node), visited: queue.length };
      if (!inside.has(successor) || cameFrom.has(successor)) continue;
      cameFrom.set(successor, node);
      queue.push(successor);
    }
  }
  return { cycle: [...inside], visited: queue.length };
}

function pathTo(cameFrom: ReadonlyMap<number, number>, from: number, last: number): readonly number[] {
  const path = [last];
  for (let node = last; node !== from;) {
    node = cameFrom.get(node) ?? from;
    path.push(node);
  }
  return path.toReversed();
}

/**
 * Follows `next` from a node until a node comes up again, and gives the cycle so closed; empty when the walk ends.
 * In a graph where every node that is left has a successor that is left, the walk always closes a cycle.
 */
export function cycleFrom(node: number, next: (node: number) => number | undefined): Cycle {
  const path: number[] = [];
  const indexOf = new Map<number, number>();
  for (let at: number | undefined = node; at !== undefined; at = next(at)) {
    const before = indexOf.get(at);
    if (before !== undefined) return path.slice(before);
    indexOf.set(at, path.length);
    path.push(at);
  }
  return [];
}

const UNSEEN = 0;
const ON_PATH = 1;
const LEFT = 2;

/**
 * By index of `to`, 1 for each edge that leads back to a node on the path of a depth-first walk, which starts at the
 * roots in their order. Without these edges the graph has no cycle.
 */
export function backEdges(graph: Graph, roots: Iterable<number>): Uint8Array {
  const isBack = new Uint8Array(graph.to.length);
  const state = new Uint8Array(nodeCount(graph));
  const next = graph.start.slice();
  for (const root of roots) {
    if (state[root] !== UNSEEN) continue;
    const path = [root];
    state[root] = ON_PATH;
    for (let node = path.at(-1); node !== undefined; node = path.at(-1)) {
      const slot = next[node] ?? 0;
      if (slot === graph.start[node + 1]) {
        state[node] = LEFT;
        path.pop();
        continue;
      }
      next[node] = slot + 1;
      const successor = graph.to[slot] ?? 0;
      if (state[successor] === ON_PATH) isBack[slot] = 1;
      if (state[successor] !== UNSEEN) continue;
      state[successor] = ON_PATH;
      path.push(successor);
    }
  }
  return isBack;
}

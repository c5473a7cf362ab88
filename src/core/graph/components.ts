// Strongly connected components by Tarjan's algorithm.
//
// components/C1. A component leads only to components with smaller numbers.
// components/C2. No walk over a graph recurses, so a chain of a million nodes needs no deep stack.

import { nodeCount, type Graph } from './directed-graph.ts';

interface ComponentWalk {
  readonly graph: Graph;
  /** When each node was first met; 0 means not yet. */
  readonly met: Int32Array;
  readonly lowest: Int32Array;
  /** The next edge of each node to follow. */
  readonly next: Int32Array;
  readonly component: Int32Array;
  /** Nodes met that have no component yet. */
  readonly open: number[];
  clock: number;
  components: number;
}

/** The number of the component of each node. */
export function componentsOf(graph: Graph): Int32Array {
  const count = nodeCount(graph);
  const walk: ComponentWalk = {
    graph,
    met: new Int32Array(count),
    lowest: new Int32Array(count),
    next: graph.start.slice(0, count),
    component: new Int32Array(count).fill(-1),
    open: [],
    clock: 0,
    components: 0,
  };
  for (let node = 0; node < count; node += 1) if (walk.met[node] === 0) walkFrom(walk, node);
  return walk.component;
}

function walkFrom(walk: ComponentWalk, root: number): void {
  const { graph, met, next, component } = walk;
  const path = [root];
  meet(walk, root);
  for (let node = path.at(-1); node !== undefined; node = path.at(-1)) {
    const slot = next[node] ?? 0;
    if (slot === graph.start[node + 1]) {
      path.pop();
      leave(walk, node, path.at(-1));
      continue;
    }
    next[node] = slot + 1;
    const successor = graph.to[slot] ?? 0;
    if (met[successor] === 0) {
      meet(walk, successor);
      path.push(successor);
    } else if (component[successor] === -1) {
      lower(walk, node, met[successor] ?? 0);
    }
  }
}

function meet(walk: ComponentWalk, node: number): void {
  walk.clock += 1;
  walk.met[node] = walk.clock;
  walk.lowest[node] = walk.clock;
  walk.open.push(node);
}

function leave(walk: ComponentWalk, node: number, above: number | undefined): void {
  if (walk.lowest[node] === walk.met[node]) close(walk, node);
  if (above !== undefined) lower(walk, above, walk.lowest[node] ?? 0);
}

function close(walk: ComponentWalk, root: number): void {
  for (let node = walk.open.pop(); node !== undefined; node = node === root ? undefined : walk.open.pop()) {
    walk.component[node] = walk.components;
  }
  walk.components += 1;
}

function lower(walk: ComponentWalk, node: number, to: number): void {
  walk.lowest[node] = Math.min(walk.lowest[node] ?? 0, to);
}

/** The nodes of each component in rising order, and the components in the order of their first nodes. */
export function membersOf(component: Int32Array): readonly (readonly number[])[] {
  const members = new Map<number, number[]>();
  component.forEach((of, node) => {
    const own = members.get(of);
    if (own === undefined) members.set(of, [node]);
    else own.push(node);
  });
  return [...members.values()];
}

// A directed graph of numbered nodes, as flat arrays: linear memory, no object per edge. Never changed once built.

export interface Graph {
  /** The successors of node `n` lie in `to`, from `start[n]` up to `start[n + 1]`. */
  readonly start: Int32Array;
  readonly to: Int32Array;
}

export interface Edge {
  readonly from: number;
  readonly to: number;
}

export const nodeCount = ({ start }: Graph): number => start.length - 1;

/** From the list of successors of each node. */
export function graphOf(successors: readonly (readonly number[])[]): Graph {
  const start = new Int32Array(successors.length + 1);
  successors.forEach((list, node) => (start[node + 1] = (start[node] ?? 0) + list.length));
  const to = new Int32Array(start[successors.length] ?? 0);
  successors.forEach((list, node) => to.set(list, start[node]));
  return { start, to };
}

/** `edge` gives the number of the edge at each index of `to`; the edges of a node keep their order. */
export function graphOfEdges(count: number, edges: readonly Edge[]): Graph & { readonly edge: Int32Array } {
  const start = new Int32Array(count + 1);
  for (const { from } of edges) start[from + 1] = (start[from + 1] ?? 0) + 1;
  addUp(start);
  const free = start.slice();
  const to = new Int32Array(edges.length);
  const edge = new Int32Array(edges.length);
  edges.forEach((each, index) => {
    const slot = free[each.from] ?? 0;
    free[each.from] = slot + 1;
    to[slot] = each.to;
    edge[slot] = index;
  });
  return { start, to, edge };
}

/** The same nodes with every edge turned round; the predecessors of a node come in rising order. */
export function reversed(graph: Graph): Graph {
  const count = nodeCount(graph);
  const start = new Int32Array(count + 1);
  for (const node of graph.to) start[node + 1] = (start[node + 1] ?? 0) + 1;
  addUp(start);
  const free = start.slice();
  const to = new Int32Array(graph.to.length);
  for (let from = 0; from < count; from += 1) {
    for (let slot = graph.start[from] ?? 0; slot < (graph.start[from + 1] ?? 0); slot += 1) {
      const node = graph.to[slot] ?? 0;
      to[free[node] ?? 0] = from;
      free[node] = (free[node] ?? 0) + 1;
    }
  }
  return { start, to };
}

function addUp(start: Int32Array): void {
  for (let node = 1; node < start.length; node += 1) start[node] = (start[node] ?? 0) + (start[node - 1] ?? 0);
}

/**
 * Every node after all that lead to it (Kahn's algorithm). Nodes on a cycle or behind one are missing, so the order is
 * complete exactly when the graph has no cycle.
 */
export function topologicalOrder(graph: Graph): Int32Array {
  const count = nodeCount(graph);
  const missing = new Int32Array(count);
  for (const node of graph.to) missing[node] = (missing[node] ?? 0) + 1;
  const order = new Int32Array(count);
  let known = 0;
  for (let node = 0; node < count; node += 1) if (missing[node] === 0) order[known++] = node;
  for (let next = 0; next < known; next += 1) {
    const node = order[next] ?? 0;
    for (let slot = graph.start[node] ?? 0; slot < (graph.start[node + 1] ?? 0); slot += 1) {
      const successor = graph.to[slot] ?? 0;
      const left = (missing[successor] ?? 0) - 1;
      missing[successor] = left;
      if (left === 0) order[known++] = successor;
    }
  }
  return order.subarray(0, known);
}

/** The index of each node in an order; -1 for a node that is not in it. */
export function positionsIn(order: Int32Array, count: number): Int32Array {
  const position = new Int32Array(count).fill(-1);
  order.forEach((node, index) => (position[node] = index));
  return position;
}

// Reachability: all nodes that a walk reaches, and an index that rules most pairs out at once.

import { nodeCount, type Graph } from './directed-graph.ts';

/** All nodes that the walk from `from` along `next` reaches, those of `from` included, nearest first. */
export function reachableFrom(from: Iterable<number>, next: (node: number) => Iterable<number>): Set<number> {
  const reached = new Set(from);
  // A set iterates over what is added meanwhile.
  for (const node of reached) for (const successor of next(node)) reached.add(successor);
  return reached;
}

/** 1 for each node that a path from one of the roots leads to, the roots included. */
export function reachable({ start, to }: Graph, roots: Iterable<number>): Uint8Array {
  const isReached = new Uint8Array(start.length - 1);
  const pending = [...roots];
  for (const root of pending) isReached[root] = 1;
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    for (let slot = start[node] ?? 0; slot < (start[node + 1] ?? 0); slot += 1) {
      const successor = to[slot] ?? 0;
      if (isReached[successor] === 1) continue;
      isReached[successor] = 1;
      pending.push(successor);
    }
  }
  return isReached;
}

/**
 * Numbers the nodes of an acyclic part of a graph depth first, each after all that it leads to, and keeps the lowest
 * number that each leads to. A node whose number is outside of these bounds is not reached; one inside may be.
 */
export interface ReachIndex {
  readonly number: Int32Array;
  readonly lowest: Int32Array;
}

/** Of the nodes in `roots` and all that they lead to, none of which may lie on a cycle. */
export function reachIndexOf(graph: Graph, roots: Iterable<number>): ReachIndex {
  const count = nodeCount(graph);
  const number = new Int32Array(count);
  const lowest = new Int32Array(count);
  const next = graph.start.slice(0, count);
  let numbered = 0;
  const path: number[] = [];
  for (const root of roots) {
    if (number[root] === 0) path.push(root);
    for (let node = path.at(-1); node !== undefined; node = path.at(-1)) {
      const slot = next[node] ?? 0;
      if (slot < (graph.start[node + 1] ?? 0)) {
        next[node] = slot + 1;
        const successor = graph.to[slot] ?? 0;
        if (number[successor] === 0) path.push(successor);
        continue;
      }
      path.pop();
      numbered += 1;
      number[node] = numbered;
      lowest[node] = numbered;
      for (let each = graph.start[node] ?? 0; each < slot; each += 1) {
        lowest[node] = Math.min(lowest[node] ?? 0, lowest[graph.to[each] ?? 0] ?? 0);
      }
    }
  }
  return { number, lowest };
}

/** True only when no path leads from `from` to `to`. */
export function cannotReach({ number, lowest }: ReachIndex, from: number, to: number): boolean {
  return (number[to] ?? 0) > (number[from] ?? 0) || (lowest[to] ?? 0) < (lowest[from] ?? 0);
}

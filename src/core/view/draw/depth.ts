// The depth of each node of a directed graph when arrows point downwards. Cycles are opened first: an arrow back to a
// node on the path of the depth-first search counts as reversed. Linear, and without recursion.

import { backEdges } from '../../graph/cycles.ts';
import { graphOfEdges, topologicalOrder } from '../../graph/directed-graph.ts';
import type { Edge } from '../../graph/directed-graph.ts';
import type { Direction, Picture } from './picture.ts';

export interface Arrow extends Edge {
  /** How much deeper its end lies at least; 1 when absent. */
  readonly length?: number;
}

export interface Depths {
  /** 0 for a node without predecessors; else one edge length more than its deepest predecessor. */
  readonly depth: Int32Array;
  /** 1 for each arrow that points upwards and was counted as reversed. */
  readonly turned: Uint8Array;
}

export function depthsOf(count: number, arrows: readonly Arrow[]): Depths {
  const turned = turnBackArrows(count, arrows);
  return { depth: longestPaths(count, arrows, turned), turned };
}

function turnBackArrows(count: number, arrows: readonly Arrow[]): Uint8Array {
  const graph = graphOfEdges(count, arrows);
  const turned = new Uint8Array(arrows.length);
  backEdges(graph, rootsFirst(count, arrows)).forEach((isBack, slot) => (turned[graph.edge[slot] ?? 0] = isBack));
  return turned;
}

function rootsFirst(count: number, arrows: readonly Arrow[]): number[] {
  const entered = new Uint8Array(count);
  for (const { from, to } of arrows) if (from !== to) entered[to] = 1;
  const all = Array.from({ length: count }, (_, index) => index);
  return [...all.filter((index) => entered[index] === 0), ...all.filter((index) => entered[index] === 1)];
}

function longestPaths(count: number, arrows: readonly Arrow[], turned: Uint8Array): Int32Array {
  const downward = arrows
    .map((arrow, index) => (turned[index] === 1 ? { ...arrow, from: arrow.to, to: arrow.from } : arrow))
    .filter(({ from, to }) => from !== to);
  const graph = graphOfEdges(count, downward);
  const depth = new Int32Array(count);
  for (const node of topologicalOrder(graph)) {
    for (let slot = graph.start[node] ?? 0; slot < (graph.start[node + 1] ?? 0); slot += 1) {
      const { to, length = 1 } = downward[graph.edge[slot] ?? 0] ?? { to: 0 };
      depth[to] = Math.max(depth[to] ?? 0, (depth[node] ?? 0) + length);
    }
  }
  return depth;
}

/** Boxes side by side that a page still shows at a readable size. */
const ABREAST_MAX = 7;

/** Downwards, unless the picture is so much wider than deep that it would not fit a page. */
export function chooseDirection(picture: Picture): Direction {
  const indexes = new Map(picture.nodes.map((node, index) => [node.id, index]));
  const arrows = picture.edges.flatMap((edge) => {
    const from = indexes.get(edge.from);
    const to = indexes.get(edge.to);
    return from === undefined || to === undefined ? [] : [{ from, to }];
  });
  const { depth } = depthsOf(picture.nodes.length, arrows);
  const abreast = new Map<number, number>();
  for (const level of depth) abreast.set(level, (abreast.get(level) ?? 0) + 1);
  const widest = [...abreast.values()].reduce((most, count) => Math.max(most, count), 0);
  return widest > ABREAST_MAX && widest > abreast.size ? 'right' : 'down';
}

// Strongly connected components: what is left of a graph when each circle becomes one point.
//
// C1. Components are numbered so that whatever one leads to has a smaller number.
// C2. Nothing recurses, so that a chain of a million links is no deeper than any other.

import { itemAt } from './source-file.ts';

/** For each point, the points it leads to. */
export type Graph = readonly (readonly number[])[];

interface Walk {
  readonly graph: Graph;
  /** When each point was first seen; 0 is not yet. */
  readonly seen: Uint32Array;
  readonly lowest: Uint32Array;
  readonly component: Int32Array;
  readonly open: number[];
  clock: number;
  components: number;
}

/** The number of the component of each point. */
export function componentsOf(graph: Graph): Int32Array {
  const walk: Walk = {
    graph,
    seen: new Uint32Array(graph.length),
    lowest: new Uint32Array(graph.length),
    component: new Int32Array(graph.length).fill(-1),
    open: [],
    clock: 0,
    components: 0,
  };
  for (let point = 0; point < graph.length; point += 1) if (walk.seen[point] === 0) walkFrom(walk, point);
  return walk.component;
}

function walkFrom(walk: Walk, start: number): void {
  const path: { readonly point: number; next: number }[] = [enter(walk, start)];
  for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
    const to = itemAt(walk.graph, top.point)[top.next];
    top.next += 1;
    if (to === undefined) {
      path.pop();
      leave(walk, top.point, path.at(-1)?.point);
    } else if (walk.seen[to] === 0) {
      path.push(enter(walk, to));
    } else if (walk.component[to] === -1) {
      lower(walk, top.point, walk.seen[to] ?? 0);
    }
  }
}

function enter(walk: Walk, point: number): { readonly point: number; next: number } {
  walk.clock += 1;
  walk.seen[point] = walk.clock;
  walk.lowest[point] = walk.clock;
  walk.open.push(point);
  return { point, next: 0 };
}

function leave(walk: Walk, point: number, above: number | undefined): void {
  if (walk.lowest[point] === walk.seen[point]) closeComponent(walk, point);
  if (above !== undefined) lower(walk, above, walk.lowest[point] ?? 0);
}

function closeComponent(walk: Walk, root: number): void {
  let point = walk.open.pop();
  while (point !== undefined) {
    walk.component[point] = walk.components;
    point = point === root ? undefined : walk.open.pop();
  }
  walk.components += 1;
}

function lower(walk: Walk, point: number, to: number): void {
  walk.lowest[point] = Math.min(walk.lowest[point] ?? 0, to);
}

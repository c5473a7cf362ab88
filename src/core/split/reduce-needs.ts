// Leaves out needs that follow from others: who waits for a task waits for all that it waited for.

import type { Graph } from './components.ts';
import { itemAt } from './source-file.ts';

/** Each point keeps a bit for each other, so that past this many the direct needs are kept as they are. */
const POINTS_MAX = 12_000;
const WORD_BITS = 32;

/** The same order with the fewest needs; the graph has no circles. */
export function reduceNeeds(graph: Graph): Graph {
  if (graph.length > POINTS_MAX) return graph;
  const words = Math.ceil(graph.length / WORD_BITS);
  const reached: (Uint32Array | undefined)[] = graph.map(() => undefined);
  const reduced: (readonly number[])[] = graph.map(() => []);
  for (const point of afterNeeds(graph)) {
    const implied = new Uint32Array(words);
    for (const need of itemAt(graph, point)) addAll(implied, reached[need]);
    reduced[point] = itemAt(graph, point).filter((need) => !has(implied, need));
    for (const need of itemAt(graph, point)) add(implied, need);
    reached[point] = implied;
  }
  return reduced;
}

/** Points in an order in which each comes after what it needs. */
export function afterNeeds(graph: Graph): readonly number[] {
  const waits = graph.map((needs) => needs.length);
  const neededBy: number[][] = graph.map(() => []);
  graph.forEach((needs, point) => needs.forEach((need) => neededBy[need]?.push(point)));
  const order = waits.flatMap((count, point) => (count === 0 ? [point] : []));
  for (const point of order) {
    for (const later of itemAt(neededBy, point)) {
      const left = itemAt(waits, later) - 1;
      waits[later] = left;
      if (left === 0) order.push(later);
    }
  }
  return order;
}

const has = (bits: Uint32Array, point: number): boolean =>
  (((bits[Math.floor(point / WORD_BITS)] ?? 0) >>> (point % WORD_BITS)) & 1) === 1;

function add(bits: Uint32Array, point: number): void {
  const word = Math.floor(point / WORD_BITS);
  bits[word] = (bits[word] ?? 0) | (1 << (point % WORD_BITS));
}

function addAll(bits: Uint32Array, others: Uint32Array | undefined): void {
  others?.forEach((word, index) => (bits[index] = (bits[index] ?? 0) | word));
}

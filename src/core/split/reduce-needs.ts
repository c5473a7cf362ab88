// Leaves out needs that follow from others: a task that waits for another also waits for everything the other waited
// for.

import { graphOf, reversed, topologicalOrder } from '../graph/directed-graph.ts';
import { itemAt } from './source-file.ts';

type Needs = readonly (readonly number[])[];

/** Each point keeps a bit for each other, so that past this many the direct needs are kept as they are. */
const POINTS_MAX = 12_000;
const WORD_BITS = 32;

/** By point the points it needs, without cycles; gives the same order with the fewest needs. */
export function reduceNeeds(needs: Needs): Needs {
  if (needs.length > POINTS_MAX) return needs;
  const words = Math.ceil(needs.length / WORD_BITS);
  const reached: (Uint32Array | undefined)[] = needs.map(() => undefined);
  const reduced: (readonly number[])[] = needs.map(() => []);
  for (const point of topologicalOrder(reversed(graphOf(needs)))) {
    const implied = new Uint32Array(words);
    for (const need of itemAt(needs, point)) addAll(implied, reached[need]);
    reduced[point] = itemAt(needs, point).filter((need) => !has(implied, need));
    for (const need of itemAt(needs, point)) add(implied, need);
    reached[point] = implied;
  }
  return reduced;
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

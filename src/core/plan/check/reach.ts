// A quick no: events numbered so that what lies outside the stretch of an event cannot come before it. It owns:
//
// K1. Each event has a number higher than those of all that it waits for, in any number of steps, and remembers the
//     lowest of them. What is not between the two is not waited for; what is may or may not be.

import type { EventOrder } from './event-order.ts';

export interface Reach {
  readonly number: Int32Array;
  readonly lowest: Int32Array;
}

/** Depth first without recursion, each event after all that it waits for; events in circles are left out. */
export function makeReach(events: EventOrder): Reach {
  const size = events.position.length;
  const number = new Int32Array(size);
  const lowest = new Int32Array(size);
  const edge = events.start.slice(0, size);
  let count = 0;
  const open: number[] = [];
  for (let first = 0; first < size; first += 1) {
    if (number[first] === 0 && (events.position[first] ?? -1) >= 0) open.push(first);
    for (let event = open.at(-1); event !== undefined; event = open.at(-1)) {
      const next = edge[event] ?? 0;
      if (next < (events.start[event + 1] ?? 0)) {
        edge[event] = next + 1;
        const before = events.before[next] ?? 0;
        if (number[before] === 0) open.push(before);
        continue;
      }
      open.pop();
      if (number[event] !== 0) continue;
      count += 1;
      number[event] = count;
      lowest[event] = lowestBefore(events, { number, lowest }, event);
    }
  }
  return { number, lowest };
}

function lowestBefore(events: EventOrder, reach: Reach, event: number): number {
  let least = reach.number[event] ?? 0;
  for (let at = events.start[event] ?? 0; at < (events.start[event + 1] ?? 0); at += 1) {
    least = Math.min(least, reach.lowest[events.before[at] ?? 0] ?? least);
  }
  return least;
}

/** True only when `to` surely does not wait for `from`. */
export function cannotReach({ number, lowest }: Reach, from: number, to: number): boolean {
  return (number[from] ?? 0) > (number[to] ?? 0) || (lowest[from] ?? 0) < (lowest[to] ?? 0);
}

// Virtual time: what is to happen, in order. Nothing in the world happens but through it, so a seed gives one run.
export interface Timeline {
  /** Milliseconds since the world began; never goes back. */
  readonly now: () => number;
  readonly schedule: (afterMs: number, act: () => void) => void;
  /** Lets the next thing happen, unless it lies beyond the deadline, to which time then goes on. Says which. */
  readonly step: (deadline: number) => 'happened' | 'nothing';
}

interface Item {
  readonly at: number;
  /** Of two at one moment the one that was scheduled first happens first. */
  readonly order: number;
  readonly act: () => void;
}

export function timeline(): Timeline {
  const heap: Item[] = [];
  let now = 0;
  let order = 0;
  return {
    now: () => now,
    schedule: (afterMs, act) => {
      order += 1;
      push(heap, { at: now + Math.max(0, Math.round(afterMs)), order, act });
    },
    step: (deadline) => {
      const first = heap[0];
      if (first === undefined || first.at > deadline) {
        now = Math.max(now, deadline);
        return 'nothing';
      }
      pop(heap);
      now = Math.max(now, first.at);
      first.act();
      return 'happened';
    },
  };
}

const isBefore = (one: Item, other: Item): boolean =>
  one.at < other.at || (one.at === other.at && one.order < other.order);

function push(heap: Item[], item: Item): void {
  let at = heap.length;
  heap.push(item);
  while (at > 0) {
    const above = (at - 1) >> 1;
    const parent = heap[above];
    if (parent === undefined || isBefore(parent, item)) break;
    heap[at] = parent;
    at = above;
  }
  heap[at] = item;
}

function pop(heap: Item[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  let at = 0;
  for (;;) {
    const below = smallerChild(heap, at);
    const child = below === undefined ? undefined : heap[below];
    if (below === undefined || child === undefined || isBefore(last, child)) break;
    heap[at] = child;
    at = below;
  }
  heap[at] = last;
}

function smallerChild(heap: readonly Item[], at: number): number | undefined {
  const left = heap[2 * at + 1];
  const right = heap[2 * at + 2];
  if (left === undefined) return undefined;
  return right !== undefined && isBefore(right, left) ? 2 * at + 2 : 2 * at + 1;
}

/**
 * Sorts `order` in place by rising key and keeps the given order among equals. A merge sort of our own, since the
 * comparator of the built-in one costs more than the schedule it serves when thousands of orders are sorted.
 */
export function orderBy(order: Int32Array, keys: Float64Array): Int32Array {
  const count = order.length;
  let from: Int32Array = order;
  let into: Int32Array = new Int32Array(count);
  for (let width = 1; width < count; width *= 2) {
    for (let left = 0; left < count; left += 2 * width) mergeRuns({ from, into, keys, left, width });
    [from, into] = [into, from];
  }
  if (from !== order) order.set(from);
  return order;
}

interface Runs {
  readonly from: Int32Array;
  readonly into: Int32Array;
  readonly keys: Float64Array;
  readonly left: number;
  readonly width: number;
}

function mergeRuns({ from, into, keys, left, width }: Runs): void {
  const middle = Math.min(left + width, from.length);
  const end = Math.min(left + 2 * width, from.length);
  let one = left;
  let other = middle;
  for (let slot = left; slot < end; slot++) {
    const takesFirst = other >= end || (one < middle && (keys[from[one] ?? 0] ?? 0) <= (keys[from[other] ?? 0] ?? 0));
    into[slot] = from[takesFirst ? one++ : other++] ?? 0;
  }
}

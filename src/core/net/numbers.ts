/** A growing array of integers: capacity doubles, and only the first `length` items count. */
export interface Numbers {
  items: Int32Array;
  length: number;
}

const ROOM_AT_FIRST = 64;

export function emptyNumbers(): Numbers {
  return { items: new Int32Array(ROOM_AT_FIRST), length: 0 };
}

export function append(numbers: Numbers, value: number): void {
  if (numbers.length === numbers.items.length) {
    const larger = new Int32Array(numbers.items.length * 2);
    larger.set(numbers.items);
    numbers.items = larger;
  }
  numbers.items[numbers.length] = value;
  numbers.length += 1;
}

/** The items appended so far, without spare capacity. */
export function finished(numbers: Numbers): Int32Array {
  return numbers.items.slice(0, numbers.length);
}

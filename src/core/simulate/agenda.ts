// Things to come, earliest first, and among equals in the order they were added.

export interface Agenda<Item> {
  add(at: number, item: Item): void;
  /** Takes away all that come first and together; undefined when nothing is to come. */
  next(): { readonly at: number; readonly items: readonly Item[] } | undefined;
}

interface Entry<Item> {
  readonly at: number;
  readonly serial: number;
  readonly item: Item;
}

export function agenda<Item>(): Agenda<Item> {
  const heap: Entry<Item>[] = [];
  let serial = 0;
  const isBefore = (left: Entry<Item> | undefined, right: Entry<Item> | undefined): boolean => {
    if (left === undefined || right === undefined) return left !== undefined;
    return left.at < right.at || (left.at === right.at && left.serial < right.serial);
  };
  const swap = (left: number, right: number): void => {
    const [one, other] = [heap[left], heap[right]];
    if (one === undefined || other === undefined) return;
    heap[left] = other;
    heap[right] = one;
  };
  const rise = (from: number): void => {
    for (
      let child = from, parent = (child - 1) >> 1;
      child > 0 && isBefore(heap[child], heap[parent]);
      parent = (child - 1) >> 1
    ) {
      swap(child, parent);
      child = parent;
    }
  };
  const sink = (): void => {
    for (let parent = 0; ;) {
      const left = 2 * parent + 1;
      const child = isBefore(heap[left + 1], heap[left]) ? left + 1 : left;
      if (!isBefore(heap[child], heap[parent])) return;
      swap(parent, child);
      parent = child;
    }
  };
  const take = (): Entry<Item> | undefined => {
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    heap[0] = last;
    sink();
    return first;
  };
  return {
    add: (at, item) => {
      heap.push({ at, serial, item });
      serial += 1;
      rise(heap.length - 1);
    },
    next: () => {
      const first = take();
      if (first === undefined) return undefined;
      const items = [first.item];
      for (let other = heap[0]; other?.at === first.at; other = heap[0]) {
        items.push(other.item);
        take();
      }
      return { at: first.at, items };
    },
  };
}

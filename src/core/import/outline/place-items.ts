// Gives every item of an outline its id and its path.
//
// place-items/A1. Ids are safe as branches and folders, and no two siblings have one that differs only in case.
// place-items/A2. No inner id is that of a root, so a full path means one task from wherever it is read.
// place-items/A3. Done and open items are placed alike, so a path found today is found when the file is
//   read again.

import type { Item, ImportNote } from './outline.ts';

export interface PlacedItem {
  readonly item: Item;
  readonly id: string;
  readonly path: string;
  /** In file order, parents before children. */
  readonly index: number;
  readonly parent: PlacedItem | undefined;
  readonly children: readonly PlacedItem[];
}

export interface ItemTree {
  readonly roots: readonly PlacedItem[];
  readonly all: readonly PlacedItem[];
  readonly byKey: ReadonlyMap<string, PlacedItem>;
  readonly notes: readonly ImportNote[];
}

const LENGTH_MAX = 64;
const LENGTH_LOOKED_AT_MAX = 200;
const DEVICE = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/i;

interface Placing {
  readonly all: PlacedItem[];
  readonly byKey: Map<string, PlacedItem>;
  readonly notes: ImportNote[];
  readonly rootIds: Set<string>;
}

export function placeItems(items: readonly Item[]): ItemTree {
  const placing: Placing = { all: [], byKey: new Map(), notes: [], rootIds: new Set() };
  const ids = uniqueIds(items, new Set());
  for (const id of ids) placing.rootIds.add(id.toLowerCase());
  const roots = items.map((item, at) => place(placing, { item, id: ids[at] ?? '', parent: undefined }));
  return { roots, all: placing.all, byKey: placing.byKey, notes: placing.notes };
}

function place(placing: Placing, given: Pick<PlacedItem, 'item' | 'id' | 'parent'>): PlacedItem {
  const { item, id, parent } = given;
  const children: PlacedItem[] = [];
  const path = parent === undefined ? id : `${parent.path}.${id}`;
  const placed: PlacedItem = { ...given, path, index: placing.all.length, children };
  placing.all.push(placed);
  const twin = placing.byKey.get(item.key);
  if (twin === undefined) placing.byKey.set(item.key, placed);
  else
    placing.notes.push({
      ...item.place,
      says: `${item.key} is also in line ${twin.item.place.line}; this one is called ${path}, and needs on ${item.key} mean the first.`,
    });
  const ids = uniqueIds(item.items, placing.rootIds);
  for (const [at, child] of item.items.entries())
    children.push(place(placing, { item: child, id: ids[at] ?? '', parent: placed }));
  return placed;
}

function uniqueIds(items: readonly Item[], taken: ReadonlySet<string>): readonly string[] {
  const used = new Set<string>();
  const counts = new Map<string, number>();
  return items.map(({ id }, at) => {
    const wanted = safeId(id) ?? `item-${at + 1}`;
    const isFree = (name: string): boolean => !used.has(name.toLowerCase()) && !taken.has(name.toLowerCase());
    let free = wanted;
    for (let nth = (counts.get(wanted.toLowerCase()) ?? 1) + 1; !isFree(free); nth += 1) {
      free = `${wanted.slice(0, LENGTH_MAX - 8)}-${nth}`;
      counts.set(wanted.toLowerCase(), nth);
    }
    used.add(free.toLowerCase());
    return free;
  });
}

/** The nearest id to some words; undefined when nothing of them is left. */
export function safeId(words: string): string | undefined {
  const safe = words
    .slice(0, LENGTH_LOOKED_AT_MAX)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, LENGTH_MAX)
    .replace(/-+$/, '');
  if (safe === '') return undefined;
  return DEVICE.test(safe) ? `${safe}-task` : safe;
}

// Turns a list of items that name their parents into a tree.

import type { Item, ImportNote } from './outline.ts';

export interface NestedPart {
  readonly item: Item;
  /** Key of the item that it is a part of. */
  readonly parent: string | undefined;
}

export interface Nested {
  readonly items: readonly Item[];
  readonly notes: readonly ImportNote[];
}

/** A plan nests 16 deep; what would lie deeper is a part of what lies at this depth. */
const DEPTH_MAX = 14;

export function nest(parts: readonly NestedPart[]): Nested {
  const nesting: Nesting = { byKey: new Map(), above: new Map(), depths: new Map(), notes: [] };
  for (const part of parts) if (!nesting.byKey.has(part.item.key)) nesting.byKey.set(part.item.key, part);
  for (const part of parts) settle(nesting, part);
  const inside = new Map<NestedPart, NestedPart[]>();
  for (const part of parts) {
    const above = openAbove(nesting, part);
    const beside = above === undefined ? undefined : inside.get(above);
    if (above !== undefined && beside === undefined) inside.set(above, [part]);
    beside?.push(part);
  }
  const roots = parts.filter((part) => openAbove(nesting, part) === undefined);
  return { items: roots.map((part) => build(part, inside)), notes: nesting.notes };
}

interface Nesting {
  readonly byKey: Map<string, NestedPart>;
  /** The parent of each item. */
  readonly above: Map<NestedPart, NestedPart | undefined>;
  readonly depths: Map<NestedPart, number>;
  readonly notes: ImportNote[];
}

/** Climbs from a part to one that is settled or to a root, and settles all on the way down again. */
function settle(nesting: Nesting, part: NestedPart): void {
  const way = new Set<NestedPart>();
  let at: NestedPart | undefined = part;
  while (at !== undefined && !nesting.depths.has(at)) {
    way.add(at);
    at = wantedAbove(nesting, at, way);
  }
  for (const one of [...way].toReversed()) {
    const depth: number = at === undefined ? 1 : (nesting.depths.get(at) ?? 0) + 1;
    nesting.above.set(one, depth <= DEPTH_MAX || at === undefined ? at : nesting.above.get(at));
    nesting.depths.set(one, Math.min(depth, DEPTH_MAX));
    if (depth > DEPTH_MAX) say(nesting, one, 'lies deeper than a plan can nest; it was moved up');
    at = one;
  }
}

/** The parent that an item names; undefined when the parent is missing or is a descendant of the item. */
function wantedAbove(nesting: Nesting, part: NestedPart, way: ReadonlySet<NestedPart>): NestedPart | undefined {
  if (part.parent === undefined) return undefined;
  const above = nesting.byKey.get(part.parent);
  if (above === undefined) say(nesting, part, `is a part of ${part.parent}, which is not in the file; it stands alone`);
  else if (way.has(above)) say(nesting, part, `is a part of ${part.parent}, which is a part of it; it stands alone`);
  return above !== undefined && way.has(above) ? undefined : above;
}

/** An open item has no closed parent: a whole may be closed while one of its parts is open. */
function openAbove({ above }: Nesting, part: NestedPart): NestedPart | undefined {
  let at = above.get(part);
  while (at?.item.state === 'done' && part.item.state !== 'done') at = above.get(at);
  return at;
}

function say({ notes }: Nesting, { item }: NestedPart, says: string): void {
  notes.push({ ...item.place, says: `${item.key} ${says}.` });
}

function build(part: NestedPart, inside: ReadonlyMap<NestedPart, readonly NestedPart[]>): Item {
  return { ...part.item, items: (inside.get(part) ?? []).map((child) => build(child, inside)) };
}

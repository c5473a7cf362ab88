// The YAML text as a tree with source positions. Offsets count UTF-16 units from the start of the text; lines and
// columns are computed only for reports.
//
// source-node/N1. Keys are text exactly as written; `1:` and `"1":` are the same key.
// source-node/N2. A map keeps every entry in the order written, including duplicates, so that a report can name both
//   lines.
// source-node/N3. An alias is the very node that it refers to, so a tree may share parts, but never contains itself.

import type { SourcePath } from '../diagnostic.ts';

export type Scalar = null | boolean | number | string;

export interface ScalarNode {
  readonly type: 'scalar';
  readonly start: number;
  readonly end: number;
  readonly value: Scalar;
}

export interface ListNode {
  readonly type: 'list';
  readonly start: number;
  readonly end: number;
  readonly flow: boolean;
  readonly items: readonly SourceNode[];
}

export interface MapEntry {
  readonly key: string;
  readonly start: number;
  readonly value: SourceNode;
}

export interface MapNode {
  readonly type: 'map';
  readonly start: number;
  readonly end: number;
  readonly flow: boolean;
  readonly entries: readonly MapEntry[];
}

export type SourceNode = ScalarNode | ListNode | MapNode;

/** Larger maps are looked up through an index, so that a plan of many tasks stays linear. */
const UNINDEXED_MAX = 32;
const indexes = new WeakMap<MapNode, ReadonlyMap<string, MapEntry>>();

/** The first entry with the key. */
export function entryOf(node: MapNode, key: string): MapEntry | undefined {
  if (node.entries.length <= UNINDEXED_MAX) return node.entries.find((entry) => entry.key === key);
  const index = indexes.get(node) ?? indexed(node);
  return index.get(key);
}

function indexed(node: MapNode): ReadonlyMap<string, MapEntry> {
  const index = new Map<string, MapEntry>();
  for (const entry of node.entries) if (!index.has(entry.key)) index.set(entry.key, entry);
  indexes.set(node, index);
  return index;
}

/** The position to report for the value at the path: the value itself if it is on the line of its key, else the key. */
export function offsetOf(root: SourceNode, path: SourcePath): number {
  let node = root;
  let offset = root.start;
  for (const part of path) {
    const found: { readonly node: SourceNode; readonly offset: number } | undefined = childOf(node, part);
    if (found === undefined) return offset;
    node = found.node;
    offset = found.offset;
  }
  return offset;
}

/** The node at the path; undefined when there is none. */
export function nodeAt(root: SourceNode, path: SourcePath): SourceNode | undefined {
  return path.reduce<SourceNode | undefined>(
    (node, part) => (node === undefined ? undefined : childOf(node, part)?.node),
    root,
  );
}

function childOf(node: SourceNode, part: string | number): { node: SourceNode; offset: number } | undefined {
  if (node.type === 'list') {
    const item = typeof part === 'number' ? node.items[part] : undefined;
    return item === undefined ? undefined : { node: item, offset: item.start };
  }
  if (node.type === 'scalar') return undefined;
  const entry = entryOf(node, String(part));
  if (entry === undefined) return undefined;
  const isBlock = entry.value.type !== 'scalar' && !entry.value.flow;
  return { node: entry.value, offset: isBlock ? entry.start : entry.value.start };
}

/** The path of the scalar that begins at the offset; empty when there is none. */
export function pathTo(root: SourceNode, offset: number): SourcePath {
  if (root.type === 'scalar') return [];
  const parts: readonly (readonly [string | number, SourceNode])[] =
    root.type === 'list'
      ? root.items.map((item, index) => [index, item] as const)
      : root.entries.map(({ key, value }) => [key, value] as const);
  const around = parts.findLast(([, node]) => node.start <= offset && offset <= node.end);
  return around === undefined ? [] : [around[0], ...pathTo(around[1], offset)];
}

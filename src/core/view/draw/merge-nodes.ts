// The one way a picture gets smaller: some nodes become one, and their edges become its edges.
//
// fold/F1. An edge whose ends became one disappears; alike edges between the same two become one with their count.
// fold/F2. A group whose nodes all went into one node of the same id is gone.
// fold/F3. A merged node stands where the first of its parts stood, so the order of the plan remains.

import type { Picture, PictureEdge, PictureNode } from './picture.ts';

/** The input of every kind of fold. */
export interface FoldLimit {
  readonly nodesMax: number;
  readonly expand: ReadonlySet<string>;
}

/** A node and the ids of the nodes and groups that it replaces. */
export interface NodeMerge {
  readonly node: PictureNode;
  readonly parts: readonly string[];
}

export function mergeNodes(picture: Picture, merges: readonly NodeMerge[]): Picture {
  if (merges.length === 0) return picture;
  const became = new Map<string, PictureNode>();
  for (const { node, parts } of merges) for (const part of parts) became.set(part, node);
  return {
    ...picture,
    nodes: [...new Set(picture.nodes.map((node) => became.get(node.id) ?? node))],
    groups: picture.groups.filter((group) => !became.has(group.id)),
    edges: mergeEdges(picture.edges, (id) => became.get(id)?.id ?? id),
  };
}

export function mergeEdges(edges: readonly PictureEdge[], becomes: (id: string) => string): PictureEdge[] {
  const merged = new Map<string, PictureEdge>();
  for (const edge of edges) {
    const from = becomes(edge.from);
    const to = becomes(edge.to);
    if (from === to) continue;
    // A length before each id keeps two pairs of ids from making the same key.
    const key = `${from.length}:${from}:${to.length}:${to}:${edge.kind}:${edge.label ?? ''}`;
    const count = (merged.get(key)?.count ?? 0) + edge.count;
    merged.set(key, { ...edge, from, to, count });
  }
  return [...merged.values()];
}

/** `12 tasks`, `1 task`. */
export function countUnits(picture: Picture, count: number): string {
  return `${count} ${count === 1 ? picture.unit.one : picture.unit.many}`;
}

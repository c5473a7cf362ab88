// A picture without coordinates: nodes, groups and edges. The Mermaid, DOT and SVG writers all draw it.
//
// picture/D1. Ids of nodes and groups are unique together, and a group's parents end at the picture.
// picture/D2. Both ends of an edge exist and differ; an end may be a group, and never one that holds the other end.
// picture/D3. No group is empty.
// picture/D4. The label of a folded node states how many parts it represents.

export type NodeKind =
  | 'prompt'
  | 'run'
  | 'steps'
  | 'join'
  | 'gate'
  | 'for_each'
  | 'subplan'
  | 'folded'
  | 'place'
  | 'transition';

export type EdgeKind = 'need' | 'any' | 'race' | 'flow' | 'read';

export interface PictureNode {
  readonly id: string;
  /** The first line is the name; the other lines describe the work. */
  readonly label: readonly string[];
  readonly kind: NodeKind;
  /** The group that holds it; undefined at the top. */
  readonly group: string | undefined;
  /** Whether a run may skip it, like a task with `when`. */
  readonly optional: boolean;
  /** The number of tasks, or of places and transitions, that it represents. */
  readonly standsFor: number;
}

export interface PictureEdge {
  readonly from: string;
  readonly to: string;
  readonly label: string | undefined;
  readonly kind: EdgeKind;
  /** The number of edges that it represents after folding. */
  readonly count: number;
}

export interface PictureGroup {
  readonly id: string;
  readonly label: string;
  readonly group: string | undefined;
}

export type Direction = 'down' | 'right';

export interface Picture {
  readonly title: string;
  readonly direction: Direction;
  /** The nouns for one part and for several, in a folded label. */
  readonly unit: { readonly one: string; readonly many: string };
  readonly nodes: readonly PictureNode[];
  readonly edges: readonly PictureEdge[];
  readonly groups: readonly PictureGroup[];
}

export interface PictureOptions {
  /** Fold until about this many nodes are visible. */
  readonly foldOver?: number;
  /** Ids of groups and nodes that stay expanded and visible. */
  readonly expand?: ReadonlySet<string>;
  /** Draw everything, however large. */
  readonly all?: boolean;
  readonly direction?: Direction;
}

/** The text beside an edge: its own label, and the number of edges that it represents. */
export function edgeText(edge: PictureEdge): string | undefined {
  if (edge.count === 1) return edge.label;
  return edge.label === undefined ? `×${edge.count}` : `${edge.label} ×${edge.count}`;
}

/** The groups that hold a node or group, innermost first. */
export function groupsAround(parents: ReadonlyMap<string, string | undefined>, id: string): string[] {
  const around: string[] = [];
  for (let at = parents.get(id); at !== undefined; at = parents.get(at)) around.push(at);
  return around;
}

/** The group of every node and of every group. */
export function parentsOf(picture: Picture): Map<string, string | undefined> {
  const parents = new Map<string, string | undefined>();
  for (const group of picture.groups) parents.set(group.id, group.group);
  for (const node of picture.nodes) parents.set(node.id, node.group);
  return parents;
}

export interface InsideGroup {
  readonly nodes: readonly PictureNode[];
  readonly groups: readonly PictureGroup[];
}

/** The direct members of each group; the top level has the key undefined. */
export function insidesOf(picture: Picture): (group: string | undefined) => InsideGroup {
  const nodes = new Map<string | undefined, PictureNode[]>();
  const groups = new Map<string | undefined, PictureGroup[]>();
  for (const node of picture.nodes) addToList(nodes, node.group, node);
  for (const group of picture.groups) addToList(groups, group.group, group);
  return (group) => ({ nodes: nodes.get(group) ?? [], groups: groups.get(group) ?? [] });
}

/** Adds a value to the list kept under a key of a map that the caller owns. */
export function addToList<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

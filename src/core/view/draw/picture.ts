// A picture before it has a form: what is drawn and what is joined, not where or how. Mermaid, DOT and SVG all draw it.
//
// picture/D1. Ids of nodes and groups are unique together, and a group's parents end at the picture.
// picture/D2. Both ends of an edge exist and differ; an end may be a group, and never one that holds the other end.
// picture/D3. No group is empty.
// picture/D4. What was folded is said in a label, with how much it stands for.

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
  /** The first line is the name; the others say what it does. */
  readonly label: readonly string[];
  readonly kind: NodeKind;
  /** The group that holds it; undefined at the top. */
  readonly group: string | undefined;
  /** It may be left out of a run, as a task with `when` may. */
  readonly optional: boolean;
  /** How many tasks, or places and transitions, it stands for. */
  readonly standsFor: number;
}

export interface PictureEdge {
  readonly from: string;
  readonly to: string;
  readonly label: string | undefined;
  readonly kind: EdgeKind;
  /** How many edges it stands for since folding. */
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
  /** What one node stands for and several, in a folded label. */
  readonly unit: { readonly one: string; readonly many: string };
  readonly nodes: readonly PictureNode[];
  readonly edges: readonly PictureEdge[];
  readonly groups: readonly PictureGroup[];
}

export interface PictureOptions {
  /** Fold until at most about this many nodes are seen. */
  readonly foldOver?: number;
  /** Ids of groups and nodes that stay open and in sight. */
  readonly expand?: ReadonlySet<string>;
  /** Draw everything, however large. */
  readonly all?: boolean;
  readonly direction?: Direction;
}

/** What an edge says beside its line: its own label, and how many it stands for. */
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

/** What lies directly in each group, and at the top under undefined. */
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

// A picture as Graphviz DOT text. Ids are made here (n0, cluster_0) and every label is a quoted string.

import { edgeText, insidesOf } from './picture.ts';
import type { EdgeKind, InsideGroup, NodeKind, Picture, PictureEdge } from './picture.ts';
import { cleanLine } from './label.ts';

const NODE_STYLES: Readonly<Record<NodeKind, string>> = {
  prompt: 'shape=box, style="rounded,filled", fillcolor="#e8f0fd", color="#5b86c9"',
  run: 'shape=box, style="filled", fillcolor="#e7f4ea", color="#5a9a6c"',
  steps: 'shape=box, style="rounded,filled", fillcolor="#ebecfc", color="#6f74c4"',
  join: 'shape=invtrapezium, style="filled", fillcolor="#fdf4dc", color="#c0963a"',
  gate: 'shape=diamond, style="filled", fillcolor="#fdebe2", color="#cc7a4d"',
  for_each: 'shape=box3d, style="filled", fillcolor="#f3eafb", color="#9168bd"',
  subplan: 'shape=box, style="filled", fillcolor="#f3f4f6", color="#8a93a0"',
  folded: 'shape=box3d, style="filled", fillcolor="#f3f4f6", color="#8a93a0"',
  place: 'shape=ellipse, style="filled", fillcolor="#ffffff", color="#6b7686"',
  transition: 'shape=box, style="filled", fillcolor="#dfe3e9", color="#4c5664"',
};

const EDGE_STYLES: Readonly<Record<EdgeKind, string | undefined>> = {
  need: undefined,
  any: 'style=dashed',
  race: 'style="dashed,bold"',
  flow: undefined,
  read: 'style=dashed, arrowhead=empty',
};

/** Draws the picture of a plan in the language of Graphviz. */
export function drawDot(picture: Picture): string {
  const context: DotContext = { picture, insideOf: insidesOf(picture), names: new Map(), anchors: new Map() };
  for (const [index, node] of picture.nodes.entries()) context.names.set(node.id, `n${index}`);
  for (const [index, group] of picture.groups.entries()) context.names.set(group.id, `cluster_${index}`);
  findAnchors(context);
  const lines = [
    `digraph ${quote([picture.title])} {`,
    `  rankdir=${picture.direction === 'down' ? 'TB' : 'LR'};`,
    '  compound=true;',
    '  graph [fontname="Helvetica,Arial,sans-serif", fontsize=12];',
    '  node [fontname="Helvetica,Arial,sans-serif", fontsize=12];',
    '  edge [fontname="Helvetica,Arial,sans-serif", fontsize=10, color="#667085"];',
    ...drawInside(context, undefined, '  '),
    ...picture.edges.map((edge) => `  ${drawEdge(context, edge)}`),
    '}',
  ];
  return `${lines.join('\n')}\n`;
}

interface DotContext {
  readonly picture: Picture;
  readonly insideOf: (group: string | undefined) => InsideGroup;
  readonly names: Map<string, string>;
  /** Graphviz joins nodes only, so an edge to a cluster goes to a node inside and is clipped at the cluster. */
  readonly anchors: Map<string, string>;
}

function findAnchors({ picture, names, anchors }: DotContext): void {
  const parents = new Map(picture.groups.map((group) => [group.id, group.group]));
  for (const node of picture.nodes) {
    for (let at = node.group; at !== undefined && !anchors.has(at); at = parents.get(at)) {
      anchors.set(at, names.get(node.id) ?? '');
    }
  }
}

function drawInside(context: DotContext, group: string | undefined, indent: string): string[] {
  const { nodes, groups } = context.insideOf(group);
  const lines: string[] = [];
  for (const node of nodes) {
    const optional = node.optional ? ', peripheries=2' : '';
    lines.push(
      `${indent}${context.names.get(node.id)} [label=${quote(node.label)}, ${NODE_STYLES[node.kind]}${optional}];`,
    );
  }
  for (const inner of groups) {
    lines.push(`${indent}subgraph ${context.names.get(inner.id)} {`);
    lines.push(`${indent}  label=${quote([inner.label])}; labeljust=l; style="rounded"; color="#b3bac4";`);
    lines.push(...drawInside(context, inner.id, `${indent}  `), `${indent}}`);
  }
  return lines;
}

function drawEdge({ names, anchors }: DotContext, edge: PictureEdge): string {
  const from = anchors.get(edge.from);
  const to = anchors.get(edge.to);
  const text = edgeText(edge);
  const attributes = [
    EDGE_STYLES[edge.kind],
    text === undefined ? undefined : `label=${quote([text])}`,
    from === undefined ? undefined : `ltail=${names.get(edge.from)}`,
    to === undefined ? undefined : `lhead=${names.get(edge.to)}`,
  ].filter((attribute) => attribute !== undefined);
  const list = attributes.length === 0 ? '' : ` [${attributes.join(', ')}]`;
  return `${from ?? names.get(edge.from)} -> ${to ?? names.get(edge.to)}${list};`;
}

// Inside quotes DOT reads a backslash as the start of an escape and `&…;` as an HTML entity.
function quote(lines: readonly string[]): string {
  const escaped = lines.map((line) =>
    cleanLine(line).replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('&', '&amp;'),
  );
  return `"${escaped.join('\\n')}"`;
}

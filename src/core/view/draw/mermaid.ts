// A picture as Mermaid flowchart text. Ids are generated (n0, g0) and every label is quoted, so no text of a plan can
// be read as syntax; characters that a quoted label cannot contain become character entities.

import { addToList, edgeText, insidesOf } from './picture.ts';
import { cleanLine } from './label.ts';
import type { EdgeKind, InsideGroup, NodeKind, Picture, PictureEdge, PictureNode } from './picture.ts';

const SHAPES: Readonly<Record<NodeKind, readonly [string, string]>> = {
  prompt: ['(', ')'],
  run: ['[', ']'],
  steps: ['(', ')'],
  join: ['[/', '\\]'],
  gate: ['{', '}'],
  for_each: ['[[', ']]'],
  subplan: ['[', ']'],
  folded: ['[[', ']]'],
  place: ['([', '])'],
  transition: ['[', ']'],
};

const ARROWS: Readonly<Record<EdgeKind, string>> = {
  need: '-->',
  any: '-.->',
  race: '-.->',
  flow: '-->',
  read: '-.->',
};

/** Fill, line, text: middle tones that are legible on a light and on a dark page. */
const COLOURS: Readonly<Record<NodeKind, readonly [string, string, string]>> = {
  prompt: ['#dbe8fb', '#5b86c9', '#16233a'],
  run: ['#dff0e3', '#5a9a6c', '#14301d'],
  steps: ['#e2e3fa', '#6f74c4', '#1f2150'],
  join: ['#fbeecb', '#c0963a', '#3d2e08'],
  gate: ['#fbe0d3', '#cc7a4d', '#45200b'],
  for_each: ['#ecdff7', '#9168bd', '#331a4d'],
  subplan: ['#eceef1', '#8a93a0', '#20262e'],
  folded: ['#eceef1', '#8a93a0', '#20262e'],
  place: ['#ffffff', '#6b7686', '#20262e'],
  transition: ['#d5dae1', '#4c5664', '#20262e'],
};

/** Draws the picture of a plan in the language of Mermaid. */
export function drawMermaid(picture: Picture): string {
  const names = new Map<string, string>();
  for (const [index, node] of picture.nodes.entries()) names.set(node.id, `n${index}`);
  for (const [index, group] of picture.groups.entries()) names.set(group.id, `g${index}`);
  const nameOf = (id: string): string => names.get(id) ?? 'missing';
  const lines = [`flowchart ${picture.direction === 'down' ? 'TB' : 'LR'}`];
  lines.push(...drawInside({ insideOf: insidesOf(picture), nameOf }, undefined, '  '));
  for (const edge of picture.edges) lines.push(`  ${drawEdge(edge, nameOf)}`);
  lines.push(...drawClasses(picture, nameOf));
  return `${lines.join('\n')}\n`;
}

interface MermaidContext {
  readonly insideOf: (group: string | undefined) => InsideGroup;
  readonly nameOf: (id: string) => string;
}

function drawInside(context: MermaidContext, group: string | undefined, indent: string): string[] {
  const { insideOf, nameOf } = context;
  const { nodes, groups } = insideOf(group);
  const lines = nodes.map((node) => `${indent}${drawNode(node, nameOf(node.id))}`);
  for (const inner of groups) {
    lines.push(`${indent}subgraph ${nameOf(inner.id)}["${escapeLabel([inner.label])}"]`);
    lines.push(...drawInside(context, inner.id, `${indent}  `), `${indent}end`);
  }
  return lines;
}

function drawNode(node: PictureNode, name: string): string {
  const [open, close] = SHAPES[node.kind];
  return `${name}${open}"${escapeLabel(node.label)}"${close}`;
}

function drawEdge(edge: PictureEdge, nameOf: (id: string) => string): string {
  const text = edgeText(edge);
  const label = text === undefined ? '' : `|"${escapeLabel([text])}"|`;
  return `${nameOf(edge.from)} ${ARROWS[edge.kind]}${label} ${nameOf(edge.to)}`;
}

function drawClasses(picture: Picture, nameOf: (id: string) => string): string[] {
  const members = new Map<NodeKind, string[]>();
  for (const node of picture.nodes) addToList(members, node.kind, nameOf(node.id));
  const lines: string[] = [];
  for (const [kind, names] of members) {
    const [fill, line, text] = COLOURS[kind];
    lines.push(`  classDef ${kind}Kind fill:${fill},stroke:${line},color:${text}`);
    lines.push(`  class ${names.join(',')} ${kind}Kind`);
  }
  const optional = picture.nodes.filter((node) => node.optional).map((node) => nameOf(node.id));
  if (optional.length === 0) return lines;
  return [...lines, '  classDef optional stroke-dasharray:5 3', `  class ${optional.join(',')} optional`];
}

// Mermaid reads `#…;` as an entity, a quote as the end of a label, the marks of Markdown as Markdown, and hands the
// rest to a browser as HTML, formulas between dollars and icons by `fa:` included; so all but letters, digits and
// harmless marks is written by its number.
const SPECIAL = /[^\p{L}\p{M}\p{N}\p{So} .,:!?()+=/…×·≤●→–_-]/gu;
const LIST_MARK = /^[-+]|(?<=^\d+)[.)]/u;
const ICON_MARK = /:(?! |$)/gu;
const EMPHASIS = /(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;
const TAGS = [SPECIAL, LIST_MARK, ICON_MARK, EMPHASIS];

function escapeLabel(lines: readonly string[]): string {
  return lines.map((line) => TAGS.reduce((text, mark) => text.replace(mark, numbered), cleanLine(line))).join('<br/>');
}

function numbered(character: string): string {
  return `#${character.codePointAt(0) ?? 0};`;
}

// A picture as one self-contained SVG: no scripts, no external fonts, light and dark, with a title for screen readers.

import { layOut, type Layout, type LayoutFrame, type Point } from './picture-layout.ts';
import { edgeText, type EdgeKind, type Picture, type PictureEdge, type PictureNode } from '../draw/picture.ts';
import { drawShape, measureNode, portRoom } from './svg-shape.ts';
import { DARK, escapeXml, FONT, LIGHT, round, styleSheet, type Theme } from '../draw/svg-theme.ts';
import { textWidth } from '../draw/text-width.ts';

const NAME_SIZE = 13;
const LINE_SIZE = 11;
const GROUP_SIZE = 12;
const GROUP_HEADER = 16;

/** Draws the picture of a plan as SVG. */
export function drawSvg(picture: Picture): string {
  const groupLabelSize = (group: { readonly label: string }) => ({
    width: textWidth(group.label, GROUP_SIZE),
    height: GROUP_HEADER,
  });
  const layout = layOut(picture, { nodeSize: measureNode, groupLabelSize, portRoom });
  const width = round(Math.ceil(layout.width));
  const height = round(Math.ceil(layout.height));
  const title = escapeXml(picture.title);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="heddle" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${title}">`,
    `<title>${title}</title>`,
    styleSheet({ common: COMMON, light: rulesOf(LIGHT), dark: rulesOf(DARK) }),
    heads(),
    `<rect class="paper" width="${width}" height="${height}"/>`,
    ...drawGroups(picture, layout),
    ...picture.edges.map((edge, index) => drawLine(edge, layout.edges[index] ?? [], picture.direction === 'down')),
    ...picture.nodes.map((node) => drawNode(node, layout.nodes.get(node.id))),
    ...picture.edges.map((edge, index) => drawLineText(edge, layout.edges[index] ?? [])).filter((text) => text !== ''),
    '</svg>',
    '',
  ].join('\n');
}

const COMMON = [
  `.heddle{font-family:${FONT}}`,
  '.heddle text{text-anchor:middle;unicode-bidi:plaintext}',
  `.heddle .name{font-size:${NAME_SIZE}px;font-weight:600}`,
  `.heddle .said{font-size:${LINE_SIZE}px}`,
  `.heddle .label{font-size:${GROUP_SIZE}px;font-weight:600;text-anchor:start}`,
  `.heddle .note{font-size:${LINE_SIZE}px;paint-order:stroke;stroke-width:4px;stroke-linejoin:round}`,
  '.heddle .node{stroke-width:1.2}.heddle .optional{stroke-dasharray:5 3}',
  '.heddle .group{stroke-width:1;fill-opacity:.07}',
  '.heddle .edge{fill:none;stroke-width:1.4}',
  '.heddle .any,.heddle .read{stroke-dasharray:5 4}.heddle .race{stroke-dasharray:9 3 2 3;stroke-width:1.8}',
].join('');

function rulesOf(theme: Theme): string {
  const kinds = Object.entries(theme.kinds).map(
    ([kind, { fill, line }]) => `.heddle .${kind}{fill:${fill};stroke:${line}}`,
  );
  return [
    `.heddle .paper{fill:${theme.paper}}`,
    `.heddle .name{fill:${theme.text}}.heddle .said,.heddle .label{fill:${theme.quiet}}`,
    `.heddle .note{fill:${theme.quiet};stroke:${theme.paper}}`,
    `.heddle .group{fill:${theme.box};stroke:${theme.boxLine}}`,
    `.heddle .edge{stroke:${theme.line}}.heddle .head{fill:${theme.line}}`,
    `.heddle .hollow{fill:${theme.paper};stroke:${theme.line};stroke-width:1.2}`,
    ...kinds,
  ].join('');
}

// Heads are drawn in user units, so that a bolder line has no bigger head.
function heads(): string {
  const marker = (id: string, look: string): string =>
    `<marker id="heddle-${id}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path class="${look}" d="M1 1.4L9 5L1 8.6Z"/></marker>`;
  return `<defs>${marker('head', 'head')}${marker('hollow', 'hollow')}</defs>`;
}

const HEADS: Readonly<Record<EdgeKind, string>> = {
  need: 'head',
  any: 'head',
  race: 'head',
  flow: 'head',
  read: 'hollow',
};

function drawGroups(picture: Picture, layout: Layout): string[] {
  return picture.groups.map((group) => {
    const frame = layout.groups.get(group.id);
    if (frame === undefined) return '';
    const { x, y, width, height } = frame;
    const box = `<rect class="group" x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" rx="10"/>`;
    return `<g>${box}<text class="label" x="${round(x + 14)}" y="${round(y + 20)}">${escapeXml(fit(group.label, width - 24))}</text></g>`;
  });
}

/** Shortens a group's label to the room that its box has; a box that reads to the right may be narrow. */
function fit(label: string, room: number): string {
  if (textWidth(label, GROUP_SIZE) <= room) return label;
  let kept = label.slice(0, Math.max(1, Math.floor(room / (GROUP_SIZE / 2))));
  while (kept.length > 1 && textWidth(`${kept}…`, GROUP_SIZE) > room) kept = kept.slice(0, -1);
  return `${kept}…`;
}

function drawNode(node: PictureNode, frame: LayoutFrame | undefined): string {
  if (frame === undefined) return '';
  const middle = round(frame.x + frame.width / 2);
  const { shape, firstLine } = drawShape(node, frame);
  const texts = node.label.map((line, index) => {
    const y = round(firstLine + (index === 0 ? 0 : 2 + index * 15));
    return `<text class="${index === 0 ? 'name' : 'said'}" x="${middle}" y="${y}">${escapeXml(line)}</text>`;
  });
  return `<g><title>${escapeXml(node.label.join(' · '))}</title>${shape}${texts.join('')}</g>`;
}

function drawLine(edge: PictureEdge, points: readonly Point[], down: boolean): string {
  const [first, ...rest] = points;
  if (first === undefined) return '';
  let at = first;
  let path = `M${round(at.x)} ${round(at.y)}`;
  for (const next of rest) {
    path += pathTo(at, next, down);
    at = next;
  }
  return `<path class="edge ${edge.kind}" d="${path}" marker-end="url(#heddle-${HEADS[edge.kind]})"/>`;
}

function pathTo(from: Point, to: Point, down: boolean): string {
  const end = `${round(to.x)} ${round(to.y)}`;
  if (round(from.x) === round(to.x) || round(from.y) === round(to.y)) return `L${end}`;
  const middle = down ? round((from.y + to.y) / 2) : round((from.x + to.x) / 2);
  if (down) return `C${round(from.x)} ${middle} ${round(to.x)} ${middle} ${end}`;
  return `C${middle} ${round(from.y)} ${middle} ${round(to.y)} ${end}`;
}

function drawLineText(edge: PictureEdge, points: readonly Point[]): string {
  const text = edgeText(edge);
  if (text === undefined || points.length < 2) return '';
  const index = Math.floor((points.length - 1) / 2);
  const from = points[index] ?? { x: 0, y: 0 };
  const to = points[index + 1] ?? from;
  const x = round((from.x + to.x) / 2);
  const y = round((from.y + to.y) / 2 + LINE_SIZE / 3);
  return `<text class="note" x="${x}" y="${y}">${escapeXml(text)}</text>`;
}

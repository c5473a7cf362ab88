// Draws the part of a scene that is in sight. Everything that changes with the run comes from `lookOf`, so that a step of
// the replay is one drawing and no layout.
import type { LayoutFrame, Point } from '../../src/core/view/svg/picture-layout.ts';
import type { PictureEdge } from '../../src/core/view/draw/picture.ts';
import { drawNode, type Pen } from './draw-node.ts';
import type { EdgeLook, NodeLook, SceneColours } from './scene-look.ts';
import { GROUP_LABEL_SIZE, type PlanScene, type SceneEdge, type SceneGroup, type SceneNode } from './plan-scene.ts';
import { drawMotion, type Motion } from './token-motion.ts';
import { overlap, type ScreenSize, type Viewport } from './viewport.ts';

export interface Drawing {
  readonly scene: PlanScene;
  readonly view: Viewport;
  readonly size: ScreenSize;
  readonly colours: SceneColours;
  readonly lookOf: (node: string) => NodeLook;
  readonly edgeLook: (edge: PictureEdge) => EdgeLook;
  /** From 0 to 1 and back, for running tasks. */
  readonly breath: number;
  /** Tokens on their way. */
  readonly motion: Motion | undefined;
}

/** The parts of a scene in a frame of the picture. */
export interface SceneParts {
  readonly groups: readonly SceneGroup[];
  readonly edges: readonly SceneEdge[];
  readonly nodes: readonly SceneNode[];
}

export const partsIn = ({ groups, edges, nodes }: SceneParts, sight: LayoutFrame): SceneParts => ({
  groups: groups.filter(({ frame }) => overlap(frame, sight)),
  edges: edges.filter(({ frame }) => overlap(frame, sight)),
  nodes: nodes.filter(({ frame }) => overlap(frame, sight)),
});

/** Texts smaller than this are not drawn. */
const TEXT_FROM_SCALE = 0.3;

/** Draws the parts in sight, or those of a frame of the picture and nothing outside of it. */
export function drawScene(pen: Pen, drawing: Drawing, { parts, within }: Drawn): void {
  const { scene, view, size, colours } = drawing;
  const ratio = globalThis.devicePixelRatio;
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.save();
  if (within !== undefined) clipTo(pen, view, within);
  pen.fillStyle = colours.paper;
  pen.fillRect(0, 0, size.width, size.height);
  pen.translate(view.x, view.y);
  pen.scale(view.scale, view.scale);
  const hasText = view.scale >= TEXT_FROM_SCALE;
  for (const group of parts.groups) drawGroup(pen, group, { colours, hasText });
  for (const edge of parts.edges) drawEdge(pen, edge, drawing);
  for (const { node, frame } of parts.nodes)
    drawNode(pen, { node, frame, look: drawing.lookOf(node.id), colours, hasText, breath: drawing.breath });
  if (drawing.motion !== undefined) drawMotion(pen, scene, { motion: drawing.motion, colours });
  pen.restore();
}

interface Drawn {
  readonly parts: SceneParts;
  /** Undefined is all that is in sight. */
  readonly within: LayoutFrame | undefined;
}

/** Along whole pixels, because half a pixel would be drawn over what half of it showed before. */
function clipTo(pen: Pen, { x, y, scale }: Viewport, frame: LayoutFrame): void {
  const [left, top] = [Math.floor(x + frame.x * scale), Math.floor(y + frame.y * scale)];
  const right = Math.ceil(x + (frame.x + frame.width) * scale);
  const bottom = Math.ceil(y + (frame.y + frame.height) * scale);
  pen.beginPath();
  pen.rect(left, top, right - left, bottom - top);
  pen.clip();
}

interface Around {
  readonly colours: SceneColours;
  readonly hasText: boolean;
}

function drawGroup(pen: Pen, { group, frame }: SceneGroup, { colours, hasText }: Around): void {
  const { x, y, width, height } = frame;
  pen.beginPath();
  pen.roundRect(x, y, width, height, 10);
  pen.globalAlpha = 0.5;
  pen.fillStyle = colours.boxFill;
  pen.fill();
  pen.globalAlpha = 1;
  pen.lineWidth = 1;
  pen.strokeStyle = colours.line;
  pen.stroke();
  if (!hasText) return;
  pen.fillStyle = colours.quiet;
  pen.font = `600 ${GROUP_LABEL_SIZE}px system-ui, sans-serif`;
  pen.textAlign = 'left';
  pen.textBaseline = 'middle';
  pen.fillText(`▾ ${group.label}`, x + 12, y + 16, Math.max(20, width - 24));
}

const EDGE_WIDTHS: Readonly<Record<EdgeLook, number>> = { plain: 1.1, holds: 1.6, critical: 3 };

function drawEdge(pen: Pen, { edge, stops }: SceneEdge, { scene, colours, edgeLook }: Drawing): void {
  const look = edgeLook(edge);
  const [first, ...rest] = stops;
  const last = stops.at(-1);
  if (first === undefined || last === undefined) return;
  pen.strokeStyle = look === 'plain' ? colours.line : look === 'critical' ? colours.accent : colours.edge;
  pen.fillStyle = pen.strokeStyle;
  pen.lineWidth = EDGE_WIDTHS[look];
  pen.setLineDash(edge.kind === 'any' || edge.kind === 'read' ? [5, 4] : edge.kind === 'race' ? [9, 3, 2, 3] : []);
  pen.beginPath();
  pen.moveTo(first.x, first.y);
  let at = first;
  for (const next of rest) {
    curveTo(pen, at, next, scene.isDown);
    at = next;
  }
  pen.stroke();
  pen.setLineDash([]);
  drawHead(pen, stops.at(-2) ?? first, last);
}

function curveTo(pen: Pen, from: Point, to: Point, isDown: boolean): void {
  if (from.x === to.x || from.y === to.y) pen.lineTo(to.x, to.y);
  else if (isDown) pen.bezierCurveTo(from.x, (from.y + to.y) / 2, to.x, (from.y + to.y) / 2, to.x, to.y);
  else pen.bezierCurveTo((from.x + to.x) / 2, from.y, (from.x + to.x) / 2, to.y, to.x, to.y);
}

/** Lines end straight down or straight to the right, whichever is longer. */
function drawHead(pen: Pen, before: Point, end: Point): void {
  const isDown = Math.abs(end.y - before.y) >= Math.abs(end.x - before.x);
  const sign = isDown ? Math.sign(end.y - before.y) || 1 : Math.sign(end.x - before.x) || 1;
  pen.beginPath();
  pen.moveTo(end.x, end.y);
  if (isDown) {
    pen.lineTo(end.x - 4, end.y - 7 * sign);
    pen.lineTo(end.x + 4, end.y - 7 * sign);
  } else {
    pen.lineTo(end.x - 7 * sign, end.y - 4);
    pen.lineTo(end.x - 7 * sign, end.y + 4);
  }
  pen.fill();
}

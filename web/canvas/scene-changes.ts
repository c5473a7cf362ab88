// What of a drawn scene looks different by now, so that a step of the replay draws that and nothing else.
import type { LayoutFrame } from '../../src/core/view/svg/picture-layout.ts';
import type { PictureEdge } from '../../src/core/view/draw/picture.ts';
import type { SceneParts } from './draw-scene.ts';
import type { SceneEdge, SceneNode } from './plan-scene.ts';
import type { EdgeLook, NodeLook } from './scene-look.ts';

export interface Looks {
  readonly lookOf: (node: string) => NodeLook;
  readonly edgeLook: (edge: PictureEdge) => EdgeLook;
}

/** How the parts that were drawn looked. */
export interface DrawnLooks {
  readonly nodes: Map<SceneNode, NodeLook>;
  readonly edges: Map<SceneEdge, EdgeLook>;
}

/** Lines and frames of selected tasks reach beyond what they are drawn around. */
const MARGIN = 10;

export const looksOf = ({ nodes, edges }: SceneParts, { lookOf, edgeLook }: Looks): DrawnLooks => ({
  nodes: new Map(nodes.map((part) => [part, lookOf(part.node.id)])),
  edges: new Map(edges.map((part) => [part, edgeLook(part.edge)])),
});

/** Notes how the parts look by now, and returns the frame around those that looked different; undefined when none did. */
export function noteChanges({ nodes, edges }: DrawnLooks, { lookOf, edgeLook }: Looks): LayoutFrame | undefined {
  let around: LayoutFrame | undefined;
  for (const [part, before] of nodes) {
    const look = lookOf(part.node.id);
    if (look === before) continue;
    nodes.set(part, look);
    if (!isAlike(look, before)) around = joined(around, part.frame);
  }
  for (const [part, before] of edges) {
    const look = edgeLook(part.edge);
    if (look === before) continue;
    edges.set(part, look);
    around = joined(around, part.frame);
  }
  return around === undefined ? undefined : withMargin(around);
}

/** The frame in which what has this frame, or touches it, may be drawn. */
export const withMargin = ({ x, y, width, height }: LayoutFrame): LayoutFrame => ({
  x: x - MARGIN,
  y: y - MARGIN,
  width: width + 2 * MARGIN,
  height: height + 2 * MARGIN,
});

const isAlike = (one: NodeLook, other: NodeLook): boolean =>
  one.group === other.group &&
  one.foot === other.foot &&
  one.share === other.share &&
  one.isCritical === other.isCritical &&
  one.isDim === other.isDim &&
  one.isSelected === other.isSelected &&
  one.tokens === other.tokens &&
  one.hasFired === other.hasFired;

function joined(one: LayoutFrame | undefined, other: LayoutFrame): LayoutFrame {
  if (one === undefined) return other;
  const [x, y] = [Math.min(one.x, other.x), Math.min(one.y, other.y)];
  return {
    x,
    y,
    width: Math.max(one.x + one.width, other.x + other.width) - x,
    height: Math.max(one.y + one.height, other.y + other.height) - y,
  };
}

// A picture with places for everything: what is drawn, what a pointer hits, what a search finds. Layout is core's own.
import { layOut, type Layout, type LayoutFrame, type Point } from '../../src/core/view/svg/picture-layout.ts';
import { measureNode, portRoom } from '../../src/core/view/svg/svg-shape.ts';
import { foldGroups, foldNamedGroups } from '../../src/core/view/draw/fold-groups.ts';
import { textWidth } from '../../src/core/view/draw/text-width.ts';
import type { Picture, PictureEdge, PictureGroup, PictureNode } from '../../src/core/view/draw/picture.ts';

export interface SceneNode {
  readonly node: PictureNode;
  readonly frame: LayoutFrame;
}

export interface SceneEdge {
  readonly edge: PictureEdge;
  readonly stops: readonly Point[];
  readonly frame: LayoutFrame;
}

export interface SceneGroup {
  readonly group: PictureGroup;
  readonly frame: LayoutFrame;
}

export interface PlanScene {
  readonly nodes: readonly SceneNode[];
  readonly edges: readonly SceneEdge[];
  /** Outer before inner. */
  readonly groups: readonly SceneGroup[];
  readonly width: number;
  readonly height: number;
  readonly isDown: boolean;
  /** By task of the whole picture: the node that shows it, folded or not. */
  readonly shownAs: ReadonlyMap<string, string>;
}

export const GROUP_LABEL_SIZE = 12;
const GROUP_HEADER = 20;
/** Room for the line with state and cost below the text of a task. */
export const FOOT_HEIGHT = 16;

/** More nodes than this are folded by subplan at first. */
const NODES_MAX = 150;

/** The groups that are folded at first. */
export function firstFolds(whole: Picture): ReadonlySet<string> {
  if (whole.nodes.length <= NODES_MAX) return new Set();
  const { nodes } = foldGroups(whole, { nodesMax: NODES_MAX, expand: new Set() });
  return new Set(nodes.flatMap(({ id, kind }) => (kind === 'folded' ? [id] : [])));
}

export function makeScene(whole: Picture, folded: ReadonlySet<string>): PlanScene {
  const picture = foldNamedGroups(whole, folded);
  const layout = layOut(picture, {
    nodeSize: (node) => {
      const { width, height } = measureNode(node);
      return { width: Math.max(width, hasFoot(node) ? 112 : 0), height: height + (hasFoot(node) ? FOOT_HEIGHT : 0) };
    },
    groupLabelSize: ({ label }) => ({ width: textWidth(label, GROUP_LABEL_SIZE) + 24, height: GROUP_HEADER }),
    portRoom,
  });
  return {
    nodes: picture.nodes.flatMap((node) => framed(layout.nodes.get(node.id), (frame) => ({ node, frame }))),
    edges: picture.edges.map((edge, index) => sceneEdge(edge, layout, index)),
    groups: picture.groups.flatMap((group) => framed(layout.groups.get(group.id), (frame) => ({ group, frame }))),
    width: layout.width,
    height: layout.height,
    isDown: picture.direction === 'down',
    shownAs: shownAs(whole, folded),
  };
}

/** Places, transitions and gates have no line of their own for state and cost. */
export const hasFoot = ({ kind }: PictureNode): boolean => kind !== 'place' && kind !== 'transition' && kind !== 'gate';

const framed = <Made>(frame: LayoutFrame | undefined, make: (frame: LayoutFrame) => Made): readonly Made[] =>
  frame === undefined ? [] : [make(frame)];

function sceneEdge(edge: PictureEdge, { edges }: Layout, index: number): SceneEdge {
  const stops = edges[index] ?? [];
  const xs = stops.map(({ x }) => x);
  const ys = stops.map(({ y }) => y);
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { edge, stops, frame: { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y } };
}

function shownAs({ nodes, groups }: Picture, folded: ReadonlySet<string>): ReadonlyMap<string, string> {
  const parents = new Map(groups.map(({ id, group }) => [id, group]));
  const outermost = (group: string | undefined, found: string | undefined): string | undefined =>
    group === undefined ? found : outermost(parents.get(group), folded.has(group) ? group : found);
  return new Map(nodes.map(({ id, group }) => [id, outermost(group, undefined) ?? id]));
}

export type SceneHit =
  | { readonly type: 'node'; readonly node: PictureNode }
  /** The heading of a group. */
  | { readonly type: 'group'; readonly group: PictureGroup };

const isInside = ({ x, y }: Point, frame: LayoutFrame): boolean =>
  x >= frame.x && x <= frame.x + frame.width && y >= frame.y && y <= frame.y + frame.height;

/** What lies at a point of the picture; nodes before headings, inner headings before outer ones. */
export function hitAt({ nodes, groups }: PlanScene, point: Point): SceneHit | undefined {
  const node = nodes.find(({ frame }) => isInside(point, frame))?.node;
  if (node !== undefined) return { type: 'node', node };
  const group = groups.findLast(({ frame }) => isInside(point, { ...frame, height: GROUP_HEADER + 12 }))?.group;
  return group === undefined ? undefined : { type: 'group', group };
}

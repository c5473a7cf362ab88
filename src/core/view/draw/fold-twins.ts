// Folds most of many similar nodes: nodes of one group with equal needs and dependents. The first ones stay.

import { foldedNode } from './fold-chains.ts';
import { addToList } from './picture.ts';
import { mergeNodes } from './merge-nodes.ts';
import type { Picture, PictureNode } from './picture.ts';
import type { FoldLimit, NodeMerge } from './merge-nodes.ts';

const TWINS_MIN = 3;

export function foldTwins(picture: Picture, limit: FoldLimit): Picture {
  const twins = twinsOf(picture).map((nodes) => nodes.filter((node) => !limit.expand.has(node.id)));
  return foldLast(picture, {
    sets: twins.filter((nodes) => nodes.length >= TWINS_MIN),
    limit,
    where: 'with the same needs',
  });
}

export interface FoldLast {
  readonly sets: readonly (readonly PictureNode[])[];
  readonly limit: FoldLimit;
  readonly where: string;
}

/** Folds the last nodes of each set, the largest set first, and leaves at least the first of each. */
export function foldLast(picture: Picture, { sets, limit, where }: FoldLast): Picture {
  let surplus = picture.nodes.length - limit.nodesMax;
  const merges: NodeMerge[] = [];
  for (const nodes of [...sets].sort((one, other) => other.length - one.length)) {
    if (surplus <= 0) break;
    const taken = Math.min(nodes.length - 1, surplus + 1);
    if (taken < 2) continue;
    const parts = nodes.slice(-taken);
    merges.push({ node: foldedNode(picture, parts, where), parts: parts.map((node) => node.id) });
    surplus -= taken - 1;
  }
  return mergeNodes(picture, merges);
}

function twinsOf(picture: Picture): PictureNode[][] {
  const edges = new Map<string, string[]>();
  for (const { from, to, kind, label } of picture.edges) {
    addToList(edges, from, `to ${to} ${kind} ${label}`);
    addToList(edges, to, `from ${from} ${kind} ${label}`);
  }
  const twins = new Map<string, PictureNode[]>();
  for (const node of picture.nodes) {
    const key = JSON.stringify([node.group, node.kind, ...(edges.get(node.id) ?? []).sort()]);
    addToList(twins, key, node);
  }
  return [...twins.values()];
}

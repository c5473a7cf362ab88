// The last resort: folds nodes at the same depth of one group, then whole bands of depths, until the picture fits.

import { depthsOf } from './depth.ts';
import { foldedNode } from './fold-chains.ts';
import { foldLast } from './fold-twins.ts';
import { addToList } from './picture.ts';
import { mergeNodes } from './merge-nodes.ts';
import type { Picture, PictureNode } from './picture.ts';
import type { FoldLimit } from './merge-nodes.ts';

export function foldLayers(picture: Picture, limit: FoldLimit): Picture {
  const layers = setsByDepth({ picture, limit, depth: depthsIn(picture), depthsPerSet: 1 });
  const folded = foldLast(picture, { sets: layers, limit, where: 'at this depth' });
  return folded.nodes.length > limit.nodesMax ? foldBands(folded, limit) : folded;
}

/** Each band of depths becomes one node per group; bands grow until the picture fits or only one is left. */
function foldBands(picture: Picture, limit: FoldLimit): Picture {
  const depth = depthsIn(picture);
  const deepest = [...depth.values()].reduce((most, level) => Math.max(most, level), 0);
  for (let depthsPerSet = 1; ; depthsPerSet *= 2) {
    const bands = setsByDepth({ picture, limit, depth, depthsPerSet });
    const surplus = bands.reduce((sum, band) => sum + band.length - 1, 0);
    if (picture.nodes.length - surplus > limit.nodesMax && depthsPerSet <= deepest) continue;
    const where = depthsPerSet === 1 ? 'at this depth' : `at ${depthsPerSet} depths`;
    const merges = bands
      .filter((band) => band.length > 1)
      .map((parts) => ({ node: foldedNode(picture, parts, where), parts: parts.map((node) => node.id) }));
    return mergeNodes(picture, merges);
  }
}

function depthsIn(picture: Picture): Map<string, number> {
  const ids = [...picture.nodes, ...picture.groups].map(({ id }) => id);
  const indexes = new Map(ids.map((id, index) => [id, index]));
  const arrows = picture.edges.flatMap((edge) => {
    const from = indexes.get(edge.from);
    const to = indexes.get(edge.to);
    return from === undefined || to === undefined ? [] : [{ from, to }];
  });
  const { depth } = depthsOf(ids.length, arrows);
  return new Map(ids.map((id, index) => [id, depth[index] ?? 0]));
}

interface Sets {
  readonly picture: Picture;
  readonly limit: FoldLimit;
  readonly depth: ReadonlyMap<string, number>;
  readonly depthsPerSet: number;
}

function setsByDepth({ picture, limit, depth, depthsPerSet }: Sets): PictureNode[][] {
  const sets = new Map<string, PictureNode[]>();
  for (const node of picture.nodes) {
    if (limit.expand.has(node.id)) continue;
    const band = Math.floor((depth.get(node.id) ?? 0) / depthsPerSet);
    addToList(sets, JSON.stringify([node.group, band]), node);
  }
  return [...sets.values()];
}

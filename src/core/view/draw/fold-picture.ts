// Folds a picture until a person can read it: first whole groups, deepest and largest first, then long chains of single
// tasks, then tasks with equal needs and dependents, then all nodes of one depth.
//
// fold/F4. Nothing is folded while the picture is small enough, and no more than necessary within one kind of fold.
// fold/F5. Parts that the caller wants expanded stay visible, even when the picture stays too large.
// fold/F6. Every folded node states how many parts it represents, and these numbers add up to the whole.

import type { Picture, PictureOptions } from './picture.ts';
import { foldChains } from './fold-chains.ts';
import { foldGroups } from './fold-groups.ts';
import { foldLayers } from './fold-layers.ts';
import { foldTwins } from './fold-twins.ts';
import { mergeEdges } from './merge-nodes.ts';
import type { FoldLimit } from './merge-nodes.ts';

const FOLD_OVER_DEFAULT = 60;

export function foldPicture(picture: Picture, options: PictureOptions): Picture {
  const limit: FoldLimit = {
    nodesMax: Math.max(1, options.foldOver ?? FOLD_OVER_DEFAULT),
    expand: options.expand ?? new Set(),
  };
  const plain = { ...picture, edges: mergeEdges(picture.edges, (id) => id) };
  if (options.all === true) return plain;
  let folded: Picture = plain;
  for (const fold of [foldGroups, foldChains, foldTwins, foldLayers]) {
    if (folded.nodes.length > limit.nodesMax) folded = fold(folded, limit);
  }
  return folded;
}

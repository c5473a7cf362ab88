// Which way a picture reads best: downwards, unless it is so much wider than deep that it would not fit a page.

import { depthsOf } from './depth.ts';
import type { Direction, Picture } from './picture.ts';

/** Boxes side by side that a page still shows at a readable size. */
const ABREAST_MAX = 7;

export function chooseDirection(picture: Picture): Direction {
  const indexes = new Map(picture.nodes.map((node, index) => [node.id, index]));
  const arrows = picture.edges.flatMap((edge) => {
    const from = indexes.get(edge.from);
    const to = indexes.get(edge.to);
    return from === undefined || to === undefined ? [] : [{ from, to }];
  });
  const { depth } = depthsOf(picture.nodes.length, arrows);
  const abreast = new Map<number, number>();
  for (const level of depth) abreast.set(level, (abreast.get(level) ?? 0) + 1);
  const widest = [...abreast.values()].reduce((most, count) => Math.max(most, count), 0);
  return widest > ABREAST_MAX && widest > abreast.size ? 'right' : 'down';
}

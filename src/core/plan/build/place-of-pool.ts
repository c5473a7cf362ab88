// Finds the text of a step's demand for a pool. A step takes its own demand and that of its task, under `pool` or
// `pools`, as a name, a list or a map; the checked plan holds only the sum.

import type { SourcePath } from '../diagnostic.ts';
import { nodeAt } from '../source/source-node.ts';
import type { SourceNode } from '../source/source-node.ts';

/** From the path of a demand, `….pools.<pool>` or `….hold.<pool>`, to the path of the words that make it; itself if there are none. */
export function placeOfPool(root: SourceNode, path: SourcePath): SourcePath {
  const pool = String(path.at(-1));
  const step = path.slice(0, -2);
  const bases = step.at(-2) === 'steps' ? [step, step.slice(0, -2)] : [step];
  for (const base of bases) {
    for (const key of path.at(-2) === 'hold' ? ['hold'] : ['pools', 'pool']) {
      const found = demandIn(nodeAt(root, [...base, key]), pool);
      if (found !== undefined) return [...base, key, ...found];
    }
  }
  return path;
}

function demandIn(node: SourceNode | undefined, pool: string): SourcePath | undefined {
  if (node?.type === 'map') return node.entries.some(({ key }) => key === pool) ? [pool] : undefined;
  if (node?.type === 'scalar') return node.value === pool ? [] : undefined;
  const place = node?.items.findIndex((item) => item.type === 'scalar' && item.value === pool) ?? -1;
  return place < 0 ? undefined : [place];
}

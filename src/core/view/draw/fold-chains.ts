// Folds the middle of long chains: nodes of one group, each of which only leads to the next.

import type { Picture, PictureNode } from './picture.ts';
import { countUnits, mergeNodes } from './merge-nodes.ts';
import type { FoldLimit, NodeMerge } from './merge-nodes.ts';

/** A shorter chain is as clear as its fold. */
const CHAIN_MIN = 4;

export function foldChains(picture: Picture, limit: FoldLimit): Picture {
  let surplus = picture.nodes.length - limit.nodesMax;
  const merges: NodeMerge[] = [];
  const chains = chainsOf(picture, limit.expand).filter((chain) => chain.length >= CHAIN_MIN);
  for (const chain of chains.sort((one, other) => other.length - one.length)) {
    if (surplus <= 0) break;
    const taken = Math.min(chain.length - 2, surplus + 1);
    const start = Math.floor((chain.length - taken) / 2);
    const parts = chain.slice(start, start + taken);
    merges.push({ node: foldedNode(picture, parts, 'in a row'), parts: parts.map((node) => node.id) });
    surplus -= taken - 1;
  }
  return mergeNodes(picture, merges);
}

/** One node for several of the same group; `where` ends its label. */
export function foldedNode(picture: Picture, parts: readonly PictureNode[], where: string): PictureNode {
  const standsFor = parts.reduce((sum, node) => sum + node.standsFor, 0);
  const label = [`… ${countUnits(picture, standsFor)} ${where}`, ...namesOf(parts)];
  const optional = parts.every((node) => node.optional);
  return { id: parts[0]?.id ?? '', label, kind: 'folded', group: parts[0]?.group, optional, standsFor };
}

/** Some of the names, so that a reader knows where to look. */
function namesOf(parts: readonly PictureNode[]): string[] {
  const names = parts.filter((node) => node.kind !== 'folded').map((node) => node.label[0] ?? '');
  const [first] = names;
  const last = names.at(-1);
  if (first === undefined || last === undefined) return [];
  return [first === last ? `${first} and others` : `${first} … ${last}`];
}

function chainsOf(picture: Picture, expand: ReadonlySet<string>): PictureNode[][] {
  const next = onlyNeighbours(picture, (edge) => [edge.from, edge.to]);
  const previous = onlyNeighbours(picture, (edge) => [edge.to, edge.from]);
  const nodes = new Map(picture.nodes.map((node) => [node.id, node]));
  const follower = (node: PictureNode): PictureNode | undefined => {
    const found = nodes.get(next.get(node.id) ?? '');
    if (found === undefined || previous.get(found.id) !== node.id) return undefined;
    return found.group === node.group && !expand.has(found.id) && !expand.has(node.id) ? found : undefined;
  };
  const followers = new Set(picture.nodes.map((node) => follower(node)));
  const chains: PictureNode[][] = [];
  for (const first of picture.nodes) {
    if (followers.has(first)) continue;
    const chain = [first];
    for (let at = follower(first); at !== undefined; at = follower(at)) chain.push(at);
    chains.push(chain);
  }
  return chains;
}

type Ends = (edge: Picture['edges'][number]) => readonly [string, string];

/** The only one that each node's edges lead to, where there is only one. */
function onlyNeighbours(picture: Picture, endsOf: Ends): Map<string, string | undefined> {
  const only = new Map<string, string | undefined>();
  for (const edge of picture.edges) {
    const [here, there] = endsOf(edge);
    only.set(here, only.has(here) && only.get(here) !== there ? undefined : there);
  }
  return only;
}

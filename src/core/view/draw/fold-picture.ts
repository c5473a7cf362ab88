// Folds a picture until a person can read it: first whole groups, deepest and largest first, then long chains of single
// tasks, then tasks with equal needs and dependents, then all nodes of one depth.
//
// fold/F4. Nothing is folded while the picture is small enough, and no more than necessary within one kind of fold.
// fold/F5. Parts that the caller wants expanded stay visible, even when the picture stays too large.
// fold/F6. Every folded node states how many parts it represents, and these numbers add up to the whole.

import { addToList, type Picture, type PictureNode, type PictureOptions } from './picture.ts';
import { foldGroups } from './fold-groups.ts';
import { countUnits, mergeEdges, mergeNodes, type FoldLimit, type NodeMerge } from './merge-nodes.ts';
import { depthsOf } from './depth.ts';

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

function foldLayers(picture: Picture, limit: FoldLimit): Picture {
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

const TWINS_MIN = 3;

function foldTwins(picture: Picture, limit: FoldLimit): Picture {
  const twins = twinsOf(picture).map((nodes) => nodes.filter((node) => !limit.expand.has(node.id)));
  return foldLast(picture, {
    sets: twins.filter((nodes) => nodes.length >= TWINS_MIN),
    limit,
    where: 'with the same needs',
  });
}

interface FoldLast {
  readonly sets: readonly (readonly PictureNode[])[];
  readonly limit: FoldLimit;
  readonly where: string;
}

/** Folds the last nodes of each set, the largest set first, and leaves at least the first of each. */
function foldLast(picture: Picture, { sets, limit, where }: FoldLast): Picture {
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

/** A shorter chain is as clear as its fold. */
const CHAIN_MIN = 4;

function foldChains(picture: Picture, limit: FoldLimit): Picture {
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
function foldedNode(picture: Picture, parts: readonly PictureNode[], where: string): PictureNode {
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

// Arranges leaves in a tree that follows the folders, as deep as the project is large.
//
// arrange/R1. Every leaf is in the tree once. No branch has a single child, except the root.
// arrange/R2. A project of fewer than 50 files is a plain list.
// arrange/R3. Below the deepest level that is left, leaves are a plain list, so that a plan never nests too deeply.

import { itemAt, byText } from './source-file.ts';

export interface LeafPlace {
  readonly folder: readonly string[];
  readonly paths: readonly string[];
}

export type Arranged =
  | { readonly type: 'leaf'; readonly leaf: number }
  | {
      readonly type: 'branch';
      readonly folder: readonly string[];
      /** Some of a folder's many children, and not a folder of its own. */
      readonly isRun: boolean;
      readonly children: readonly Arranged[];
    };

type ArrangedBranch = Extract<Arranged, { type: 'branch' }>;

const FLAT_BELOW_FILES = 50;
/** A folder of fewer leaves is not worth a level of its own. */
const BRANCH_LEAVES_MIN = 3;
/** The number of items that a person grasps at a glance. */
const CHILDREN_MAX = 16;
/** Fewer than fit, so that a new group is not full at once. */
const RUN_LENGTH = 12;
/** A plan nests up to 16 deep; the remaining levels are for a plan that includes this one. */
const DEPTH_MAX = 12;

/** Leaves by number, in the order of their paths. */
export function arrange(leaves: readonly LeafPlace[]): readonly Arranged[] {
  const all = leaves.map((_, leaf): Arranged => ({ type: 'leaf', leaf }));
  const files = leaves.reduce((count, { paths }) => count + paths.length, 0);
  if (files < FLAT_BELOW_FILES) return all;
  const numbers = leaves.map((_, leaf) => leaf);
  const top = branchOf(leaves, { folder: [], held: numbers });
  return limitDepth(top.children, 1);
}

interface ArrangedPart {
  readonly folder: readonly string[];
  readonly held: readonly number[];
}

function branchOf(leaves: readonly LeafPlace[], { folder, held }: ArrangedPart): ArrangedBranch {
  const inner = new Map<string, number[]>();
  const children: { readonly key: string; readonly child: Arranged }[] = [];
  for (const leaf of held) {
    const place = itemAt(leaves, leaf);
    const name = place.folder[folder.length];
    const own = name === undefined ? undefined : inner.get(name);
    if (own !== undefined) own.push(leaf);
    else if (name !== undefined) inner.set(name, [leaf]);
    else children.push({ key: place.paths[0] ?? '', child: { type: 'leaf', leaf } });
  }
  for (const [name, own] of inner) {
    const branch = branchOf(leaves, { folder: [...folder, name], held: own });
    const isSmall = own.length < BRANCH_LEAVES_MIN;
    const spread = isSmall ? own.map((leaf): Arranged => ({ type: 'leaf', leaf })) : [branch];
    for (const child of spread) children.push({ key: keyOf(leaves, child), child });
  }
  const sorted = children.sort((one, other) => byText(one.key, other.key)).map(({ child }) => child);
  const [only] = sorted;
  // A folder whose only content is one folder is replaced by that folder.
  if (sorted.length === 1 && only?.type === 'branch') return only;
  return { type: 'branch', folder, isRun: false, children: inRuns(sorted, folder) };
}

/** The first path below it. */
function keyOf(leaves: readonly LeafPlace[], child: Arranged): string {
  if (child.type === 'leaf') return itemAt(leaves, child.leaf).paths[0] ?? '';
  return keyOf(leaves, itemAt(child.children, 0));
}

/** More children than fit are grouped in runs of neighbours, and these again. */
function inRuns(children: readonly Arranged[], folder: readonly string[]): readonly Arranged[] {
  if (children.length <= CHILDREN_MAX) return children;
  const count = Math.ceil(children.length / RUN_LENGTH);
  const runs = Array.from({ length: count }, (_, run): Arranged => {
    const [from, to] = [run, run + 1].map((each) => Math.round((each * children.length) / count));
    return { type: 'branch', folder, isRun: true, children: children.slice(from, to) };
  });
  return inRuns(runs, folder);
}

function limitDepth(children: readonly Arranged[], depth: number): readonly Arranged[] {
  if (depth >= DEPTH_MAX) return children.flatMap(leavesIn);
  return children.map((child) =>
    child.type === 'leaf' ? child : { ...child, children: limitDepth(child.children, depth + 1) },
  );
}

function leavesIn(child: Arranged): readonly Arranged[] {
  return child.type === 'leaf' ? [child] : child.children.flatMap(leavesIn);
}

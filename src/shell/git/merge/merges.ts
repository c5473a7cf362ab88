// Merges in memory: `merge-tree` finds the tree, `commit-tree` makes the commit, no checkout is touched. Histories with
// several merge bases are merged as `git merge` merges them.
//
// M3. A merge is a pure function of the commits, the message and the date: done again it gives the same ids.
import { troubleAsValue } from '../run/git-trouble.ts';
import { troubleWith } from '../run/git.ts';
import type { Git } from '../run/git.ts';
import type { Objects } from '../store/objects.ts';
import type { Attributes } from './attributes.ts';
import type { ChainOrder, ChainOutcome, MergeOrder, MergeOutcome, TreesMerged, TreesOrder } from './merge-outcome.ts';
import { conflictOf, readMergeTree } from './read-merge-tree.ts';
import type { Resolutions } from './resolutions.ts';

export interface Merges {
  readonly mergeOnto: (order: MergeOrder) => Promise<MergeOutcome>;
  readonly mergeTrees: (order: TreesOrder) => Promise<TreesMerged>;
  readonly mergeAll: (order: ChainOrder) => Promise<ChainOutcome>;
  /** What merging two commits would bring; no commit is made. */
  readonly foresee: (ours: string, theirs: string) => Promise<TreesMerged>;
}

export interface MergeWorld {
  readonly git: Git;
  readonly objects: Objects;
  readonly attributes: Attributes;
  readonly resolutions: Resolutions;
}

export function mergesIn(world: MergeWorld): Merges {
  return {
    mergeOnto: async (order) => troubleAsValue(async () => mergeOnto(world, order)),
    mergeTrees: async (order) => troubleAsValue(async () => mergeTrees(world, order)),
    mergeAll: async (order) => troubleAsValue(async () => mergeAll(world, order)),
    foresee: async (ours, theirs) =>
      troubleAsValue(async () => mergeCommits(world, { ours, theirs, usesResolutions: true })),
  };
}

async function mergeOnto(world: MergeWorld, order: MergeOrder): Promise<MergeOutcome> {
  const { onto, tip, message, at, usesResolutions } = order;
  const { objects } = world;
  const [merged, treeBefore] = await Promise.all([
    mergeCommits(world, { ours: onto, theirs: tip, usesResolutions }),
    objects.treeOf(onto),
  ]);
  if (merged.type !== 'merged') return merged;
  // A tip that is contained changes nothing; the question is only put when nothing changed.
  if (merged.tree === treeBefore && (await objects.isAncestor(tip, onto))) return { type: 'unchanged' };
  const commit = await objects.commitTree({ tree: merged.tree, parents: [onto, tip], message, at });
  return { type: 'merged', commit, tree: merged.tree, resolved: merged.resolved };
}

/** This git takes no base from outside, so the three trees get a history that has this base alone. */
async function mergeTrees(
  world: MergeWorld,
  { base, ours, theirs, usesResolutions }: TreesOrder,
): Promise<TreesMerged> {
  const { objects } = world;
  const commitOf = async (tree: string, parents: readonly string[]): Promise<string> =>
    objects.commitTree({ tree: await objects.treeOf(tree), parents, message: 'For a merge of trees', at: 0 });
  const root = await commitOf(base, []);
  const [one, other] = await Promise.all([commitOf(ours, [root]), commitOf(theirs, [root])]);
  return mergeCommits(world, { ours: one, theirs: other, usesResolutions });
}

interface Sides {
  readonly ours: string;
  readonly theirs: string;
  readonly usesResolutions: boolean;
}

async function mergeCommits(world: MergeWorld, { ours, theirs, usesResolutions }: Sides): Promise<TreesMerged> {
  const { git, attributes, resolutions } = world;
  const workTree = await attributes.folderFor(ours);
  const args = ['merge-tree', '--write-tree', '-z', '--messages', ours, theirs];
  const answer = await git.ask(args, workTree === undefined ? {} : { workTree });
  if (answer.code > 1) throw troubleWith({ gitDir: git.gitDir, args, answer });
  const printed = readMergeTree(answer.output);
  if (answer.code === 0) return { type: 'merged', tree: printed.tree, resolved: [] };
  const settled = usesResolutions ? await resolutions.settle(printed) : undefined;
  return settled === undefined ? conflictOf(printed) : { type: 'merged', ...settled };
}

async function mergeAll(world: MergeWorld, { base, links, at, usesResolutions }: ChainOrder): Promise<ChainOutcome> {
  const { attributes } = world;
  const isPlain = await attributes.areKept(
    base,
    links.map(({ tip }) => tip),
  );
  const commits: string[] = [];
  let onto = base;
  for (const [index, { tip, message }] of links.entries()) {
    const outcome = await mergeOnto(world, { onto, tip, message, at, usesResolutions });
    if (outcome.type === 'failed') return outcome;
    if (outcome.type === 'conflict') return { type: 'conflict', at: index, commit: onto, commits, conflict: outcome };
    if (outcome.type === 'merged') {
      if (isPlain) attributes.inherit(onto, outcome.commit);
      onto = outcome.commit;
    }
    commits.push(onto);
  }
  return { type: 'merged', commit: onto, commits };
}

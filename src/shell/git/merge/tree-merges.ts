// Merges in memory: `merge-tree` computes the tree, `commit-tree` writes the commit, no checkout is touched. Histories
// with several merge bases are merged as `git merge` does.
//
// tree-merges/M3. A merge is a pure function of the commits, the message and the date: repeated, it gives the same ids.
import type { TakeRule } from '../../../core/plan/plan.ts';
import { errorAsValue } from '../run/git-error.ts';
import { gitErrorOf } from '../run/git.ts';
import type { Git } from '../run/git.ts';
import type { Objects } from '../store/objects.ts';
import type { MergeAttributes } from './attributes.ts';
import type {
  ChainRequest,
  ChainOutcome,
  TreeMergeRequest,
  MergeOutcome,
  TreesMerged,
  TreesMergeRequest,
} from './merge-outcome.ts';
import { writeConflict } from './write-conflict.ts';
import type { WriteOutcome, Sides } from './write-conflict.ts';
import { learn } from './learn-resolutions.ts';
import type { LearnRequest } from './learn-resolutions.ts';
import { conflictOf, readMergeTree } from './read-merge-tree.ts';
import type { MergePrinted } from './read-merge-tree.ts';
import type { Resolutions } from './resolutions.ts';

export interface Merges {
  readonly mergeOnto: (request: TreeMergeRequest) => Promise<MergeOutcome>;
  readonly mergeTrees: (request: TreesMergeRequest) => Promise<TreesMerged>;
  readonly mergeAll: (request: ChainRequest) => Promise<ChainOutcome>;
  /** The result of merging two commits; no commit is made. */
  readonly foresee: (ours: string, theirs: string, take?: readonly TakeRule[]) => Promise<TreesMerged>;
  /** Writes both sides of a conflict into one tree, to be resolved there. */
  readonly writeConflict: (sides: Sides) => Promise<WriteOutcome>;
  /** Remembers how the conflicts of a task were resolved; returns their paths. */
  readonly learn: (request: LearnRequest) => Promise<readonly string[]>;
}

export interface MergeWorld {
  readonly git: Git;
  readonly objects: Objects;
  readonly attributes: MergeAttributes;
  readonly resolutions: Resolutions;
}

export function treeMerges(world: MergeWorld): Merges {
  return {
    mergeOnto: async (request) => errorAsValue(async () => mergeOnto(world, request)),
    mergeTrees: async (request) => errorAsValue(async () => mergeTrees(world, request)),
    mergeAll: async (request) => errorAsValue(async () => mergeAll(world, request)),
    foresee: async (ours, theirs, take) =>
      errorAsValue(async () => mergeCommits(world, { ours, theirs, usesResolutions: true, take })),
    writeConflict: async (sides) =>
      errorAsValue(async () => writeConflict(world, sides, (await printMerge(world, sides, WITH_BASE)).printed)),
    learn: async (request) => {
      const { git, resolutions } = world;
      const merge = async (sides: Sides): Promise<TreesMerged> =>
        mergeCommits(world, { ...sides, usesResolutions: false });
      return learn({ git, resolutions, merge }, request);
    },
  };
}

async function mergeOnto(world: MergeWorld, request: TreeMergeRequest): Promise<MergeOutcome> {
  const { onto, tip, message, at, usesResolutions, take } = request;
  const { objects } = world;
  const [merged, treeBefore] = await Promise.all([
    mergeCommits(world, { ours: onto, theirs: tip, usesResolutions, take }),
    objects.treeOf(onto),
  ]);
  if (merged.type !== 'merged') return merged;
  // A tip that is contained changes nothing, so ancestry is checked only when the tree is unchanged.
  if (merged.tree === treeBefore && (await objects.isAncestor(tip, onto))) return { type: 'unchanged' };
  const commit = await objects.commitTree({ tree: merged.tree, parents: [onto, tip], message, at });
  return { type: 'merged', commit, tree: merged.tree, resolved: merged.resolved };
}

/** `merge-tree` takes no base from outside, so the three trees get a history in which this is the only base. */
async function mergeTrees(
  world: MergeWorld,
  { base, ours, theirs, usesResolutions, take }: TreesMergeRequest,
): Promise<TreesMerged> {
  const { objects } = world;
  const commitOf = async (tree: string, parents: readonly string[]): Promise<string> =>
    objects.commitTree({ tree: await objects.treeOf(tree), parents, message: 'For a merge of trees', at: 0 });
  const root = await commitOf(base, []);
  const [one, other] = await Promise.all([commitOf(ours, [root]), commitOf(theirs, [root])]);
  return mergeCommits(world, { ours: one, theirs: other, usesResolutions, take });
}

interface Settling extends Sides, Pick<TreesMergeRequest, 'usesResolutions' | 'take'> {}

async function mergeCommits(world: MergeWorld, settling: Settling): Promise<TreesMerged> {
  const { ours, theirs, usesResolutions, take = [] } = settling;
  const { isClean, printed } = await printMerge(world, { ours, theirs }, []);
  if (isClean) return { type: 'merged', tree: printed.tree, resolved: [] };
  const settled = await world.resolutions.settle(printed, { usesResolutions, take });
  return settled === undefined ? conflictOf(printed) : { type: 'merged', ...settled };
}

/** Shows the common ancestor between the markers. */
const WITH_BASE: readonly string[] = ['merge.conflictStyle=diff3'];

interface Printed {
  readonly isClean: boolean;
  readonly printed: MergePrinted;
}

async function printMerge(
  { git, attributes }: MergeWorld,
  { ours, theirs }: Sides,
  settings: readonly string[],
): Promise<Printed> {
  const workTree = await attributes.folderFor(ours);
  const args = ['merge-tree', '--write-tree', '-z', '--messages', ours, theirs];
  const answer = await git.ask(args, workTree === undefined ? { settings } : { workTree, settings });
  if (answer.code > 1) throw gitErrorOf({ gitDir: git.gitDir, args, answer });
  return { isClean: answer.code === 0, printed: readMergeTree(answer.output) };
}

async function mergeAll(world: MergeWorld, request: ChainRequest): Promise<ChainOutcome> {
  const { base, links, at, usesResolutions, take } = request;
  const { attributes } = world;
  const isPlain = await attributes.areKept(
    base,
    links.map(({ tip }) => tip),
  );
  const commits: string[] = [];
  let onto = base;
  for (const [index, { tip, message }] of links.entries()) {
    const outcome = await mergeOnto(world, { onto, tip, message, at, usesResolutions, take });
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

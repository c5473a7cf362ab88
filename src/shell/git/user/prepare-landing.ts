// Builds the commit to land on a target in memory; moves nothing except to repair a killed landing.
import type { Author } from '../../../core/engine/event.ts';
import type { TakeRule } from '../../../core/plan/plan.ts';
import { errorAsValue, refusedBy, type GitFailed, type GitRefused } from '../run/git-error.ts';
import type { Git } from '../run/git.ts';
import type { Merges } from '../merge/tree-merges.ts';
import type { TreesMerged } from '../merge/merge-outcome.ts';
import type { Objects } from '../store/objects.ts';
import { readRef } from '../store/refs.ts';
import { repairLanding } from './repair-landing.ts';

export interface LandingRequest {
  /** The commit to land, in the integration repository. */
  readonly commit: string;
  /** A branch of the user's, without `refs/heads/`. */
  readonly target: string;
  /** `auto` is a fast-forward where the target has not moved, and a merge where it has. */
  readonly how: 'auto' | 'fast-forward' | 'merge' | 'squash';
  readonly message: string;
  readonly at: number;
  /** Files that never conflict; the task's side is that of the run. */
  readonly take?: readonly TakeRule[] | undefined;
  /** Of the commit that a merge or a squash makes; Heddle itself where no person is named. */
  readonly author?: Author | undefined;
}

export type LandingReady =
  /** `commit` is the target's new commit; its tree is the run's, which was checked, unless the target `hasMoved`. */
  | {
      readonly type: 'ready';
      readonly commit: string;
      readonly tree: string;
      readonly from: string;
      readonly hasMoved: boolean;
    }
  /** The target contains everything already. */
  | { readonly type: 'landed'; readonly commit: string }
  /** The target has moved, and conflicts with the run in these paths. */
  | { readonly type: 'conflict'; readonly paths: readonly string[] }
  | GitRefused
  | GitFailed;

interface World {
  /** Heddle's folder, `.heddle`. */
  readonly home: string;
  readonly users: Git;
  readonly objects: Objects;
  readonly merges: Merges;
}

export const prepareLanding = async (world: World, request: LandingRequest): Promise<LandingReady> =>
  errorAsValue(async () => prepare(world, request));

async function prepare(world: World, request: LandingRequest): Promise<LandingReady> {
  const { users, objects } = world;
  const { commit, target, how, message, at, take, author } = request;
  const obstructed = await repairLanding(world, `refs/heads/${target}`);
  if (obstructed !== undefined) return refusedBy(obstructed);
  const from = await readRef(users, `refs/heads/${target}`);
  if (from === undefined) return refusedBy({ code: 'target-missing', target });
  if (await objects.isAncestor(commit, from)) return { type: 'landed', commit: from };
  const isBehind = await objects.isAncestor(from, commit);
  if (how === 'fast-forward' && !isBehind) return refusedBy({ code: 'target-ahead', target });
  if (how === 'fast-forward' || (how === 'auto' && isBehind))
    return { type: 'ready', commit, tree: await objects.treeOf(commit), from, hasMoved: false };
  const merged = isBehind ? await asItIs(objects, commit) : await mergeInto(world, { from, commit, take });
  if (merged.type === 'failed') return merged;
  if (merged.type === 'conflict') return { type: 'conflict', paths: merged.paths.map(({ path }) => path) };
  // A squash leaves no trace of the run in the history; only the tree shows that everything is there already.
  if (how === 'squash' && merged.tree === (await objects.treeOf(from))) return { type: 'landed', commit: from };
  const isSquash = how === 'squash';
  const parents = isSquash ? [from] : [from, commit];
  const words = isSquash ? `${message.trimEnd()}\n\n${SIGNATURE}: ${commit}\n` : message;
  const made = await objects.commitTree({ tree: merged.tree, parents, message: words, at, author });
  const hasMoved = merged.tree !== (await objects.treeOf(commit));
  return { type: 'ready', commit: made, tree: merged.tree, from, hasMoved };
}

const asItIs = async (objects: Objects, commit: string): Promise<TreesMerged> => ({
  type: 'merged',
  tree: await objects.treeOf(commit),
  resolved: [],
});

/** Names the commit of the run that a squash landed. */
const SIGNATURE = 'Heddle-Lands';

interface PathOverlap {
  readonly from: string;
  readonly commit: string;
  readonly take: readonly TakeRule[] | undefined;
}

/** Work that an earlier squash landed is common to both sides, though the history does not show it. */
async function mergeInto({ objects, merges, users }: World, { from, commit, take }: PathOverlap): Promise<TreesMerged> {
  const base = await squashedBefore({ objects, users }, { from, commit });
  if (base === undefined) return merges.foresee(from, commit, take);
  return merges.mergeTrees({ base, ours: from, theirs: commit, usesResolutions: true, take });
}

/** Commits of the target that are searched for earlier squashes. */
const COMMITS_MAX = 2_000;

async function squashedBefore(
  { objects, users }: Pick<World, 'objects' | 'users'>,
  { from, commit }: Omit<PathOverlap, 'take'>,
): Promise<string | undefined> {
  const format = `--format=%(trailers:key=${SIGNATURE},valueonly)`;
  const listed = await users.line(['log', `--max-count=${COMMITS_MAX}`, `--grep=^${SIGNATURE}: `, format, from]);
  for (const name of listed.split('\n').filter((line) => line !== '')) {
    const landed = await objects.commitOf(name);
    if (landed !== undefined && (await objects.isAncestor(landed, commit))) return landed;
  }
  return undefined;
}

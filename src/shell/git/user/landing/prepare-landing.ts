// Builds what a target of the user's would become, in memory; moves nothing but what a killed landing left half moved.
import { troubleAsValue } from '../../run/git-trouble.ts';
import type { Git } from '../../run/git.ts';
import type { Merges } from '../../merge/merges.ts';
import type { TreesMerged } from '../../merge/merge-outcome.ts';
import type { Objects } from '../../store/objects.ts';
import { readRef } from '../../store/refs.ts';
import { mendLanding } from './mend-landing.ts';

export interface LandingOrder {
  /** What to land: a commit that the integration repository has. */
  readonly commit: string;
  /** A branch of the user's, without `refs/heads/`. */
  readonly target: string;
  readonly how: 'fast-forward' | 'merge' | 'squash';
  readonly message: string;
  readonly at: number;
}

export type LandingReady =
  /** `commit` is what the target would become; its tree was checked already unless the target `hasMoved`. */
  | {
      readonly type: 'ready';
      readonly commit: string;
      readonly tree: string;
      readonly from: string;
      readonly hasMoved: boolean;
    }
  /** The target has it all already. */
  | { readonly type: 'landed'; readonly commit: string }
  | { readonly type: 'conflict'; readonly paths: readonly string[]; readonly message: string }
  | { readonly type: 'refused'; readonly message: string }
  | { readonly type: 'failed'; readonly message: string };

interface World {
  /** Heddle's folder, `.heddle`. */
  readonly home: string;
  readonly users: Git;
  readonly objects: Objects;
  readonly merges: Merges;
}

export const prepareLanding = async (world: World, order: LandingOrder): Promise<LandingReady> =>
  troubleAsValue(async () => prepare(world, order));

async function prepare(world: World, order: LandingOrder): Promise<LandingReady> {
  const { users, objects, merges } = world;
  const { commit, target, how, message, at } = order;
  const unmended = await mendLanding(world, `refs/heads/${target}`);
  if (unmended !== undefined) return { type: 'refused', message: unmended };
  const from = await readRef(users, `refs/heads/${target}`);
  if (from === undefined)
    return { type: 'refused', message: `There is no branch ${target} to land on; make it first.` };
  if (await objects.isAncestor(commit, from)) return { type: 'landed', commit: from };
  const hasMoved = !(await objects.isAncestor(from, commit));
  if (how === 'fast-forward') {
    if (hasMoved)
      return { type: 'refused', message: `${target} has commits that the run has not; land by a merge instead.` };
    return { type: 'ready', commit, tree: await objects.treeOf(commit), from, hasMoved };
  }
  const merged: TreesMerged = hasMoved
    ? await merges.foresee(from, commit)
    : { type: 'merged', tree: await objects.treeOf(commit), resolved: [] };
  if (merged.type === 'failed') return merged;
  if (merged.type === 'conflict') {
    const paths = merged.paths.map(({ path }) => path);
    return {
      type: 'conflict',
      paths,
      message: `${target} has moved and conflicts with the run in ${paths.join(', ')}.`,
    };
  }
  // A squash leaves no trace in history; that everything is there already shows in the tree alone.
  if (how === 'squash' && merged.tree === (await objects.treeOf(from))) return { type: 'landed', commit: from };
  const parents = how === 'merge' ? [from, commit] : [from];
  const made = await objects.commitTree({ tree: merged.tree, parents, message, at });
  return { type: 'ready', commit: made, tree: merged.tree, from, hasMoved };
}

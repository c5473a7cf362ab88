// Lands a run: the only move of a branch of the user's.
//
// land-branch/L1. The target moves by one compare-and-swap, from the commit that the landing was prepared on.
// land-branch/L2. A checked-out target is moved only together with its checkout, and only when the user asked for that.
// land-branch/L3. A landing that is killed at any moment is repaired by the next on that branch: it writes down its
//     intent beforehand.
import type { GitFailure } from '../../../core/protocol/git-failure.ts';
import { errorAsValue, refusedBy, type GitFailed, type GitRefused } from '../run/git-error.ts';
import { gitAt } from '../run/git.ts';
import { readRef, swapRef } from '../store/refs.ts';
import type { Objects } from '../store/objects.ts';
import { copyObjects, type Both } from './publish.ts';
import { bringAlong, checkoutsOf, gitOfCheckout, obstacleIn, showsExactly } from './checkouts.ts';
import { removeLandingNote, writeLandingNote, repairLanding } from './repair-landing.ts';

export interface Landing {
  /** A branch of the user's, without `refs/heads/`. */
  readonly target: string;
  /** The expected commit of the target, from `prepareLanding`. */
  readonly from: string;
  readonly to: string;
  /** Whether a checkout of the target may be updated; otherwise a checked-out target is refused. */
  readonly updatesCheckout: boolean;
}

export type Landed =
  /** `checkout` is the folder that was updated. */
  | { readonly type: 'landed'; readonly commit: string; readonly checkout: string | undefined }
  | { readonly type: 'moved'; readonly at: string | undefined }
  | GitRefused
  | GitFailed;

interface World extends Both {
  /** Heddle's folder, `.heddle`. */
  readonly home: string;
  readonly objects: Objects;
}

export const landBranch = async (world: World, landing: Landing): Promise<Landed> =>
  errorAsValue(async () => {
    const { users, ours, home } = world;
    const ref = `refs/heads/${landing.target}`;
    const obstructed = await repairLanding(world, ref);
    if (obstructed !== undefined) return refusedBy(obstructed);
    const at = await readRef(users, ref);
    if (at === landing.to) return { type: 'landed', commit: landing.to, checkout: undefined };
    if (at !== landing.from) return { type: 'moved', at };
    const [shown, second] = (await checkoutsOf(users)).filter(({ branch }) => branch === ref);
    const { target } = landing;
    if (second !== undefined) return refusedBy({ code: 'target-checked-out-twice', target });
    if (shown !== undefined && !landing.updatesCheckout)
      return refusedBy({ code: 'target-checked-out', target, folder: shown.folder });
    const obstacle = shown === undefined ? undefined : await obstacleTo(world, landing, shown.folder);
    if (obstacle !== undefined) return refusedBy(obstacle);
    await copyObjects(users, ours.gitDir, landing.to);
    await writeLandingNote(home, { ref, from: landing.from, to: landing.to, folder: shown?.folder });
    const landed =
      shown === undefined
        ? await moveAlone(world, landing, ref)
        : await moveWith(landing, { ref, folder: shown.folder });
    await removeLandingNote(home, ref);
    return landed;
  });

/** A checkout that shows the landed commit already is not in the way. */
async function obstacleTo({ objects }: World, { from, to }: Landing, folder: string): Promise<GitFailure | undefined> {
  return (await showsExactly(folder, to)) ? undefined : obstacleIn(objects, { folder, from, to });
}

/** With the user's settings, so that the reflog has the user's name. */
async function moveAlone({ users }: World, { from, to }: Landing, ref: string): Promise<Landed> {
  const swapped = await swapRef(gitAt(users.gitDir, 'users'), { ref, from, to });
  return swapped.type === 'swapped' ? { type: 'landed', commit: to, checkout: undefined } : swapped;
}

interface Shown {
  readonly ref: string;
  readonly folder: string;
}

/**
 * Files first: a kill in between leaves changes that the user sees, and never a branch that seems to undo the landing.
 */
async function moveWith({ from, to }: Landing, { ref, folder }: Shown): Promise<Landed> {
  const trouble = (await showsExactly(folder, to)) ? undefined : await bringAlong({ folder, from, to });
  if (trouble !== undefined) return refusedBy(trouble);
  const swapped = await swapRef(await gitOfCheckout(folder), { ref, from, to });
  if (swapped.type === 'swapped') return { type: 'landed', commit: to, checkout: folder };
  const isBack = (await bringAlong({ folder, from: to, to: from })) === undefined;
  return isBack ? swapped : { type: 'failed', failure: { code: 'target-moved', ref, folder } };
}

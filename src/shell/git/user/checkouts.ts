// The user's checkouts: their branches, and updating a clean one when the user asked for it.
//
// checkouts/U1. A checkout is updated only from exactly the commit that it shows, without local changes, and no
//     untracked file is overwritten, not even an ignored one.
import type { GitFailure } from '../../../core/protocol/git-failure.ts';
import { existsSync, lstatSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { join } from 'node:path';
import { gitAt, partsOf } from '../run/git.ts';
import type { Git } from '../run/git.ts';
import type { Objects } from '../store/objects.ts';

export interface Checkout {
  readonly folder: string;
  /** With `refs/heads/`; undefined for a detached HEAD. */
  readonly branch: string | undefined;
}

/** The user's own and all linked ones. */
export async function checkoutsOf(users: Git): Promise<readonly Checkout[]> {
  const parts = partsOf(await users.must(['worktree', 'list', '--porcelain', '-z']));
  const checkouts: Checkout[] = [];
  let lines: string[] = [];
  for (const part of [...parts, '']) {
    if (part !== '') {
      lines.push(part);
      continue;
    }
    const valueOf = (name: string): string | undefined =>
      lines.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1);
    const folder = valueOf('worktree');
    if (folder !== undefined && !lines.includes('bare')) checkouts.push({ folder, branch: valueOf('branch') });
    lines = [];
  }
  return checkouts;
}

/** Unfinished operations of a person. */
const UNFINISHED = ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'rebase-merge', 'rebase-apply'];

export interface Along {
  readonly folder: string;
  readonly from: string;
  readonly to: string;
}

/** Git for a checkout, with the user's own settings, because its filters have to run. */
export async function gitOfCheckout(folder: string): Promise<Git> {
  const found = await gitAt(join(folder, '.git'), 'users').line(['rev-parse', '--absolute-git-dir'], {
    workTree: folder,
  });
  return gitAt(found, 'users');
}

/** Why this checkout must not be updated; undefined when it may. */
export async function obstacleIn(objects: Objects, { folder, from, to }: Along): Promise<GitFailure | undefined> {
  const git = await gitOfCheckout(folder);
  const file = UNFINISHED.find((name) => existsSync(join(git.gitDir, name)));
  if (file !== undefined) return { code: 'checkout-unfinished', folder, file };
  const status = await git.must(['status', '--porcelain=v1', '-z', '--untracked-files=no'], { workTree: folder });
  const [first] = partsOf(status);
  if (first !== undefined) return { code: 'checkout-changed', folder, path: first.slice(3) };
  const added = (await objects.changedPaths(from, to)).filter(({ change }) => change === 'added');
  const covered = added.find(({ path }) => statsOf(join(folder, path)) !== undefined);
  return covered === undefined ? undefined : { code: 'checkout-untracked', folder, path: covered.path };
}

/** The entry at a path, without following links; undefined when there is none, also because a parent is a file. */
export function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

/** Whether index and files show exactly this commit, as after a landing that was killed before it moved the branch. */
export async function showsExactly(folder: string, commit: string): Promise<boolean> {
  const git = await gitOfCheckout(folder);
  const [index, files] = await Promise.all([
    git.ask(['diff-index', '--cached', '--quiet', commit, '--'], { workTree: folder }),
    git.ask(['diff-files', '--quiet'], { workTree: folder }),
  ]);
  return index.code === 0 && files.code === 0;
}

/** Updates files and index from one commit to another; git refuses when that would lose something. */
export async function bringAlong({ folder, from, to }: Along): Promise<GitFailure | undefined> {
  const git = await gitOfCheckout(folder);
  const { code, stderr } = await git.ask(['read-tree', '-m', '-u', from, to], { workTree: folder });
  return code === 0 ? undefined : { code: 'checkout-not-updated', folder, stderr: stderr.trim() };
}

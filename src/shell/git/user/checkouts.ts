// The user's checkouts: which there are, on which branch, and bringing a clean one along when the user asked for it.
//
// checkouts/U1. A checkout is brought along only from exactly the commit that it shows, with nothing changed in it, and
//     no file that git does not track is overwritten, ignored ones neither.
import { existsSync, lstatSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { join } from 'node:path';
import { gitAt, partsOf } from '../run/git.ts';
import type { Git } from '../run/git.ts';
import type { Objects } from '../store/objects.ts';

export interface Checkout {
  readonly folder: string;
  /** With `refs/heads/`; undefined when it is on none. */
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

/** What a person is in the middle of there. */
const UNFINISHED = ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'rebase-merge', 'rebase-apply'];

export interface Along {
  readonly folder: string;
  readonly from: string;
  readonly to: string;
}

/** The git of a checkout, with the user's own settings: its filters are part of what was asked for. */
export async function gitOfCheckout(folder: string): Promise<Git> {
  const found = await gitAt(join(folder, '.git'), 'users').line(['rev-parse', '--absolute-git-dir'], {
    workTree: folder,
  });
  return gitAt(found, 'users');
}

/** Why this checkout may not be brought along, in a sentence; undefined when it may. */
export async function obstacleIn(objects: Objects, { folder, from, to }: Along): Promise<string | undefined> {
  const git = await gitOfCheckout(folder);
  const unfinished = UNFINISHED.find((name) => existsSync(join(git.gitDir, name)));
  if (unfinished !== undefined)
    return `The checkout at ${folder} is in the middle of something (${unfinished}); finish it first.`;
  const status = await git.must(['status', '--porcelain=v1', '-z', '--untracked-files=no'], { workTree: folder });
  const [first] = partsOf(status);
  if (first !== undefined)
    return `The checkout at ${folder} has changes that are not committed (${first.slice(3)}); commit or stash them first.`;
  const added = (await objects.changedPaths(from, to)).filter(({ change }) => change === 'added');
  const covered = added.find(({ path }) => lookAt(join(folder, path)) !== undefined);
  if (covered === undefined) return undefined;
  return `The checkout at ${folder} has a file "${covered.path}" that git does not track and that landing would overwrite; move it away first.`;
}

/** What is at a path, links not followed; undefined when nothing is, also because a file stands where a folder would. */
export function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

/** Whether index and files show exactly this commit, as a landing leaves them that was killed before it moved the branch. */
export async function showsExactly(folder: string, commit: string): Promise<boolean> {
  const git = await gitOfCheckout(folder);
  const [index, files] = await Promise.all([
    git.ask(['diff-index', '--cached', '--quiet', commit, '--'], { workTree: folder }),
    git.ask(['diff-files', '--quiet'], { workTree: folder }),
  ]);
  return index.code === 0 && files.code === 0;
}

/** Files and index together, from one commit to another; git refuses when that would lose something. */
export async function bringAlong({ folder, from, to }: Along): Promise<string | undefined> {
  const git = await gitOfCheckout(folder);
  const answer = await git.ask(['read-tree', '-m', '-u', from, to], { workTree: folder });
  return answer.code === 0
    ? undefined
    : `The checkout at ${folder} could not be brought along: ${answer.complaint.trim()}`;
}

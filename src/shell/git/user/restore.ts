// Restores any commit of a run, as a branch of the user's or as files in a folder.
//
// restore/E1. Nothing is overwritten: a branch with another commit, and a folder that is not empty, are refused.
// restore/E2. A folder exists whole or not at all: it is filled under another name and renamed.
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorAsValue, refusedBy, type GitFailed, type GitRefused } from '../run/git-error.ts';
import { gitAt } from '../run/git.ts';
import type { Git } from '../run/git.ts';
import { asideOf } from '../store/leftovers.ts';
import { readRef, swapRef } from '../store/refs.ts';
import { copyObjects, type Both } from './publish.ts';

export type RestoreCommit =
  /** Without `refs/heads/`. */
  { readonly commit: string; readonly branch: string } | { readonly commit: string; readonly folder: string };

export type Restored = { readonly type: 'restored' } | GitRefused | GitFailed;

export const restoreCommit = async (both: Both, request: RestoreCommit): Promise<Restored> =>
  errorAsValue(async () =>
    'branch' in request
      ? toBranch(both, request.commit, request.branch)
      : intoFolder(both.ours, request.commit, request.folder),
  );

async function toBranch({ ours, users }: Both, commit: string, branch: string): Promise<Restored> {
  if ((await users.ask(['check-ref-format', '--branch', branch])).code !== 0)
    return refusedBy({ code: 'branch-name', branch });
  const ref = `refs/heads/${branch}`;
  const at = await readRef(users, ref);
  if (at === commit) return { type: 'restored' };
  if (at !== undefined) return refusedBy({ code: 'branch-exists', branch });
  await copyObjects(users, ours.gitDir, commit);
  const swapped = await swapRef(gitAt(users.gitDir, 'users'), { ref, from: undefined, to: commit });
  if (swapped.type === 'moved') return refusedBy({ code: 'branch-exists', branch });
  return swapped.type === 'swapped' ? { type: 'restored' } : swapped;
}

async function intoFolder(ours: Git, commit: string, folder: string): Promise<Restored> {
  if (existsSync(folder) && !(await isEmptyFolder(folder))) return refusedBy({ code: 'path-exists', path: folder });
  const aside = asideOf(folder);
  // Beside the folder, and not in the repository, which may be on a disk that is full or read-only.
  const index = asideOf(`${folder}.index`);
  try {
    await mkdir(dirname(folder), { recursive: true });
    await mkdir(aside);
    const how = { workTree: aside, environment: { GIT_INDEX_FILE: index } };
    await ours.must(['read-tree', commit], how);
    await ours.must(['checkout-index', '--all', '--quiet'], how);
    await rename(aside, folder);
    return { type: 'restored' };
  } finally {
    await rm(index, { force: true });
    await rm(aside, { recursive: true, force: true });
  }
}

async function isEmptyFolder(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).length === 0;
  } catch {
    // Not a folder.
    return false;
  }
}

// Unsafe content in the work of an agent. A symbolic link that leaves the tree makes programs outside the sandbox read
// or write elsewhere; a gitlink makes git look into a repository that the agent wrote.
import type { GitFailure } from '../../../core/protocol/git-failure.ts';
import { posix } from 'node:path';
import { GITLINK, SYMBOLIC_LINK } from './changed-path.ts';
import type { Objects } from './objects.ts';

/** The first unsafe path that a commit adds to its base; undefined when there is none. */
export async function unsafeContentIn(objects: Objects, base: string, commit: string): Promise<GitFailure | undefined> {
  const changed = await objects.changedPaths(base, commit);
  for (const entry of changed) {
    if (entry.modeTo === GITLINK)
      return { code: entry.change === 'modified' ? 'submodule-moved' : 'nested-repository', path: entry.path };
    if (entry.modeTo !== SYMBOLIC_LINK || entry.blobTo === undefined) continue;
    const target = (await objects.contentOf(entry.blobTo)).toString('utf8');
    if (leavesTree(entry.path, target)) return { code: 'link-leaves', path: entry.path, target };
  }
  return undefined;
}

/**
 * A link may first go up, no further than the root of the tree, and then only down. Folders of a tree are real, so
 * going up first is safe; going down may pass other links, each of which stays inside by the same rule. Going up after
 * that is refused: behind a link, `..` is somewhere else.
 */
export function leavesTree(path: string, aim: string): boolean {
  if (posix.isAbsolute(aim) || aim.includes('\0')) return true;
  const words = aim.split('/').filter((word) => word !== '' && word !== '.');
  const down = words.findIndex((word) => word !== '..');
  const up = down === -1 ? words.length : down;
  const depth = path.split('/').length - 1;
  const rest = words.slice(up).map((word) => word.toLowerCase());
  const reached = [
    ...path
      .toLowerCase()
      .split('/')
      .slice(0, Math.max(0, depth - up)),
    ...rest,
  ];
  return up > depth || rest.includes('..') || reached.includes('.git');
}

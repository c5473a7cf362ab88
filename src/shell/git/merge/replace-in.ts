// Replaces files of a tree, without a checkout.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git } from '../run/git.ts';
import { asideOf } from '../store/leftovers.ts';

/** A line for `replaceIn`. */
export const entryOf = (mode: string, blob: string, path: string): string => `${mode} ${blob} 0\t${path}\0`;
/** The same for a path to remove; the blob only gives the length of ids. */
export const removalOf = (blob: string, path: string): string => `0 ${'0'.repeat(blob.length)} 0\t${path}\0`;

/** Uses a temporary index of its own. */
export async function replaceIn(git: Git, tree: string, entries: readonly string[]): Promise<string> {
  const environment = { GIT_INDEX_FILE: asideOf(join(git.gitDir, 'settling')) };
  try {
    await git.must(['read-tree', tree], { environment });
    await git.must(['update-index', '-z', '--index-info'], { environment, input: entries.join('') });
    return await git.line(['write-tree'], { environment });
  } finally {
    await rm(environment.GIT_INDEX_FILE, { force: true });
  }
}

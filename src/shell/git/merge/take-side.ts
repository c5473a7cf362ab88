// Settles a conflicting file by the rule that the plan has for it: one side as it is, or the lines of both.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, matchesGlob } from 'node:path';
import type { TakeRule } from '../../../core/plan/plan.ts';
import type { Git } from '../run/git.ts';
import { asideOf } from '../store/leftovers.ts';
import type { Objects } from '../store/objects.ts';
import type { Stage } from './read-merge-tree.ts';
import { entryOf, removalOf } from './replace-in.ts';

interface World {
  readonly git: Git;
  readonly objects: Objects;
}

/** A line for `replaceIn`; undefined when no rule is for this file, or both sides cannot be in one file. */
export async function takeSide(
  world: World,
  stages: readonly Stage[],
  take: readonly TakeRule[],
): Promise<string | undefined> {
  const path = stages[0]?.path ?? '';
  const rule = take.find(({ files }) => isOf(files, path));
  if (rule === undefined) return undefined;
  const [base, ours, theirs] = [1, 2, 3].map((side) => stages.find((stage) => stage.side === side));
  const some = ours ?? theirs ?? base;
  if (some === undefined) return undefined;
  switch (rule.side) {
    case 'task':
      return theirs === undefined ? removalOf(some.blob, path) : entryOf(theirs.mode, theirs.blob, path);
    case 'run':
      return ours === undefined ? removalOf(some.blob, path) : entryOf(ours.mode, ours.blob, path);
    case 'union':
      return ours === undefined || theirs === undefined
        ? entryOf(some.mode, some.blob, path)
        : unionOf(world, { path, base, ours, theirs });
  }
}

/** A plain path is the file and everything below it, as in the plan's `files`. */
function isOf(files: string, path: string): boolean {
  const plain = files.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '');
  return path === plain || path.startsWith(`${plain}/`) || matchesGlob(path, plain);
}

interface Sides {
  readonly path: string;
  readonly base: Stage | undefined;
  readonly ours: Stage;
  readonly theirs: Stage;
}

/** Git takes the lines of both sides only for text of the same mode, and only from files. */
async function unionOf({ git, objects }: World, { path, base, ours, theirs }: Sides): Promise<string | undefined> {
  if (ours.mode !== theirs.mode || !ours.mode.startsWith('100')) return undefined;
  const folder = asideOf(join(git.gitDir, 'union'));
  try {
    await mkdir(folder);
    const contents = [ours.blob, base?.blob, theirs.blob].map(async (blob, at) => {
      const file = join(folder, String(at));
      await writeFile(file, blob === undefined ? '' : await objects.contentOf(blob));
      return file;
    });
    const merged = await git.ask(['merge-file', '-p', '--union', ...(await Promise.all(contents))]);
    return merged.code === 0 ? entryOf(ours.mode, await objects.writeBlob(merged.output), path) : undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

// Locks in the git directory of a place that a git left when it was killed: with a program that ran into its limits, with a
// worker, with the whole machine. Every later git there would refuse to work, and no agent has done anything to deserve it.
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gitProcessesIn } from '../../git/run/git-processes.ts';
import type { SandboxContext } from './sandbox-context.ts';
import { runInside } from './run-inside.ts';
import type { Tree } from './tree.ts';
import { branchOf, type PlaceNote, type PlacePaths } from './place-paths.ts';

interface ReopenedPlace {
  readonly context: SandboxContext;
  readonly tree: Tree;
  readonly place: PlacePaths;
  readonly note: PlaceNote;
}

/** git directory. Inside, because a link in it may lead anywhere. */
const REMOVE = `cd "$1" || exit 0
rm -f -- *.lock
find refs -type f -name '*.lock' -exec rm -f -- {} + 2>/dev/null
exit 0`;

/** Leaves those that a living git may hold: two steps of a task can be at work in one place. */
export async function removeLeftLocks({ context, tree, place, note }: ReopenedPlace): Promise<void> {
  const folders = [place.git, dirname(join(place.git, 'refs', 'heads', branchOf(note)))];
  if (!folders.some(hasLock) || gitProcessesIn(place.tree).length > 0) return;
  const inside = { place, overlay: tree.overlayOf(place), writable: [], readable: [], environment: {} };
  await runInside(context, inside, { text: REMOVE, args: [place.git], input: undefined });
}

function hasLock(folder: string): boolean {
  try {
    return readdirSync(folder).some((name) => name.endsWith('.lock'));
  } catch {
    // Whatever is wrong with it, the next checkpoint looks after it.
    return false;
  }
}

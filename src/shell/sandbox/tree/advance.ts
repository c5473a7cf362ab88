// Brings a tree that nobody has worked in from the template's commit to the one that is wanted. Only what differs is
// written; the rest of the index is right because the files are.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ChangedPath } from '../../git/store/changed-path.ts';
import type { Ground } from '../ground.ts';
import { copyIndex } from '../world/git-index.ts';
import type { OverlayLayers, Trouble } from '../world/mounts.ts';
import { runInside } from './inside.ts';
import type { FillOrder } from './tree.ts';

export interface AdvanceOrder {
  readonly order: FillOrder;
  /** From the tree that the files and the index are of. */
  readonly changed: readonly ChangedPath[];
  readonly overlay: OverlayLayers | undefined;
}

export const GIT_INSIDE = 'd=$1; t=$2; shift 2; exec git --git-dir="$d" --work-tree="$t" "$@"';

/**
 * git tree lists. What goes is removed first, because what comes may need its place. Half as dear as letting git compare
 * two trees of a large repository.
 */
const ADVANCE = `set -e
cd "$2"
if [ -s "$3/gone" ]; then xargs -0 rm -f -- < "$3/gone"; fi
if [ -s "$3/emptied" ]; then xargs -0 rmdir -- < "$3/emptied" 2>/dev/null || true; fi
git --git-dir="$1" --work-tree="$2" update-index -z --index-info < "$3/entries"
git --git-dir="$1" --work-tree="$2" checkout-index -f -u -z --stdin < "$3/come"
rm -r "$3"
`;

export async function advance(ground: Ground, { order, changed, overlay }: AdvanceOrder): Promise<Trouble> {
  if (changed.length === 0) return undefined;
  const { place, commit } = order;
  const lists = join(place.temporary, 'heddle-advance');
  await writeLists(lists, changed);
  const ending = await runInside(
    ground,
    { place, overlay, writable: [], readable: [], environment: {} },
    { text: ADVANCE, args: [place.git, place.tree, lists], input: undefined },
  );
  if (ending.code !== 0) return `${commit} could not be put into ${place.tree}: ${ending.complaint}`;
  // What is committed from later starts with this index and not with the template's.
  await copyIndex(join(place.git, 'index'), place.index);
  return undefined;
}

async function writeLists(folder: string, changed: readonly ChangedPath[]): Promise<void> {
  const gone = changed.filter(({ blobTo }) => blobTo === undefined).map(({ path }) => path);
  const come = changed.filter(({ blobTo }) => blobTo !== undefined).map(({ path }) => path);
  const entries = changed.map(({ path, modeTo, blobTo, blobFrom }) =>
    blobTo === undefined ? `0 ${'0'.repeat(blobFrom?.length ?? 0)}\t${path}` : `${modeTo} ${blobTo}\t${path}`,
  );
  await mkdir(folder, { recursive: true });
  const write = (name: string, parts: readonly string[]): Promise<void> =>
    writeFile(join(folder, name), parts.map((part) => `${part}\0`).join(''));
  await Promise.all([
    write('gone', gone),
    write('come', come),
    write('entries', entries),
    write('emptied', foldersAbove(gone)),
  ]);
}

/** Deepest first, so that each is empty by the time it is its turn, or not at all. */
function foldersAbove(paths: readonly string[]): readonly string[] {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) folders.add(folder);
  }
  return [...folders].sort((one, other) => other.split('/').length - one.split('/').length);
}

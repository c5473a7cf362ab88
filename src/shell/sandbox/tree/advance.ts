// Brings a tree that nobody has worked in from the template's commit to the one that is wanted. Only what differs is
// written; the rest of the index is right because the files are.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { GITLINK } from '../../git/store/changed-path.ts';
import type { ChangedPath } from '../../git/store/changed-path.ts';
import type { SandboxContext } from './sandbox-context.ts';
import { copyIndex } from '../disk/git-index.ts';
import { indexOfAlone } from '../disk/patch-index.ts';
import type { OverlayLayers, Trouble } from '../disk/mounts.ts';
import { runInside } from './run-inside.ts';
import type { FillRequest } from './tree.ts';

export interface AdvanceRequest {
  readonly order: FillRequest;
  /** From the tree that the files and the index are of. */
  readonly changed: readonly ChangedPath[];
  readonly overlay: OverlayLayers | undefined;
  /** What the same program is to mount first, for all to see. */
  readonly mounts: OverlayLayers | undefined;
}

export const GIT_INSIDE = 'd=$1; t=$2; shift 2; exec git --git-dir="$d" --work-tree="$t" "$@"';

/**
 * What goes is removed first, because what comes may need its place. What comes has an index of its own: of a large one
 * git reads and sums up all before it writes the first file. A fraction of what it takes git to compare two trees of a
 * large repository.
 */
const ADVANCE = `set -e
cd "$2"
if [ -s "$3/gone" ]; then xargs -0 rm -f -- < "$3/gone"; fi
if [ -s "$3/emptied" ]; then xargs -0 rmdir -- < "$3/emptied" 2>/dev/null || true; fi
if [ -s "$3/come" ]; then GIT_INDEX_FILE="$3/come" exec git --git-dir="$1" --work-tree="$2" checkout-index -f -a; fi
`;

/** The files alone; the index is `advanceIndex`'s, or was made as it should be. */
export async function advance(
  ground: SandboxContext,
  { order, changed, overlay, mounts }: AdvanceRequest,
): Promise<Trouble> {
  if (changed.length === 0) return undefined;
  const { place, commit } = order;
  const lists = join(place.temporary, 'heddle-advance');
  writeLists(lists, changed);
  const ending = await runInside(
    ground,
    { place, overlay, mounts, writable: [], readable: [], environment: {} },
    { text: ADVANCE, args: [place.git, place.tree, lists], input: undefined },
  );
  rmSync(lists, { recursive: true, force: true });
  return ending.code === 0 ? undefined : `${commit} could not be put into ${place.tree}: ${ending.complaint}`;
}

/** By git itself, where nobody else can: it reads and writes all of it. */
export async function advanceIndex(ground: SandboxContext, order: Omit<AdvanceRequest, 'mounts'>): Promise<Trouble> {
  const { changed, overlay } = order;
  if (changed.length === 0) return undefined;
  const { place, commit, isForWork } = order.order;
  const entries = changed.map(({ path, modeTo, blobTo, blobFrom }) =>
    blobTo === undefined ? `0 ${'0'.repeat(blobFrom?.length ?? 0)}\t${path}\0` : `${modeTo} ${blobTo}\t${path}\0`,
  );
  const ending = await runInside(
    ground,
    { place, overlay, writable: [], readable: [], environment: {} },
    { text: GIT_INSIDE, args: [place.git, place.tree, 'update-index', '-z', '--index-info'], input: entries.join('') },
  );
  if (ending.code !== 0) return `The index of ${place.tree} could not be brought to ${commit}: ${ending.complaint}`;
  // What is committed from later starts with this index and not with the template's.
  if (isForWork) await copyIndex(join(place.git, 'index'), place.index);
  return undefined;
}

function writeLists(folder: string, changed: readonly ChangedPath[]): void {
  const gone = changed.filter(({ blobTo }) => blobTo === undefined);
  const files = gone.filter((one) => !isSubmodule(one)).map(({ path }) => path);
  const modules = gone.filter(isSubmodule).map(({ path }) => path);
  mkdirSync(folder, { recursive: true });
  const write = (name: string, parts: readonly string[]): void =>
    writeFileSync(join(folder, name), parts.map((part) => `${part}\0`).join(''));
  write('gone', files);
  write('emptied', deepestFirst([...modules, ...foldersAbove(gone.map(({ path }) => path))]));
  const come = indexOfAlone(changed.map(({ path, modeTo, blobTo }) => ({ path, mode: modeTo, id: blobTo })));
  if (come !== undefined) writeFileSync(join(folder, 'come'), come);
}

/** Which a checkout has as an empty folder. */
const isSubmodule = ({ modeFrom }: ChangedPath): boolean => modeFrom === GITLINK;

/** So that each is empty by the time it is its turn, or not at all. */
const deepestFirst = (folders: readonly string[]): readonly string[] =>
  folders.toSorted((one, other) => other.split('/').length - one.split('/').length);

function foldersAbove(paths: readonly string[]): readonly string[] {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) folders.add(folder);
  }
  return [...folders];
}

// Brings an unused tree from the template's commit to the wanted one. Only the paths that differ are written; the rest of
// the index is right because the files are.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { GITLINK } from '../../git/store/changed-path.ts';
import type { ChangedPath } from '../../git/store/changed-path.ts';
import type { SandboxContext } from './sandbox-context.ts';
import { copyIndex } from './make-git-dir.ts';
import type { OverlayMount, MaybeFailure } from '../disk/mounts.ts';
import { runInside } from './run-inside.ts';
import type { FillRequest } from './tree.ts';

export interface AdvanceRequest {
  readonly request: FillRequest;
  /** From the tree that the files and the index are of. */
  readonly changed: readonly ChangedPath[];
  readonly overlay: OverlayMount | undefined;
}

export const GIT_INSIDE = 'd=$1; t=$2; shift 2; exec git --git-dir="$d" --work-tree="$t" "$@"';

/** Paths that go are removed first, because those that come may need their place. */
const ADVANCE = `set -e
cd "$2"
if [ -s "$3/gone" ]; then xargs -0 rm -f -- < "$3/gone"; fi
if [ -s "$3/emptied" ]; then xargs -0 rmdir -- < "$3/emptied" 2>/dev/null || true; fi
git --git-dir="$1" --work-tree="$2" update-index -z --index-info < "$3/entries"
if [ -s "$3/come" ]; then exec git --git-dir="$1" --work-tree="$2" checkout-index -f -z --stdin < "$3/come"; fi
`;

/** Writes files and index; the index in the git directory must be the one of the tree that the files are of. */
export async function advance(
  context: SandboxContext,
  { request, changed, overlay }: AdvanceRequest,
): Promise<MaybeFailure> {
  if (changed.length === 0) return undefined;
  const { place, commit, isForWork } = request;
  const lists = join(place.temporary, 'heddle-advance');
  writeLists(lists, changed);
  const ending = await runInside(
    context,
    { place, overlay, writable: [], readable: [], environment: {} },
    { text: ADVANCE, args: [place.git, place.tree, lists], input: undefined },
  );
  rmSync(lists, { recursive: true, force: true });
  if (ending.code !== 0) return { code: 'not-advanced', commit, folder: place.tree, stderr: ending.stderr };
  // Later commits start from this index and not from the template's.
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
  const come = changed.filter(({ blobTo }) => blobTo !== undefined);
  // Removals first: git adds no file where its index still has a folder of that name.
  write('entries', [
    ...gone.map(({ path, blobFrom }) => `0 ${'0'.repeat(blobFrom?.length ?? 0)}\t${path}`),
    ...come.map(({ path, modeTo, blobTo }) => `${modeTo} ${blobTo}\t${path}`),
  ]);
  write(
    'come',
    come.map(({ path }) => path),
  );
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

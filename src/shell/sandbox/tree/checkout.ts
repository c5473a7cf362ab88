// Trees by a plain checkout, which works everywhere. What has been checked out once is used again: bringing it to another
// commit costs a tenth of checking out, and deleting it makes some file systems slow for a minute.
import { createHash } from 'node:crypto';
import { mkdir, rename } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { GitError } from '../../git/run/git-error.ts';
import { gitAt } from '../../git/run/git.ts';
import type { SandboxContext } from './sandbox-context.ts';
import { writeUses, type PlacePaths } from './place-paths.ts';
import { checkoutSettings } from './templates.ts';
import { throwAway, asideName, entriesOf, moveIfThere, dropSpecialBits } from '../disk/files.ts';
import { withLock } from '../disk/lock.ts';
import type { MaybeFailure } from '../disk/mounts.ts';
import { runSandboxProgram } from '../disk/run-program.ts';
import { copyIndex, makeGitDir, pointToGit } from './make-git-dir.ts';
import { runInside } from './run-inside.ts';
import type { FillRequest, LayerFiles, Tree } from './tree.ts';
import { existsSync } from 'node:fs';

export function checkoutTree(context: SandboxContext): Tree {
  return {
    kind: 'checkout',
    populate: async (request) => fill(context, request),
    retire: async (place) => park(context, place),
    overlayOf: () => undefined,
    writtenIn: (place) => place.tree,
    touched: async () => undefined,
  };
}

async function fill(context: SandboxContext, request: FillRequest): Promise<MaybeFailure> {
  const { place, layer } = request;
  await writeUses(place, { template: undefined, layer: layer?.name, changed: undefined });
  await mkdir(place.temporary, { recursive: true });
  const failure = await inLane(context, place, async () =>
    (await recycle(context, request)) ? undefined : checkOut(context, request),
  );
  if (failure !== undefined) return failure;
  await copyIndex(join(place.git, 'index'), place.index);
  await pointToGit(place.tree, place);
  return layer === undefined ? undefined : copyLayer(layer, place);
}

/** More checkouts at once than there are processors only take turns at being slow. */
function inLane(
  context: SandboxContext,
  place: PlacePaths,
  action: () => Promise<MaybeFailure>,
): Promise<MaybeFailure> {
  const lane = createHash('sha256').update(place.root).digest().readUInt16BE(0) % availableParallelism();
  return withLock(context.folders.locks, { family: 'checkout', name: `lane ${lane}` }, action);
}

/** False when there is nothing to use again, or it could not be. */
async function recycle(context: SandboxContext, request: FillRequest): Promise<boolean> {
  const { place, commit } = request;
  if (!(await claimParked(context, place))) return false;
  const failure = await makeGitDir(context, request, place.index);
  // An agent has worked in this tree, so git looks at it inside the isolation alone.
  const ending = await runInside(
    context,
    { place, overlay: undefined, writable: [], readable: [], environment: {} },
    { text: RECYCLE, args: [place.git, place.tree, commit], input: undefined },
  );
  if (failure === undefined && ending.code === 0) return true;
  await throwAway(context.folders.trash, [place.tree, place.git]);
  return false;
}

/**
 * The index is ours and has the times of every file as we wrote it, so whatever was touched is written again. What is in
 * the folder of a submodule git would leave there.
 */
const RECYCLE = `set -e
rm -rf "$2/.git"
cd "$2"
git --git-dir="$1" --work-tree="$2" read-tree --reset -u "$3"
git --git-dir="$1" --work-tree="$2" clean -ffdxq
{ git --git-dir="$1" ls-files -s -z | grep -z '^160000 ' || [ $? -eq 1 ]; } | xargs -0 -r sh -c 'for entry; do
  path=./\${entry#*"\t"}
  above=$(dirname "$path")
  # Nothing is removed through a link.
  if [ -d "$above" ] && [ "$(cd "$above" && pwd -P)" != "$(pwd -P)\${above#.}" ]; then exit 1; fi
  rm -rf "$path"
  mkdir -p "$path"
done' sh`;

async function checkOut(context: SandboxContext, request: FillRequest): Promise<MaybeFailure> {
  const { place, commit } = request;
  await mkdir(place.tree, { recursive: true });
  const failure = await makeGitDir(context, request, undefined);
  if (failure !== undefined) return failure;
  try {
    const how = { workTree: place.tree, settings: checkoutSettings(context) };
    await gitAt(place.git).must(['read-tree', '--reset', '-u', commit], how);
    return undefined;
  } catch (cause) {
    if (!(cause instanceof GitError)) throw cause;
    return { code: 'not-checked-out', commit, failure: cause.failure };
  }
}

const COPY_TIME_MAX_MS = 600_000;

export async function copyLayer(layer: LayerFiles, { tree }: Pick<PlacePaths, 'tree'>): Promise<MaybeFailure> {
  const argv = ['cp', '-a', ...(process.platform === 'linux' ? ['--reflink=auto'] : []), `${layer.files}/.`, tree];
  const request = { cwd: tree, environment: process.env, input: undefined, limitMs: COPY_TIME_MAX_MS };
  const ending = await runSandboxProgram(argv, request);
  return ending.code === 0 ? undefined : { code: 'layer-not-copied', folder: tree, stderr: ending.stderr };
}

// Checkouts that wait for reuse. Each has the index with which it was made, which no agent could write to.

/** At most this many wait; more are deleted. */
const PARKED_MAX = 8;

/** The first process to rename it has it. */
async function claimParked(context: SandboxContext, place: PlacePaths): Promise<boolean> {
  for (const name of await entriesOf(context.folders.parked)) {
    const claimed = join(place.root, 'claimed');
    if (name.startsWith('aside-') || !(await moveIfThere(join(context.folders.parked, name), claimed))) continue;
    await rename(join(claimed, 'index'), place.index);
    await rename(join(claimed, 'tree'), place.tree);
    await throwAway(context.folders.trash, [claimed]);
    return true;
  }
  return false;
}

async function park(context: SandboxContext, place: PlacePaths): Promise<void> {
  const { parked, trash } = context.folders;
  const isWhole = existsSync(place.index) && existsSync(place.tree);
  const count = (await entriesOf(parked)).length;
  if (!isWhole || count >= PARKED_MAX) return throwAway(trash, [place.tree]);
  const aside = join(parked, asideName());
  await mkdir(aside, { recursive: true });
  await rename(place.index, join(aside, 'index'));
  await rename(place.tree, join(aside, 'tree'));
  await dropSpecialBits([join(aside, 'tree')]);
  await rename(aside, join(parked, asideName().replace('aside', 'tree')));
}

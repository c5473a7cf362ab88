// A checkpoint: the content of the tree as a commit on top of the previous one, in the integration repository.
//
// checkpoint/C1. The commit depends on the content, the previous commit, the message and the date alone.
// checkpoint/C2. The note names the commit only after its import; a kill before that leaves the tree as it was, to be
//     committed again.
import { failedBy } from '../../core/protocol/sandbox-failure.ts';
import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { branchOf, readUses, writeNote } from './tree/place-paths.ts';
import type { PlaceNote, PlacePaths } from './tree/place-paths.ts';
import { noteCommitted, notePaths } from './tree/touched-note.ts';
import type { Checkpoint, CheckpointRequest } from './sandbox.ts';
import { treeOfTemplate } from './tree/templates.ts';
import { runInside } from './tree/run-inside.ts';
import { asideName } from './disk/files.ts';
import type { MaybeFailure } from './disk/mounts.ts';
import { commitInside, crossByPack, crossOver, ensureCommitGitDir } from './commit-inside.ts';
import type { TreeContext } from './fill-place.ts';
import { ADOPT } from './git-scripts.ts';

export interface StandingSandbox {
  readonly place: PlacePaths;
  readonly note: PlaceNote;
}

export async function checkpoint(
  treeContext: TreeContext,
  standing: StandingSandbox,
  request: CheckpointRequest,
): Promise<Checkpoint> {
  const { place, note } = standing;
  const { message, at, parents, trailer } = request;
  const committed = await commitInside(treeContext, { place, note, message, at, parents, trailer });
  if (committed.type === 'failed') return committed;
  const commit = committed.type === 'committed' ? committed.commit : note.head;
  const failure =
    committed.type === 'committed'
      ? await cross(treeContext, standing, { commit, ref: request.ref })
      : await nameIt(treeContext, request.ref, commit);
  if (failure !== undefined) return failedBy(failure);
  await writeNote(place, { ...note, head: commit });
  await adopt(treeContext, standing, commit);
  if (committed.touched === undefined) await noteDifference(treeContext, place, commit);
  else await noteCommitted(place, committed.touched, commit);
  return { type: committed.type, commit };
}

/** Git has examined every file, so the differences from the template are all that was touched. */
async function noteDifference({ context }: TreeContext, place: PlacePaths, commit: string): Promise<void> {
  const { template } = readUses(place);
  if (template === undefined) return;
  const changed = await context.repository.changedPaths(treeOfTemplate(template), commit);
  await notePaths(
    place,
    changed.map(({ path }) => path),
  );
}

async function cross(
  treeContext: TreeContext,
  { place, note }: StandingSandbox,
  to: { commit: string; ref: string },
): Promise<MaybeFailure> {
  const request = { place, commits: [to], base: note.head, lenders: [] };
  const crossed = (await crossByPack(treeContext, request)) ?? (await crossOver(treeContext, request));
  return crossed.type === 'failed' ? crossed.failure : undefined;
}

/** The ref of a step without changes names the previous commit. */
async function nameIt({ context }: TreeContext, ref: string, commit: string): Promise<MaybeFailure> {
  const from = await context.repository.read(ref);
  if (from === commit) return undefined;
  const swapped = await context.repository.swap({ ref, from, to: commit });
  if (swapped.type === 'swapped') return undefined;
  return swapped.type === 'moved' ? { code: 'ref-moved', ref } : swapped.failure;
}

/** The work is safe already; a git directory beyond repair is moved away and made anew. */
async function adopt(treeContext: TreeContext, standing: StandingSandbox, commit: string): Promise<void> {
  const { place, note } = standing;
  // When nothing was touched, nothing was committed from it, and it may not exist yet.
  await ensureCommitGitDir(treeContext, place, note);
  const inside = {
    place,
    overlay: treeContext.tree.overlayOf(place),
    writable: [place.keep],
    readable: [],
    environment: {},
  };
  const script = {
    text: ADOPT,
    args: [place.keep, place.git, place.tree, branchOf(note), note.head, commit, asideName()],
    input: undefined,
  };
  if ((await runInside(treeContext.context, inside, script)).code === 0) return;
  if (existsSync(place.git)) await rename(place.git, join(place.root, `git-${asideName()}`));
  const index = join(place.keep, 'index');
  await treeContext.context.repository.privateGitDir({
    folder: place.git,
    head: commit,
    branch: branchOf(note),
    index,
  });
  await runInside(treeContext.context, { ...inside, overlay: treeContext.tree.overlayOf(place) }, script);
}

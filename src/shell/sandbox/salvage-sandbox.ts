// Puts what no ref keeps behind refs that stay: files that are not committed, and commits that an agent made itself (P4).
import { failedBy, type SandboxFailed } from '../../core/protocol/sandbox-failure.ts';
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { REFS } from '../git/store/ref-names.ts';
import type { Ref } from '../git/store/refs.ts';
import type { PlacePaths } from './tree/place-paths.ts';
import type { Salvage } from './sandbox.ts';
import { runInside } from './tree/run-inside.ts';
import { entriesOf } from './disk/files.ts';
import type { Standing } from './checkpoint.ts';
import { commitInside, crossOver } from './commit-inside.ts';
import type { TreeContext } from './fill-place.ts';
import { ensureCommitGitDir } from './commit-git-dir.ts';
import { mentionedIds } from './mentioned-ids.ts';
import { OWN_TIPS } from './git-scripts.ts';

type Found = { readonly type: 'found'; readonly refs: readonly Ref[] } | SandboxFailed;

export async function salvage(treeContext: TreeContext, standing: Standing, reason: string): Promise<Salvage> {
  const files = await salvageFiles(treeContext, standing, reason);
  if (files.type === 'failed') return files;
  const own = await salvageOwn(treeContext, standing);
  if (own.type === 'failed') return own;
  const refs = [...files.refs, ...own.refs];
  return refs.length === 0 ? { type: 'nothing' } : { type: 'salvaged', refs };
}

async function salvageFiles(treeContext: TreeContext, { place, note }: Standing, reason: string): Promise<Found> {
  const message = `Salvage ${note.task}: ${reason}\n`;
  const committed = await commitInside(treeContext, { place, note, message, at: note.at });
  if (committed.type === 'failed') return committed;
  if (committed.type === 'unchanged') return { type: 'found', refs: [] };
  const { commit } = committed;
  const ref = REFS.salvage(note.run, note.task, `files-${short(commit)}`);
  const crossed = await crossOver(treeContext, { place, commits: [{ commit, ref }], base: note.head, lenders: [] });
  return crossed.type === 'failed' ? crossed : { type: 'found', refs: [{ ref, commit }] };
}

const ID_LENGTH = 12;
const short = (commit: string): string => commit.slice(0, ID_LENGTH);

async function salvageOwn(treeContext: TreeContext, { place, note }: Standing): Promise<Found> {
  const lenders = await ownGitDirs(treeContext, place);
  const mentioned = await mentionedIds(lenders);
  const isOurs = mentioned !== undefined && [...mentioned].every((id) => id === note.base || id === note.head);
  if (isOurs) return { type: 'found', refs: [] };
  const trouble = await ensureCommitGitDir(treeContext, place, note);
  if (trouble !== undefined) return failedBy(trouble);
  const safe = await treeContext.context.repository.list(`refs/heddle/${note.run}`);
  const known = [note.base, note.head, ...safe.map(({ commit }) => commit)];
  const ending = await runInside(
    treeContext.context,
    {
      place,
      overlay: treeContext.tree.overlayOf(place),
      writable: [],
      readable: [place.keep, ...lenders],
      environment: {},
    },
    { text: OWN_TIPS, args: [place.keep, ...lenders], input: `${known.join('\n')}\n` },
  );
  if (ending.code !== 0) return failedBy({ code: 'commits-unreadable', folder: place.tree, stderr: ending.stderr });
  const tips = ending.output.split('\n').filter((line) => line !== '');
  if (tips.length === 0) return { type: 'found', refs: [] };
  const commits = tips.map((commit) => ({ commit, ref: REFS.salvage(note.run, note.task, `own-${short(commit)}`) }));
  const crossed = await crossOver(treeContext, { place, commits, base: note.base, lenders });
  return crossed.type === 'failed' ? crossed : { type: 'found', refs: commits };
}

/** Git directories that an agent could commit to: its own, those set aside, and one that it made in the tree. */
async function ownGitDirs({ tree }: TreeContext, place: PlacePaths): Promise<readonly string[]> {
  const names = (await entriesOf(place.root)).filter((name) => name === 'git' || name.startsWith('git-'));
  const dirs = names.map((name) => join(place.root, name)).filter(isFolder);
  const moved = await Promise.all(
    dirs.map(async (dir) => {
      const own = join(dir, 'heddle-own');
      return (await entriesOf(own)).map((name) => join(own, name)).filter(isFolder);
    }),
  );
  const inTree = isFolder(join(tree.writtenIn(place), '.git')) ? [join(place.tree, '.git')] : [];
  return [...dirs, ...moved.flat(), ...inTree];
}

/** A link to a folder is none: it could lead anywhere. */
const isFolder = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

// Puts what no ref keeps behind refs that stay: files that are not committed, and commits that an agent made itself (P4).
import { failedBy, type SandboxFailed, type SandboxFailure } from '../../core/protocol/sandbox-failure.ts';
import { lstatSync, constants } from 'node:fs';
import { join } from 'node:path';
import { REFS } from '../git/store/ref-names.ts';
import type { Ref } from '../git/store/refs.ts';
import type { PlacePaths } from './tree/place-paths.ts';
import type { SandboxSalvage } from './sandbox.ts';
import { runInside } from './tree/run-inside.ts';
import { entriesOf } from './disk/files.ts';
import type { StandingSandbox } from './checkpoint.ts';
import { commitInside, crossOver, ensureCommitGitDir } from './commit-inside.ts';
import type { TreeContext } from './fill-place.ts';
import { OWN_TIPS } from './git-scripts.ts';
import { open, readdir } from 'node:fs/promises';

type Found = { readonly type: 'found'; readonly refs: readonly Ref[] } | SandboxFailed;

export async function salvageSandbox(
  treeContext: TreeContext,
  standing: StandingSandbox,
  reason: string,
): Promise<SandboxSalvage> {
  const files = await salvageFiles(treeContext, standing, reason);
  if (files.type === 'failed') return files;
  const own = await salvageOwn(treeContext, standing);
  if (own.type === 'failed') return own;
  const refs = [...files.refs, ...own.refs];
  return refs.length === 0 ? { type: 'nothing' } : { type: 'salvaged', refs };
}

/**
 * Brings the latest checkpoint back where the integration repository has lost it, as when that was deleted while the sandbox
 * stood: the sandbox keeps its own copy.
 */
export async function salvageHead(treeContext: TreeContext, { place, note }: StandingSandbox): Promise<Found> {
  const { run, task, base, head } = note;
  if ((await treeContext.context.repository.commitOf(head)) !== undefined) return { type: 'found', refs: [] };
  const ref = REFS.salvage(run, task, `own-${short(head)}`);
  const crossed = await crossOver(treeContext, { place, commits: [{ commit: head, ref }], base, lenders: [] });
  return crossed.type === 'failed' ? crossed : { type: 'found', refs: [{ ref, commit: head }] };
}

async function salvageFiles(
  treeContext: TreeContext,
  { place, note }: StandingSandbox,
  reason: string,
): Promise<Found> {
  const message = `Salvage ${note.task}: ${reason}\n`;
  const committed = await commitInside(treeContext, { place, note, message, at: note.at });
  if (committed.type === 'failed') return committed;
  if (committed.type === 'unchanged') return { type: 'found', refs: [] };
  const { commit } = committed;
  const ref = REFS.salvage(note.run, note.task, `files-${short(commit)}`);
  const crossed = await crossOver(treeContext, { place, commits: [{ commit, ref }], base: note.head, lenders: [] });
  return crossed.type === 'failed' ? crossed : { type: 'found', refs: [{ ref, commit }] };
}

/** Whether what the files are keeps them from being committed, so that another try would fail as well. */
export const isContentRefused = ({ code }: SandboxFailure): boolean => CONTENT_REFUSED.has(code);

const CONTENT_REFUSED: ReadonlySet<SandboxFailure['code']> = new Set([
  'link-leaves',
  'nested-repository',
  'submodule-moved',
  'not-committable',
]);

const ID_LENGTH = 12;
const short = (commit: string): string => commit.slice(0, ID_LENGTH);

async function salvageOwn(treeContext: TreeContext, { place, note }: StandingSandbox): Promise<Found> {
  const lenders = await ownGitDirs(treeContext, place);
  const mentioned = await mentionedIds(lenders);
  const isOurs = mentioned !== undefined && [...mentioned].every((id) => id === note.base || id === note.head);
  if (isOurs) return { type: 'found', refs: [] };
  const failure = await ensureCommitGitDir(treeContext, place, note);
  if (failure !== undefined) return failedBy(failure);
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

// Reads, as text, every id that the git directories of a sandbox mention. Where they mention none but known ones, nobody
// has committed there, and no program has to be started to find that out.

/** Beyond so much nobody looks; such a git directory is read by git itself. */
const FILES_MAX = 200;
const BYTES_MAX = 256 * 1024;

/** Undefined when there is more than can be looked through. Links are not followed, wherever they lead. */
async function mentionedIds(gitDirs: readonly string[]): Promise<ReadonlySet<string> | undefined> {
  const files = await Promise.all(gitDirs.map(filesWithIds));
  const all = files.flat();
  if (all.length > FILES_MAX) return undefined;
  const ids = new Set<string>();
  for (const file of all) {
    const text = await readPlain(file);
    if (text === undefined) return undefined;
    for (const [id] of text.matchAll(/[0-9a-f]{40,64}/g)) if (!/^0+$/.test(id)) ids.add(id);
  }
  return ids;
}

async function filesWithIds(gitDir: string): Promise<readonly string[]> {
  const top = await readdir(gitDir, { withFileTypes: true });
  const named = top.filter((entry) => entry.isFile() && /HEAD$|^packed-refs$/.test(entry.name));
  const nested = top.filter((entry) => entry.isDirectory() && /^(?:refs|logs|rebase|heddle-own)/.test(entry.name));
  const lists = await Promise.all(
    nested.map((entry) => readdir(join(gitDir, entry.name), { recursive: true, withFileTypes: true })),
  );
  return [...named, ...lists.flat().filter((entry) => entry.isFile())].map(({ parentPath, name }) =>
    join(parentPath, name),
  );
}

/** Undefined for what is too long, or no plain file after all. */
async function readPlain(file: string): Promise<string | undefined> {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found?.isFile() !== true || found.size > BYTES_MAX) return undefined;
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

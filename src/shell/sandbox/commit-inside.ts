// Commits a tree inside the isolation, and imports the commit into the integration repository.
import { failedBy, type SandboxFailed, type SandboxFailure } from '../../core/protocol/sandbox-failure.ts';
import { mkdir, rm, writeFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { IDENTITY } from '../git/run/git-environment.ts';
import { readUses, type PlaceNote, type PlacePaths } from './tree/place-paths.ts';
import { isAsCommitted, noteTouched, noteUnknown } from './tree/touched-note.ts';
import { OURS, runInside, wrapInside } from './tree/run-inside.ts';
import type { Touched } from './tree/touched.ts';
import { asideName } from './disk/files.ts';
import type { ProgramEnd } from './disk/run-program.ts';
import type { TreeContext } from './fill-place.ts';
import { COMMIT, COMMIT_TOUCHED } from './git-scripts.ts';
import { existsSync, lstatSync } from 'node:fs';
import { findLayer } from './tree/layers.ts';
import { ageIndex, writeExcludes } from './tree/make-git-dir.ts';
import type { MaybeFailure } from './disk/mounts.ts';

export type Committed =
  /** `touched`: the touched paths at the time of the commit, where known. */
  | { readonly type: 'committed'; readonly commit: string; readonly touched: Touched | undefined }
  | { readonly type: 'unchanged'; readonly touched: Touched | undefined }
  | SandboxFailed;

export interface CommitRequest {
  readonly place: PlacePaths;
  readonly note: PlaceNote;
  readonly message: string;
  readonly at: number;
  /** Replaces the note's head; then there is a commit even without changes. */
  readonly parents?: readonly string[] | undefined;
  /** Adds the messages of commits that programs inside made, and this last line; undefined adds nothing. */
  readonly trailer?: string | undefined;
}

/** On top of the note's head, with untracked files and without ignored ones. Nothing is imported yet. */
export async function commitInside(treeContext: TreeContext, request: CommitRequest): Promise<Committed> {
  const { place, note, parents } = request;
  const touched = await treeContext.tree.touched(place);
  if (touched !== undefined && parents === undefined && isAsCommitted(place, note, touched))
    return { type: 'unchanged', touched };
  const failure = await ensureCommitGitDir(treeContext, place, note);
  if (failure !== undefined) return failedBy(failure);
  const quick = touched === undefined ? undefined : await commitTouched(treeContext, request, touched);
  if (quick !== undefined) return quick;
  await noteUnknown(place);
  const ending = await runCommit(treeContext, request, { text: COMMIT, lists: '' });
  if (ending.code !== 0) return failedBy(uncommitted(place.tree, ending.stderr));
  return committedAs(ending, undefined);
}

/** Undefined when it is not possible, for any reason: then git examines every file. */
async function commitTouched(
  treeContext: TreeContext,
  request: CommitRequest,
  touched: Touched,
): Promise<Committed | undefined> {
  const { place } = request;
  await noteTouched(place, touched);
  const lists = listsIn(place);
  await rm(lists, { recursive: true, force: true });
  await writeLists(lists, touched);
  const ending = await runCommit(treeContext, request, { text: COMMIT_TOUCHED, lists });
  return ending.code === 0 ? committedAs(ending, touched) : undefined;
}

/** Beside Heddle's own git directory, and as trustworthy: the paths to examine, and the resulting pack. */
const listsIn = (place: PlacePaths): string => join(place.keep, 'lists');

function committedAs({ output }: ProgramEnd, touched: Touched | undefined): Committed {
  const said = output.trim();
  return said === 'unchanged' ? { type: 'unchanged', touched } : { type: 'committed', commit: said, touched };
}

async function writeLists(folder: string, { known, fresh, gone }: Touched): Promise<void> {
  await mkdir(folder, { recursive: true });
  const write = (name: string, paths: readonly string[]): Promise<void> =>
    writeFile(join(folder, name), paths.map((path) => `${path}\0`).join(''));
  const all = [write('known', known), write('fresh', fresh), write('gone', gone), write('come', [...known, ...fresh])];
  await Promise.all(all);
}

async function runCommit(
  { context, tree }: TreeContext,
  { place, note, message, at, parents, trailer }: CommitRequest,
  { text, lists }: { readonly text: string; readonly lists: string },
): Promise<ProgramEnd> {
  const before = parents === undefined ? await context.repository.treeOf(note.head) : '';
  const words = { WITH_MESSAGES: trailer === undefined ? '' : 'yes', TRAILER: trailer ?? '' };
  const environment = { ...authorship(at), ...words };
  return runInside(
    context,
    { place, overlay: tree.overlayOf(place), writable: [place.keep], readable: [], environment },
    {
      text,
      args: [place.keep, place.tree, place.git, asideName(), before, lists, ...(parents ?? [note.head])],
      input: message,
    },
  );
}

/** Fixed identity and a given date, so that the same content gives the same commit. */
function authorship(at: number): Readonly<Record<string, string>> {
  const date = `@${Math.floor(at / 1000)} +0000`;
  const { name, email } = IDENTITY;
  return {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
    GIT_COMMITTER_DATE: date,
  };
}

export type Crossed = { readonly type: 'crossed' } | SandboxFailed;

export interface CommitImport {
  readonly place: PlacePaths;
  readonly commits: readonly { readonly commit: string; readonly ref: string }[];
  readonly base: string;
  /** The agent's git directories, with objects that the commits need. */
  readonly lenders: readonly string[];
}

/** Imports the last commit by its pack; undefined when it has to be fetched. */
export async function crossByPack({ context }: TreeContext, request: CommitImport): Promise<Crossed | undefined> {
  const { place, commits, base } = request;
  const [only, ...more] = commits;
  if (only === undefined || more.length > 0) return undefined;
  const pack = join(listsIn(place), 'pack');
  const imported = await context.repository.importPack({ pack, commit: only.commit, base, target: only.ref });
  if (imported === undefined || imported.type === 'failed') return undefined;
  return imported.type === 'imported' ? { type: 'crossed' } : failedBy(imported.failure);
}

/** The sender runs inside, so only objects come out. */
export async function crossOver({ context, tree }: TreeContext, request: CommitImport): Promise<Crossed> {
  const { place, commits, base, lenders } = request;
  const lent = lenders.map((gitDir) => `${gitDir}/objects`).join(':');
  const sender = ['env', `GIT_ALTERNATE_OBJECT_DIRECTORIES=${lent}`, ...NO_SETTINGS, 'git', ...SENDER, 'upload-pack'];
  const uploadPack = wrapInside(context, sender, {
    place,
    overlay: tree.overlayOf(place),
    writable: [],
    readable: [place.keep, ...lenders],
    ...OURS,
  });
  const imported = await context.repository.importFrom({
    gitDir: place.keep,
    refs: commits.map(({ commit, ref }) => ({ source: commit, target: ref })),
    base,
    uploadPack,
  });
  return imported.type === 'imported' ? { type: 'crossed' } : failedBy(imported.failure);
}

const NO_SETTINGS = ['GIT_CONFIG_NOSYSTEM=1', 'GIT_CONFIG_GLOBAL=/dev/null'];
const SENDER = ['-c', 'uploadpack.allowAnySHA1InWant=true', '-c', 'core.hooksPath=/dev/null', '-c', 'safe.directory=*'];

// Why a tree could not be committed, from the standard error of git or of a script of Heddle's.

type Why = Extract<SandboxFailure, { readonly code: 'not-committable' }>['why'];

const KNOWN: readonly (readonly [stderr: RegExp, why: Why])[] = [
  [/'([^']*)' does not have a commit checked out/, 'repository'],
  [/in a submodule: \.\/(.*)/, 'submodule'],
  [/invalid path '([^']*)'/, 'name'],
  [/(?:open\("|could not open directory ')([^"']*)["'].*Permission denied/, 'permission'],
];

export function uncommitted(folder: string, stderr: string): SandboxFailure {
  for (const [known, why] of KNOWN) {
    const path = known.exec(stderr)?.[1];
    if (path !== undefined) return { code: 'not-committable', path, folder, why };
  }
  return { code: 'not-committed', folder, stderr };
}

// The git directory from which Heddle commits a tree. Agents never see it: whatever an agent did to its own git
// directory, index or branches, the content of the tree is committed.

/** Moves away what an agent put in its place. */
async function ensureFolder(folder: string): Promise<void> {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found !== undefined && !found.isDirectory()) await rename(folder, `${folder}-${asideName()}`);
  await mkdir(folder, { recursive: true });
}

/** Created on first use; its index is the one with which the tree was filled. */
export async function ensureCommitGitDir(
  { context }: TreeContext,
  place: PlacePaths,
  note: PlaceNote,
): Promise<MaybeFailure> {
  // An agent may have removed what programs inside are given to write to.
  for (const folder of [place.git, place.temporary]) await ensureFolder(folder);
  if (existsSync(join(place.keep, 'info', 'exclude.made'))) return undefined;
  const { template, layer } = readUses(place);
  const index = existsSync(place.index) ? place.index : join(context.folders.templates, template ?? '', 'index');
  const made = await context.repository.privateGitDir({ folder: place.keep, head: note.head, branch: 'keep', index });
  if (made.type === 'failed') return made.failure;
  await ageIndex(index, join(place.keep, 'index'));
  const found = layer === undefined ? undefined : await findLayer(context, layer);
  await writeExcludes(context, place.keep, found?.excludes ?? []);
  await mkdir(join(place.keep, 'info', 'exclude.made'), { recursive: true });
  return undefined;
}

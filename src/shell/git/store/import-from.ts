// Imports commits from a sandbox: only objects are imported, and only safe content.
//
// import-from/C1. Nothing of the sandbox is run or read here but the pack that its upload-pack sends, and every object
//     in it is checked before it is kept.
// import-from/C2. Imported commits wait under `refs/incoming/` and move to their target only when all their content was
//     found safe.
// import-from/C3. A target that holds other work is not overwritten (P4).
// import-pack/K1. Nothing of the sandbox is read here but the pack. Every object in it, and the presence of every
//     object that it names, is checked before it is kept, as a fetch with `transfer.fsckObjects` does.
// import-pack/K2. The target moves only when all content was found safe, and only when it did not exist (P4).
import type { GitFailure } from '../../../core/protocol/git-failure.ts';
import { errorAsValue, refusedBy, type GitFailed, type GitRefused } from '../run/git-error.ts';
import type { Git, GitCallOptions } from '../run/git.ts';
import type { Objects } from './objects.ts';
import { DURABLE, swapRef, type Ref } from './refs.ts';
import { posix } from 'node:path';
import { GITLINK, SYMBOLIC_LINK } from './changed-path.ts';
import { readFile, stat } from 'node:fs/promises';

export interface ObjectImport {
  /** The private git directory, as the program that `uploadPack` starts sees it; or the address of a remote. */
  readonly gitDir: string;
  readonly refs: readonly { readonly source: string; readonly target: string }[];
  /** The commit that the work started from: only additions to it are examined. Undefined: the content is a person's own. */
  readonly base: string | undefined;
  /** Starts `git-upload-pack`, inside the isolation where there is one; the git directory is appended as last argument. */
  readonly uploadPack: readonly string[] | undefined;
  /** How git reaches a remote: by the settings of the user. */
  readonly reach?: { readonly git: Git; readonly how: GitCallOptions } | undefined;
}

export type ObjectsImported =
  /** In the order of `refs`. */
  | { readonly type: 'imported'; readonly commits: readonly string[] }
  /** The content is unsafe; no target was moved. */
  | GitRefused
  | GitFailed;

interface World {
  readonly git: Git;
  readonly objects: Objects;
}

export const importFrom = async (world: World, request: ObjectImport): Promise<ObjectsImported> =>
  errorAsValue(async () => fetchAndMove(world, request));

async function fetchAndMove(
  { git, objects }: World,
  { gitDir, refs, base, uploadPack, reach }: ObjectImport,
): Promise<ObjectsImported> {
  const specs = refs.map(({ source, target }) => `+${source}:${incoming(target)}`);
  const command = uploadPack === undefined ? [] : [`--upload-pack=${uploadPack.map(quoted).join(' ')}`];
  const args = [
    'fetch',
    '--quiet',
    '--no-tags',
    '--no-write-fetch-head',
    '--no-auto-maintenance',
    '--update-shallow',
    '--no-prune',
    '--no-recurse-submodules',
    ...command,
    '--end-of-options',
    gitDir,
    ...specs,
  ];
  const fetched = await (reach?.git ?? git).ask(args, {
    ...reach?.how,
    settings: [...(reach?.how.settings ?? []), ...DURABLE, 'transfer.fsckObjects=true', 'fetch.fsckObjects=true'],
  });
  if (fetched.code !== 0) return refusedBy({ code: 'import-failed', gitDir, stderr: fetched.stderr.trim() });
  const arrivals = await arrivalsOf(git, refs);
  const refused = await refusalOf(objects, arrivals, base);
  if (refused === undefined) return moveAll(git, arrivals);
  for (const { target, commit } of arrivals) await dropRef(git, { ref: incoming(target), commit });
  return refused;
}

async function refusalOf(
  objects: Objects,
  arrivals: readonly Arrival[],
  base: string | undefined,
): Promise<GitRefused | GitFailed | undefined> {
  for (const { target, commit, kind } of arrivals) {
    if (commit === '') return { type: 'failed', failure: { code: 'import-lost', ref: target } };
    if (kind !== 'commit') return refusedBy({ code: 'import-not-a-commit', ref: target, kind });
  }
  const examined = new Set<string>();
  for (const arrival of arrivals) {
    const { commit, present } = arrival;
    if (present === undefined && examined.has(commit)) continue;
    examined.add(commit);
    const unsafe = await unsafeIn(objects, arrival, base);
    if (unsafe !== undefined) return refusedBy(unsafe);
  }
  return undefined;
}

interface Arrival {
  readonly target: string;
  readonly commit: string;
  readonly kind: string;
  /** The previous value of the target. */
  readonly present: string | undefined;
}

/** One query for all, because starting a process costs as much as its answer. */
async function arrivalsOf(git: Git, refs: ObjectImport['refs']): Promise<readonly Arrival[]> {
  const names = refs.flatMap(({ target }) => [incoming(target), target]);
  const lines = (
    await git.line(['cat-file', '--batch-check=%(objectname) %(objecttype)'], {
      input: names.map((name) => `${name}\n`).join(''),
    })
  ).split('\n');
  return refs.map(({ target }, index) => {
    const [commit, kind = ''] = answerIn(lines[index * 2]);
    return { target, commit: commit ?? '', kind, present: answerIn(lines[index * 2 + 1])[0] };
  });
}

/** A missing object is answered by its name and `missing`. */
const answerIn = (line: string | undefined): readonly string[] =>
  /^[\da-f]{40,64} (?!missing)/.test(line ?? '') ? (line ?? '').split(' ') : [];

const incoming = (target: string): string => `refs/incoming/${target.replace(/^refs\//, '')}`;

/** The command goes through a shell, so every word is quoted. */
const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

async function unsafeIn(
  objects: Objects,
  { target, commit, present }: Arrival,
  base: string | undefined,
): Promise<GitFailure | undefined> {
  if (present !== undefined && present !== commit && !(await objects.isAncestor(present, commit))) {
    return { code: 'import-drops', ref: target, commit: present };
  }
  return base === undefined ? undefined : unsafeContentIn(objects, base, commit);
}

/** Each target moves in the same transaction that deletes its incoming ref: all in one, or each in its own. */
async function moveAll(git: Git, arrivals: readonly Arrival[]): Promise<ObjectsImported> {
  if (arrivals.length > 1 && (await moveTogether(git, arrivals)))
    return { type: 'imported', commits: arrivals.map(({ commit }) => commit) };
  for (const { target, commit, present } of arrivals) {
    const arrived = { ref: incoming(target), commit };
    const swap = { ref: target, from: present, to: commit };
    const swapped = present === commit ? await dropRef(git, arrived) : await swapRef(git, swap, { dropped: arrived });
    if (swapped?.type === 'moved') return { type: 'failed', failure: { code: 'ref-moved', ref: target } };
  }
  return { type: 'imported', commits: arrivals.map(({ commit }) => commit) };
}

/** Of a run that comes with thousands of refs; false when one of them has moved meanwhile. */
async function moveTogether(git: Git, arrivals: readonly Arrival[]): Promise<boolean> {
  const lines = arrivals.flatMap(({ target, commit, present }) => [
    ...(present === commit ? [] : [`update ${target}`, commit, present ?? '0'.repeat(commit.length)]),
    `delete ${incoming(target)}`,
    commit,
  ]);
  const how = { input: `${lines.join('\0')}\0`, settings: DURABLE };
  return (await git.ask(['update-ref', '-z', '--stdin'], how)).code === 0;
}

async function dropRef(git: Git, { ref, commit }: Ref): Promise<undefined> {
  await git.ask(['update-ref', '-d', ref, commit]);
}

// Unsafe content in the work of an agent. A symbolic link that leaves the tree makes programs outside the sandbox read
// or write elsewhere; a gitlink makes git look into a repository that the agent wrote.

/** The first unsafe path that a commit adds to its base; undefined when there is none. */
export async function unsafeContentIn(objects: Objects, base: string, commit: string): Promise<GitFailure | undefined> {
  const changed = await objects.changedPaths(base, commit);
  for (const entry of changed) {
    if (entry.modeTo === GITLINK)
      return { code: entry.change === 'modified' ? 'submodule-moved' : 'nested-repository', path: entry.path };
    if (entry.modeTo !== SYMBOLIC_LINK || entry.blobTo === undefined) continue;
    const target = (await objects.contentOf(entry.blobTo)).toString('utf8');
    if (leavesTree(entry.path, target)) return { code: 'link-leaves', path: entry.path, target };
  }
  return undefined;
}

/**
 * A link may first go up, no further than the root of the tree, and then only down. Folders of a tree are real, so
 * going up first is safe; going down may pass other links, each of which stays inside by the same rule. Going up after
 * that is refused: behind a link, `..` is somewhere else.
 */
export function leavesTree(path: string, aim: string): boolean {
  if (posix.isAbsolute(aim) || aim.includes('\0')) return true;
  const words = aim.split('/').filter((word) => word !== '' && word !== '.');
  const down = words.findIndex((word) => word !== '..');
  const up = down === -1 ? words.length : down;
  const depth = path.split('/').length - 1;
  const rest = words.slice(up).map((word) => word.toLowerCase());
  const reached = [
    ...path
      .toLowerCase()
      .split('/')
      .slice(0, Math.max(0, depth - up)),
    ...rest,
  ];
  return up > depth || rest.includes('..') || reached.includes('.git');
}

// Imports one small commit from a sandbox as a pack that was written inside: the result of a fetch, with three
// processes instead of ten. Anything that is not plain and small is left to the fetch.

export interface PackRequest {
  /** The file that was written inside. */
  readonly pack: string;
  /** The commit that is claimed to be in it. */
  readonly commit: string;
  /** The commit that the work started from: only additions to it are examined. */
  readonly base: string;
  readonly target: string;
}

/** More objects than this are better kept as a pack, which a fetch does. */
const OBJECTS_MAX = 100;
const BYTES_MAX = 16 * 1024 * 1024;
const COUNT_OFFSET = 8;
const ID = /^[\da-f]{40}(?:[\da-f]{24})?$/;

/** Undefined when the pack is unsuitable or invalid; the fetch then reports the error. */
export async function importPack(
  { git, objects }: { readonly git: Git; readonly objects: Objects },
  { pack, commit, base, target }: PackRequest,
): Promise<Extract<ObjectsImported, { type: 'imported' | 'refused' }> | undefined> {
  const content = await smallPack(pack);
  if (content === undefined || !ID.test(commit)) return undefined;
  const settings = [...DURABLE, 'transfer.fsckObjects=true'];
  const unpacked = await git.ask(['unpack-objects', '-q', '--strict'], { input: content, settings });
  if (unpacked.code !== 0) return undefined;
  const unsafe = await unsafeContentIn(objects, base, `${commit}^{commit}`);
  if (unsafe !== undefined) return refusedBy(unsafe);
  const swapped = await swapRef(git, { ref: target, from: undefined, to: commit });
  return swapped.type === 'swapped' ? { type: 'imported', commits: [commit] } : undefined;
}

/** Undefined when the file is missing or too large. */
async function smallPack(pack: string): Promise<Buffer | undefined> {
  const found = await stat(pack).catch(() => undefined);
  if (found === undefined || !found.isFile() || found.size > BYTES_MAX) return undefined;
  const content = await readFile(pack);
  const isSmall = content.length > COUNT_OFFSET + 4 && content.readUInt32BE(COUNT_OFFSET) <= OBJECTS_MAX;
  return isSmall ? content : undefined;
}

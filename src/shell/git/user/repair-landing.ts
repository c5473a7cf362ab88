// Repairs a landing that was killed: locks of its git, and a checkout of which only some files were written.
//
// repair-landing/X1. A file is restored only when it is in its state before the landing, or in the state that the landing
//     was writing, whole or truncated. Any other file was changed by a person since, and then nothing is touched.
// repair-landing/X2. When the branch has moved since, a person has continued from there, and files are left as they are.
import type { GitFailure } from '../../../core/protocol/git-failure.ts';
import { existsSync, readFileSync, readlinkSync } from 'node:fs';
import { rm, rmdir, open, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isAlive, thisProcess } from '../../exec/process.ts';
import type { Git } from '../run/git.ts';
import { gitProcessesIn } from '../run/git-processes.ts';
import { SYMBOLIC_LINK, type ChangedPath } from '../store/changed-path.ts';
import type { Objects } from '../store/objects.ts';
import { readRef } from '../store/refs.ts';
import { removeStaleLocks } from '../store/stale-locks.ts';
import { bringAlong, gitOfCheckout, statsOf, showsExactly } from './checkouts.ts';
import { createHash } from 'node:crypto';
import type { Process } from '../../ports/log.ts';
import { asideOf } from '../store/leftovers.ts';

interface World {
  readonly home: string;
  readonly users: Git;
  readonly objects: Objects;
}

/** Why a landing on this branch cannot begin; undefined without an obstacle. */
export async function repairLanding(world: World, ref: string): Promise<GitFailure | undefined> {
  const note = readLandingNote(world.home, ref);
  if (note === undefined) return undefined;
  if (isAlive(note.by)) return { code: 'landing-runs', ref, pid: note.by.pid };
  const trouble = (await removeItsLocks(world, note)) ?? (await putBack(world, note));
  if (trouble === undefined) await removeLandingNote(world.home, ref);
  return trouble;
}

/** A git process of the killed landing may still run, and is waited for. */
async function removeItsLocks({ home, users }: World, { ref, folder }: LandingNote): Promise<GitFailure | undefined> {
  const git = isThere(folder) ? await gitOfCheckout(folder) : users;
  const names = [join(git.gitDir, 'index.lock'), join(git.gitDir, 'HEAD.lock'), join(users.gitDir, `${ref}.lock`)];
  const locks = names.filter((name) => existsSync(name));
  if (locks.length === 0) return undefined;
  const [pid] = isThere(folder) ? gitProcessesIn(folder) : [];
  if (pid !== undefined) return { code: 'git-runs', folder: folder ?? '', pid };
  await removeStaleLocks({ home, gitDir: git.gitDir, folders: [], files: locks });
  const lock = locks.find((name) => existsSync(name));
  return lock === undefined ? undefined : { code: 'lock-held', lock };
}

const isThere = (folder: string | undefined): folder is string => folder !== undefined && statsOf(folder) !== undefined;

/** Restores the checkout to its state before the landing, however far the landing had got. */
async function putBack({ users, objects }: World, note: LandingNote): Promise<GitFailure | undefined> {
  const { ref, from, to, folder } = note;
  if (!isThere(folder) || (await readRef(users, ref)) !== from) return undefined;
  if (await showsExactly(folder, to)) return bringAlong({ folder, from: to, to: from });
  const git = await gitOfCheckout(folder);
  const isUnstaged =
    (await git.ask(['diff-index', '--cached', '--quiet', from, '--'], { workTree: folder })).code === 0;
  if (!isUnstaged) return undefined;
  const places = await Promise.all(
    (await objects.changedPaths(from, to)).map(async (changed) => ({
      changed,
      standing: await standingOf({ git, objects, folder }, changed),
    })),
  );
  const foreign = places.find(({ standing }) => standing === 'foreign');
  if (foreign !== undefined) return { code: 'landing-killed', folder, path: foreign.changed.path };
  const spoilt = places.filter(({ standing }) => standing === 'spoilt').map(({ changed }) => changed);
  for (const { path, change } of spoilt) if (change === 'added') await removeFile(folder, path);
  const paths = spoilt.filter(({ change }) => change !== 'added').map(({ path }) => path);
  if (paths.length === 0) return undefined;
  const args = ['checkout-index', '--force', '--index', '-z', '--stdin'];
  const { code, stderr } = await git.ask(args, { workTree: folder, input: paths.map((path) => `${path}\0`).join('') });
  return code === 0 ? undefined : { code: 'checkout-not-restored', folder, stderr: stderr.trim() };
}

interface Place {
  readonly git: Git;
  readonly objects: Objects;
  readonly folder: string;
}

/** Whether a file is in its state before the landing, as the landing wrote it, or neither. */
async function standingOf(place: Place, changed: ChangedPath): Promise<'as before' | 'spoilt' | 'foreign'> {
  const { path, blobFrom, blobTo, modeFrom, modeTo } = changed;
  const found = contentAt(join(place.folder, path));
  if (found === undefined) return blobFrom === undefined ? 'as before' : 'spoilt';
  const before = blobFrom === undefined ? undefined : await contentIn(place, { path, blob: blobFrom, mode: modeFrom });
  if (before?.equals(found) === true) return 'as before';
  const after = blobTo === undefined ? undefined : await contentIn(place, { path, blob: blobTo, mode: modeTo });
  return after?.subarray(0, found.length).equals(found) === true ? 'spoilt' : 'foreign';
}

/** Undefined where there is no file; the files in a folder that replaced a file are examined on their own. */
function contentAt(path: string): Buffer | undefined {
  const found = statsOf(path);
  if (found === undefined || found.isDirectory()) return undefined;
  return found.isSymbolicLink() ? Buffer.from(readlinkSync(path)) : readFileSync(path);
}

interface Entry {
  readonly path: string;
  readonly blob: string;
  readonly mode: string;
}

/** The content in a checkout, which the user's filters may have changed. */
async function contentIn({ git, objects, folder }: Place, { path, blob, mode }: Entry): Promise<Buffer> {
  if (mode === SYMBOLIC_LINK) return objects.contentOf(blob);
  return git.must(['cat-file', '--filters', `--path=${path}`, blob], { workTree: folder });
}

/** Also removes folders that are empty afterwards. */
async function removeFile(folder: string, path: string): Promise<void> {
  await rm(join(folder, path), { force: true });
  for (let above = dirname(path); above !== '.'; above = dirname(above)) {
    try {
      await rmdir(join(folder, above));
    } catch {
      return;
    }
  }
}

// The intent of a landing, written down before it begins, so that a killed landing can be repaired.

interface LandingNote {
  readonly by: Process;
  /** The branch that moves, with `refs/heads/`. */
  readonly ref: string;
  readonly from: string;
  readonly to: string;
  /** The checkout that is updated too; undefined when the branch is not checked out. */
  readonly folder: string | undefined;
}

/** One file for each branch. */
const fileOf = (home: string, ref: string): string =>
  join(home, `landing-${createHash('sha256').update(ref).digest('hex').slice(0, 16)}.json`);

/** Synced to the disk when this returns. */
export async function writeLandingNote(home: string, note: Omit<LandingNote, 'by'>): Promise<void> {
  const file = fileOf(home, note.ref);
  const aside = asideOf(file);
  const handle = await open(aside, 'w');
  await handle.writeFile(JSON.stringify({ ...note, by: thisProcess() }));
  await handle.sync();
  await handle.close();
  await rename(aside, file);
}

export const removeLandingNote = (home: string, ref: string): Promise<void> => rm(fileOf(home, ref), { force: true });

/** Undefined when no landing on this branch is in progress or was interrupted. */
function readLandingNote(home: string, ref: string): LandingNote | undefined {
  const file = fileOf(home, ref);
  if (!existsSync(file)) return undefined;
  const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
  return isNote(value) ? { ...value, folder: value.folder ?? undefined } : undefined;
}

function isNote(value: unknown): value is LandingNote {
  return typeof value === 'object' && value !== null && 'by' in value && 'ref' in value && 'from' in value;
}

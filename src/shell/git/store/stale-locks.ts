// Removes lock files that killed processes left in a repository of ours, where they would stop every later move.
//
// stale-locks/K1. Only one process mends a repository at a time, and workers never do.
// stale-locks/K2. A lock goes only when it has no owner. Whoever made it was at work before we saw it. So we look who
//     is at work after we saw it, wait until all of those are gone, and see whether it is still the same lock. One that
//     begins later finds the lock in its way and cannot come to hold it.
// stale-locks/K3. A lock that is still held when patience ends stays, and is told.
import { existsSync, statSync } from 'node:fs';
import { open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Process } from '../../ports/log.ts';
import { isAlive, thisProcess } from '../../exec/process.ts';
import { processesAtWorkOn } from '../run/git-processes.ts';

/** How long processes that are at work are waited for. */
const PATIENCE_MS = 10_000;
/** How long a mender may take to write who it is. */
const NOTE_WAIT_MS = 1_000;
const POLL_MS = 20;
const MENDING_FILE = 'mending-locks.json';

export interface Mending {
  /** As our processes name it on their command lines. */
  readonly gitDir: string;
  /** Where locks are ours to remove: in these folders and below. */
  readonly folders: readonly string[];
  /** Locks elsewhere that are known to be ours. */
  readonly files: readonly string[];
  /** Where to note that we are at it. */
  readonly home: string;
}

/** Says what was mended and what could not be, a sentence each. */
export async function mendLocks(mending: Mending): Promise<readonly string[]> {
  const { home } = mending;
  if ((await locksOf(mending)).length === 0 || !(await beginMending(home))) return [];
  try {
    return await mend(mending);
  } finally {
    await rm(join(home, MENDING_FILE), { force: true });
  }
}

async function mend(mending: Mending): Promise<readonly string[]> {
  const { gitDir } = mending;
  const seen = (await locksOf(mending)).map((lock) => ({ lock, identity: identityOf(lock) }));
  const areGone = await waitFor(processesAtWorkOn(gitDir));
  const left = seen.filter(({ lock, identity }) => identity !== undefined && identityOf(lock) === identity);
  if (!areGone) return left.map(({ lock }) => `${lock} is held by a git that is still at work; it was left alone.`);
  for (const { lock } of left) await rm(lock, { force: true });
  return left.map(({ lock }) => `${lock} was left by a process that was killed; it was removed.`);
}

async function waitFor(atWork: readonly Process[]): Promise<boolean> {
  const until = performance.now() + PATIENCE_MS;
  while (atWork.some(isAlive)) {
    if (performance.now() > until) return false;
    await setTimeout(POLL_MS);
  }
  return true;
}

async function locksOf({ folders, files }: Mending): Promise<readonly string[]> {
  return [...(await locksBelow(folders)), ...files.filter((file) => existsSync(file))];
}

/** A git of a person, which does not name its repository, holds the lock of a ref for a moment only. */
const OLD_MS = 60_000;

/** Locks that no git at work can be holding, where people move refs as well. */
export async function oldLocksBelow(folder: string): Promise<readonly string[]> {
  const isOld = (lock: string): boolean =>
    Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > OLD_MS;
  return (await locksBelow([folder])).filter(isOld);
}

async function locksBelow(folders: readonly string[]): Promise<readonly string[]> {
  // A ref of the user's may have the name of such a folder.
  const present = folders.filter((folder) => statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true);
  const lists = await Promise.all(
    present.map(async (folder) => (await readdir(folder, { recursive: true })).map((name) => join(folder, name))),
  );
  return lists.flat().filter((name) => name.endsWith('.lock'));
}

/** Another file of the same name is another lock. */
function identityOf(lock: string): string | undefined {
  const found = statSync(lock, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? undefined : `${found.ino} ${found.mtimeNs}`;
}

/** False when another process that is alive is at it. */
async function beginMending(home: string): Promise<boolean> {
  const file = join(home, MENDING_FILE);
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const handle = await open(file, 'wx').catch(() => undefined);
    if (handle !== undefined) {
      await handle.writeFile(JSON.stringify(thisProcess()));
      await handle.close();
      return true;
    }
    if (await isMenderAlive(file)) return false;
    await rm(file, { force: true });
  }
  return false;
}

/** A note that stays unreadable was cut off by a kill. */
async function isMenderAlive(file: string): Promise<boolean> {
  const until = performance.now() + NOTE_WAIT_MS;
  while (performance.now() < until) {
    const mender = readNote(await readFile(file, 'utf8').catch(() => ''));
    if (mender !== undefined) return isAlive(mender);
    await setTimeout(POLL_MS);
  }
  return false;
}

function readNote(note: string): Process | undefined {
  const found = /^\{"pid":(\d+),"startedAt":"([^"]*)"\}$/.exec(note);
  return found === null ? undefined : { pid: Number(found[1]), startedAt: found[2] ?? '' };
}

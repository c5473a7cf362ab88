// Removes lock files that killed processes left in Heddle's repository, where they would block every later move of a
// ref.
//
// stale-locks/K1. Only one process repairs a repository at a time, and workers never do.
// stale-locks/K2. A lock is removed only when it has no owner. Its owner was running before the lock was seen. So
//     Heddle lists the running git processes after it saw the lock, waits until all of them have exited, and checks
//     that it is still the same lock. A process that starts later finds the lock and cannot acquire it.
// stale-locks/K3. A lock that is still held at the end of the wait stays, and is reported.
import { existsSync, statSync } from 'node:fs';
import { open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Process } from '../../ports/log.ts';
import { isAlive, thisProcess } from '../../exec/process.ts';
import { processesAtWorkOn } from '../run/git-processes.ts';

/** How long running processes are waited for. */
const PATIENCE_MS = 10_000;
/** How long a repairing process may take to write its pid. */
const NOTE_WAIT_MS = 1_000;
const POLL_MS = 20;
const REPAIRING_FILE = 'repairing-locks.json';

export interface LockPlaces {
  /** As Heddle's processes name it on their command lines. */
  readonly gitDir: string;
  /** Locks in these folders and below are Heddle's to remove. */
  readonly folders: readonly string[];
  /** Locks elsewhere that are known to be Heddle's. */
  readonly files: readonly string[];
  /** Holds the note that a repair is in progress. */
  readonly home: string;
}

/** A lock that is still held is left alone. */
export interface FoundLock {
  readonly lock: string;
  readonly isRemoved: boolean;
}

export async function removeStaleLocks(places: LockPlaces): Promise<readonly FoundLock[]> {
  const { home } = places;
  if ((await locksOf(places)).length === 0 || !(await beginRepair(home))) return [];
  try {
    return await remove(places);
  } finally {
    await rm(join(home, REPAIRING_FILE), { force: true });
  }
}

async function remove(places: LockPlaces): Promise<readonly FoundLock[]> {
  const { gitDir } = places;
  const seen = (await locksOf(places)).map((lock) => ({ lock, identity: identityOf(lock) }));
  const isRemoved = await waitFor(processesAtWorkOn(gitDir));
  const left = seen.filter(({ lock, identity }) => identity !== undefined && identityOf(lock) === identity);
  if (isRemoved) for (const { lock } of left) await rm(lock, { force: true });
  return left.map(({ lock }) => ({ lock, isRemoved }));
}

async function waitFor(atWork: readonly Process[]): Promise<boolean> {
  const until = performance.now() + PATIENCE_MS;
  while (atWork.some(isAlive)) {
    if (performance.now() > until) return false;
    await setTimeout(POLL_MS);
  }
  return true;
}

async function locksOf({ folders, files }: LockPlaces): Promise<readonly string[]> {
  return [...(await locksBelow(folders)), ...files.filter((file) => existsSync(file))];
}

/** A person's git does not name its repository on the command line, but holds the lock of a ref for a moment only. */
const OLD_MS = 60_000;

/** Locks that no running git can hold, in folders where people move refs as well. */
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

/** False when another live process is repairing. */
async function beginRepair(home: string): Promise<boolean> {
  const file = join(home, REPAIRING_FILE);
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const handle = await open(file, 'wx').catch(() => undefined);
    if (handle !== undefined) {
      await handle.writeFile(JSON.stringify(thisProcess()));
      await handle.close();
      return true;
    }
    if (await isRepairerAlive(file)) return false;
    await rm(file, { force: true });
  }
  return false;
}

/** A note that stays unreadable was truncated by a kill. */
async function isRepairerAlive(file: string): Promise<boolean> {
  const until = performance.now() + NOTE_WAIT_MS;
  while (performance.now() < until) {
    const repairer = readNote(await readFile(file, 'utf8').catch(() => ''));
    if (repairer !== undefined) return isAlive(repairer);
    await setTimeout(POLL_MS);
  }
  return false;
}

function readNote(note: string): Process | undefined {
  const found = /^\{"pid":(\d+),"startedAt":"([^"]*)"\}$/.exec(note);
  return found === null ? undefined : { pid: Number(found[1]), startedAt: found[2] ?? '' };
}

// Locks between processes that the system itself takes back when their holder dies: a lock on a file of SQLite's, in which
// nothing is ever written. So a lock is never stale and nobody has to judge whether its holder lives.
import { mkdirSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

/** Names share so many files, so that ever more names do not leave ever more files; two names in one file only wait. */
const SLOTS = 256;
const POLL_MS_MIN = 1;
const POLL_MS_MAX = 50;

export interface LockName {
  /** Locks of different families may be held within each other, in one order; those of one family may not. */
  readonly family: 'sandbox' | 'layer' | 'template' | 'shelf' | 'ports';
  readonly name: string;
}

/** Does the deed while no other process, and nobody else in this one, holds the lock. */
export async function withLock<Result>(folder: string, name: LockName, deed: () => Promise<Result>): Promise<Result> {
  const release = await acquire(folder, name);
  try {
    return await deed();
  } finally {
    release();
  }
}

/** The same, unless somebody holds it: then nothing is done. */
export async function ifUnlocked<Result>(
  folder: string,
  name: LockName,
  deed: () => Promise<Result>,
): Promise<Result | undefined> {
  const release = tryAcquire(folder, name);
  if (release === undefined) return undefined;
  try {
    return await deed();
  } finally {
    release();
  }
}

async function acquire(folder: string, name: LockName): Promise<() => void> {
  for (let pauseMs = POLL_MS_MIN; ; pauseMs = Math.min(pauseMs * 2, POLL_MS_MAX)) {
    const release = tryAcquire(folder, name);
    if (release !== undefined) return release;
    await sleep(pauseMs);
  }
}

function tryAcquire(folder: string, name: LockName): (() => void) | undefined {
  mkdirSync(folder, { recursive: true });
  const database = new DatabaseSync(fileOf(folder, name));
  try {
    database.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
    return () => database.close();
  } catch (cause) {
    database.close();
    if (isBusy(cause)) return undefined;
    throw cause;
  }
}

function fileOf(folder: string, { family, name }: LockName): string {
  const slot = createHash('sha256').update(name).digest().readUInt16BE(0) % SLOTS;
  return join(folder, `${family}-${slot}`);
}

const SQLITE_BUSY = 5;
/** The lower byte is the kind of trouble, whatever SQLite adds to it. */
const isBusy = (cause: unknown): boolean =>
  cause instanceof Error && 'errcode' in cause && (Number(cause.errcode) & 0xff) === SQLITE_BUSY;

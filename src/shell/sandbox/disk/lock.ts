// Locks between processes that the system itself takes back when their holder dies: a lock on a file of SQLite's, in which
// nothing is ever written. So a lock is never stale and nobody has to judge whether its holder lives.
import { mkdirSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';

/** Names share so many files, so that ever more names do not leave ever more files; two names in one file only wait. */
const SLOTS = 256;
const POLL_MS_MIN = 1;
const POLL_MS_MAX = 20;

export interface LockName {
  /** Locks of different families may be held within each other, in one order; those of one family may not. */
  readonly family: 'sandbox' | 'layer' | 'template' | 'checkout' | 'shelf' | 'ports';
  readonly name: string;
}

/** Does the action while no other process, and nobody else in this one, holds the lock. */
export async function withLock<Result>(folder: string, name: LockName, action: () => Promise<Result>): Promise<Result> {
  const file = fileOf(folder, name);
  return inTurn(file, async () => {
    const release = await acquire(file, ALONE);
    try {
      return await action();
    } finally {
      release();
    }
  });
}

/** The same together with others who share it; whoever wants it alone waits for all of them, and they for him. */
export async function withSharedLock<Result>(
  folder: string,
  name: LockName,
  action: () => Promise<Result>,
): Promise<Result> {
  const release = await acquire(fileOf(folder, name), SHARED);
  try {
    return await action();
  } finally {
    release();
  }
}

/** The same, unless somebody holds it: then nothing is done. */
export async function ifUnlocked<Result>(
  folder: string,
  name: LockName,
  action: () => Promise<Result>,
): Promise<Result | undefined> {
  const release = tryAcquire(fileOf(folder, name), ALONE);
  if (release === undefined) return undefined;
  try {
    return await action();
  } finally {
    release();
  }
}

/** Within one process those who wait are woken in the order in which they came, rather than all look again and again. */
const turns = new Map<string, Promise<unknown>>();

async function inTurn<Result>(file: string, action: () => Promise<Result>): Promise<Result> {
  const before = turns.get(file);
  const mine = (before ?? Promise.resolve()).then(action, action);
  turns.set(file, mine);
  try {
    return await mine;
  } finally {
    if (turns.get(file) === mine) turns.delete(file);
  }
}

const ALONE = 'BEGIN EXCLUSIVE';
/** Looking into the file is what takes the lock. */
const SHARED = 'BEGIN; SELECT 1 FROM sqlite_schema';

async function acquire(file: string, how: string): Promise<() => void> {
  for (let pauseMs = POLL_MS_MIN; ; pauseMs = Math.min(pauseMs * 2, POLL_MS_MAX)) {
    const release = tryAcquire(file, how);
    if (release !== undefined) return release;
    await setTimeout(pauseMs);
  }
}

function tryAcquire(file: string, how: string): (() => void) | undefined {
  mkdirSync(dirname(file), { recursive: true });
  const database = new DatabaseSync(file);
  try {
    database.exec(`PRAGMA busy_timeout = 0; ${how}`);
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

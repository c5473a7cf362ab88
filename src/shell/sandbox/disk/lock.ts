// Locks between processes that the system releases when their holder dies: a lock on an SQLite file that is never
// written to. So a lock is never stale.
import { mkdirSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';

/**
 * Names share this many files, so that the number of files is bounded; two names in one file only wait for each other.
 */
const SLOTS = 256;
const POLL_MS_MIN = 1;
const POLL_MS_MAX = 20;

export interface LockName {
  /** Locks of different families may be nested, in one order; locks of one family may not. */
  readonly family: 'sandbox' | 'layer' | 'template' | 'checkout' | 'shelf' | 'ports';
  readonly name: string;
}

/** Runs `action` while no other process, and nobody else in this one, holds the lock. */
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

/** The same with a shared lock; an exclusive lock waits for all shared ones, and they for it. */
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

/** The same, unless the lock is held: then nothing is done. */
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

/** Within one process waiters are woken in order, rather than all of them polling. */
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
/** Reading the file acquires the lock. */
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
    // The journal of an empty file would be written to the disk, which may be full just when a sandbox is closed.
    database.exec(`PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; ${how}`);
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
/** The low byte is SQLite's primary result code. */
const isBusy = (cause: unknown): boolean =>
  cause instanceof Error && 'errcode' in cause && (Number(cause.errcode) & 0xff) === SQLITE_BUSY;

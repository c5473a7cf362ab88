// The files of a store: the files at its path, and the files that are created beside it when it is damaged.
import { closeSync, existsSync, fsyncSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** In the home folder. */
export const STORE_FILE = 'store.sqlite';

export interface StoreFilesFound {
  readonly store: string | undefined;
  readonly log: string | undefined;
  readonly sharing: string | undefined;
}

export const SUFFIXES = { log: '-wal', sharing: '-shm' } as const;

export const storeFilesAt = (file: string): StoreFilesFound => ({
  store: identityOf(file),
  log: identityOf(`${file}${SUFFIXES.log}`),
  sharing: identityOf(`${file}${SUFFIXES.sharing}`),
});

function identityOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? undefined : `${found.dev}:${found.ino}`;
}

export type PlaceChange = 'none' | 'store gone' | 'companion gone' | 'replaced';

/** The state of the files that a connection has open. */
export function changeOf(before: StoreFilesFound, present: StoreFilesFound): PlaceChange {
  const pairs = [
    [before.store, present.store],
    [before.log, present.log],
    [before.sharing, present.sharing],
  ] as const;
  const opened = pairs.filter(([was]) => was !== undefined);
  if (opened.some(([was, is]) => is !== undefined && is !== was)) return 'replaced';
  if (before.store !== present.store) return 'store gone';
  return opened.some(([, is]) => is === undefined) ? 'companion gone' : 'none';
}

/** At most this many files of one kind are created; then a person must decide. */
const FILES_MAX = 9;

/** `stem-1.sqlite` and so on; undefined when all are taken. */
export function freeName(home: string, stem: string): string | undefined {
  for (let number = 1; number <= FILES_MAX; number += 1) {
    const name = `${stem}-${number}.sqlite`;
    if (!existsSync(join(home, name))) return name;
  }
  return undefined;
}

/** SQLite does not sync a copy that it makes to the disk, so Heddle does, with its directory entry. */
export function settleFiles(home: string, file: string): void {
  for (const path of [file, home]) {
    const descriptor = openSync(path, 'r');
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }
}

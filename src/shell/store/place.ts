// Which files stand at the store's path. A connection keeps the files it opened, even when somebody deletes or replaces
// them, and what it writes into those nobody else will ever see.
import { statSync } from 'node:fs';

export interface Place {
  readonly store: string | undefined;
  readonly log: string | undefined;
  readonly sharing: string | undefined;
}

export const SUFFIXES = { log: '-wal', sharing: '-shm' } as const;

export const lookAt = (file: string): Place => ({
  store: identityOf(file),
  log: identityOf(`${file}${SUFFIXES.log}`),
  sharing: identityOf(`${file}${SUFFIXES.sharing}`),
});

function identityOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? undefined : `${found.dev}:${found.ino}`;
}

export type PlaceChange = 'none' | 'store gone' | 'companion gone' | 'replaced';

/** What became of the files that a connection has open. */
export function changeOf(before: Place, present: Place): PlaceChange {
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

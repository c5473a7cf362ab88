// State that all parts of an open store share.
import type { Clock } from '../ports/clock.ts';
import type { Process } from '../ports/log.ts';
import type { Connection } from './connection.ts';
import type { StoreFilesFound } from './store-files.ts';
import type { StoreFailure, StoreWarning } from '../../core/protocol/store-failure.ts';
import { salvageStore } from './salvage.ts';
import { storeErrorOf } from './store-error.ts';

/** The location of a store, whether it exists or not. */
export interface StorePlace {
  /** The folder of the store. */
  readonly home: string;
  readonly file: string;
  readonly clock: Clock;
}

export interface OpenedStore extends StorePlace {
  readonly connection: Connection;
  /** This process and its machine. */
  readonly process: Process;
  readonly host: string;
  /** Receives errors that were repaired or do no harm. */
  readonly warn: (warning: StoreWarning) => void;
  /** The files that the connection has open; changes when deleted files are restored. */
  place: StoreFilesFound;
  /** Commands that were posted through this connection: `dataVersion` does not count its own writes. */
  posts: number;
}

/** The failure of an error. A damaged store is salvaged first, so that its failure names the copy. */
export function failureFor({ home, file, clock }: StorePlace, error: unknown): StoreFailure {
  const { failure } = storeErrorOf(error, file);
  return failure.code === 'damaged' ? { ...failure, salvage: salvageStore({ home, file, now: clock.now() }) } : failure;
}

// State that all parts of an open store share.
import type { Clock } from '../ports/clock.ts';
import type { Process } from '../ports/log.ts';
import type { Connection } from './connection.ts';
import type { Place } from './store-files.ts';
import type { StoreFailure, StoreWarning } from '../../core/protocol/store-failure.ts';
import { salvage } from './salvage.ts';
import { storeErrorOf } from './store-error.ts';

/** The location of a store, whether it exists or not. */
export interface Whereabouts {
  /** The folder of the store. */
  readonly home: string;
  readonly file: string;
  readonly clock: Clock;
}

export interface OpenedStore extends Whereabouts {
  readonly connection: Connection;
  /** This process and its machine. */
  readonly process: Process;
  readonly host: string;
  /** Receives errors that were repaired or do no harm. */
  readonly warn: (warning: StoreWarning) => void;
  /** The files that the connection has open; changes when deleted files are restored. */
  place: Place;
  /** Commands that were posted through this connection: `dataVersion` does not count its own writes. */
  posts: number;
}

/** The failure of an error. A damaged store is salvaged first, so that its failure names the copy. */
export function failureFor({ home, file, clock }: Whereabouts, error: unknown): StoreFailure {
  const { failure } = storeErrorOf(error, file);
  return failure.code === 'damaged' ? { ...failure, salvage: salvage({ home, file, now: clock.now() }) } : failure;
}

// State that all parts of an open store share.
import type { Clock } from '../ports/clock.ts';
import type { Process } from '../ports/log.ts';
import type { Connection } from './connection.ts';
import type { Place } from './store-files.ts';
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
  /** Receives warnings of errors that were repaired. */
  readonly warn: (message: string) => void;
  /** The files that the connection has open; changes when deleted files are restored. */
  place: Place;
  /** Commands that were posted through this connection: `dataVersion` does not count its own writes. */
  posts: number;
}

/** The message for an error. A damaged store is salvaged first, so that the message can name the copy. */
export function messageFor({ home, file, clock }: Whereabouts, error: unknown): string {
  const known = storeErrorOf(error, file);
  if (known.type !== 'damaged') return known.message;
  return `${known.message} ${salvage({ home, file, now: clock.now() })}`;
}

// What all parts of an open store share.
import type { Clock } from '../ports/clock.ts';
import type { Process } from '../ports/log.ts';
import type { Connection } from './connection.ts';
import type { Place } from './store-files.ts';
import { salvage } from './salvage.ts';
import { storeErrorOf } from './store-error.ts';

/** Where a store stands, or should. */
export interface Whereabouts {
  /** The folder that the store stands in. */
  readonly home: string;
  readonly file: string;
  readonly clock: Clock;
}

export interface OpenedStore extends Whereabouts {
  readonly connection: Connection;
  /** This process, and the machine that it is on. */
  readonly process: Process;
  readonly host: string;
  /** Hears of what went wrong and was mended. */
  readonly warn: (message: string) => void;
  /** Which files the connection has open; another one after they were put back. */
  place: Place;
  /** Commands that were posted through this connection, which it does not tell itself of. */
  posts: number;
}

/** The message for an error. A damaged store is salvaged first, so that the message can say what was kept. */
export function messageFor({ home, file, clock }: Whereabouts, error: unknown): string {
  const known = storeErrorOf(error, file);
  if (known.type !== 'damaged') return known.message;
  return `${known.message} ${salvage({ home, file, now: clock.now() })}`;
}

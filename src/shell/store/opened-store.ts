// What all parts of an open store share.
import type { Clock } from '../ports/clock.ts';
import type { Process } from '../ports/log.ts';
import type { Connection } from './connection.ts';
import type { Place } from './store-files.ts';
import { salvage } from './salvage.ts';
import { troubleOf } from './store-error.ts';

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

/** Puts trouble into words. What is damaged is salvaged first, so that the words can say what was kept. */
export function tell({ home, file, clock }: Whereabouts, error: unknown): string {
  const trouble = troubleOf(error, file);
  if (trouble.type !== 'damaged') return trouble.message;
  return `${trouble.message} ${salvage({ home, file, now: clock.now() })}`;
}

// When the servers of its runs have last heard a host: told to its workers by a file (lease-times/A1).
//
// leases/R1. A message counts from the moment before it was composed, and only once a server that has the run answered it.
// leases/R2. A program that follows another in its home goes on with what that one knew.
import { join } from 'node:path';
import type { HeardRun } from '../../core/protocol/host-message.ts';
import { readLeases, writeLeases, type LeasePlace } from '../../shell/host/lease-file.ts';
import type { HostHome } from './host-home.ts';

export interface Leases {
  readonly place: LeasePlace;
  /** A message to the server is being composed. */
  readonly saying: (server: number, number: number) => void;
  readonly answered: (server: number, number: number, heard: readonly HeardRun[]) => void;
  /** The run is over. */
  readonly forget: (run: string) => void;
}

const LEASES = 'leases.json';
/** Answers may come fast; workers look once a second. */
const WRITE_EVERY_MS = 1_000;
/** Answers to older messages say nothing that a later one does not. */
const MESSAGES_MAX = 32;

/** `clock` is that of the machine. */
export function openLeases({ folder, instance }: Pick<HostHome, 'folder' | 'instance'>, clock: () => number): Leases {
  const place = { file: join(folder, LEASES), instance };
  const heardAt = new Map(readLeases(place.file, clock())?.heardAt);
  const written = new Map<string, number>();
  const said = new Map<number, Map<number, number>>();
  const write = (): void => {
    if (!writeLeases(place.file, { instance, heardAt })) return;
    for (const [run, at] of heardAt) written.set(run, at);
  };
  // Before workers of the earlier program are looked for (watch-lease/T2).
  write();
  return {
    place,
    saying: (server, number) => {
      const ofServer = said.get(server) ?? new Map<number, number>();
      said.set(server, ofServer.set(number, clock()));
      ofServer.delete(number - MESSAGES_MAX);
    },
    answered: (server, number, heard) => {
      const saidAt = said.get(server)?.get(number);
      if (saidAt === undefined) return;
      for (const { run, uncertainMs } of heard) heardAt.set(run, Math.max(heardAt.get(run) ?? 0, saidAt - uncertainMs));
      const isNews = ({ run }: HeardRun): boolean =>
        (heardAt.get(run) ?? 0) - (written.get(run) ?? -Infinity) >= WRITE_EVERY_MS;
      if (heard.some(isNews)) write();
    },
    forget: (run) => {
      heardAt.delete(run);
      written.delete(run);
    },
  };
}

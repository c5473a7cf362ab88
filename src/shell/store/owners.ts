// Ownership of a run: the owner is the only process that may append to the run's log.
//
// store/O1. Every owner has an epoch higher than all before, and every append checks it in its transaction. So an owner
//     that was suspended, replaced and resumed can write nothing.
// store/O2. An owner on this machine counts as present while its process lives, however silent; an owner on another
//     machine while its heartbeat is recent.
import { isAlive } from '../exec/process.ts';
import type { Owner, Process } from '../ports/log.ts';
import { numberIn, textOfColumn, type Connection } from './connection.ts';
import type { OpenedStore } from './opened-store.ts';
import { lastHeartbeat } from './high-water-mark.ts';

/** An owner on another machine counts as dead after this time without a heartbeat. */
const FAR_SILENCE_MS = 30_000;

interface Entry {
  readonly owner: Owner;
  /** The owner has released the run. */
  readonly isGone: boolean;
}

export function ownerEntry(connection: Connection, run: string): Entry | undefined {
  const row = connection.row('SELECT epoch, pid, started_at, host, since, is_gone FROM owners WHERE run = ?', run);
  if (row === undefined) return undefined;
  const owner = {
    pid: numberIn(row, 'pid'),
    startedAt: textOfColumn(row, 'started_at'),
    host: textOfColumn(row, 'host'),
    since: numberIn(row, 'since'),
    epoch: numberIn(row, 'epoch'),
  };
  return { owner, isGone: numberIn(row, 'is_gone') !== 0 };
}

export type RunTaken =
  | { readonly type: 'taken'; readonly owner: Owner }
  | { readonly type: 'refused'; readonly by: Owner; readonly silentMs: number };

export function takeRun(opened: OpenedStore, run: string, takesOver: boolean): RunTaken {
  const { connection, clock, process, host } = opened;
  return connection.transaction(() => {
    const before = ownerEntry(connection, run);
    if (before !== undefined && !before.isGone && !takesOver) {
      const silentMs = silenceOf(opened, run, before.owner);
      if (isProcessThere(before.owner, { host, silentMs })) return { type: 'refused', by: before.owner, silentMs };
    }
    const { pid, startedAt } = process;
    const owner = { pid, startedAt, host, since: clock.now(), epoch: (before?.owner.epoch ?? 0) + 1 };
    writeOwner(connection, run, owner);
    return { type: 'taken', owner };
  });
}

const silenceOf = ({ home, clock }: OpenedStore, run: string, owner: Owner): number =>
  Math.max(0, clock.now() - Math.max(lastHeartbeat(home, run) ?? owner.since, owner.since));

export interface Standpoint {
  readonly host: string;
  readonly silentMs: number;
}

/** Whether an owner is alive, as seen from a host. */
export const isProcessThere = (
  owner: Owner,
  { host, silentMs }: Standpoint,
  isLiving: (one: Process) => boolean = isAlive,
): boolean => (owner.host === host ? isLiving(owner) : silentMs < FAR_SILENCE_MS);

function writeOwner(connection: Connection, run: string, owner: Owner): void {
  const { epoch, pid, startedAt, host, since } = owner;
  connection.change(
    'INSERT OR REPLACE INTO owners (run, epoch, pid, started_at, host, since, is_gone) VALUES (?, ?, ?, ?, ?, ?, 0)',
    run,
    epoch,
    pid,
    startedAt,
    host,
    since,
  );
}

/** Only the owner with this epoch can release the run. */
export const giveUp = (connection: Connection, run: string, epoch: number): void => {
  connection.transaction(() =>
    connection.change('UPDATE owners SET is_gone = 1 WHERE run = ? AND epoch = ?', run, epoch),
  );
};

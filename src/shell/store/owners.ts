// Who owns a run: the one process that may append to its log.
//
// store/O1. Each owner has an epoch of its own, higher than those before, and every append checks it in its transaction. So
//     one that was stopped, taken over and woken up can write nothing.
// store/O2. An owner on this machine counts as present while its process lives, however silent; one on another machine while
//     its heartbeat is young.
import { isAlive } from '../exec/process.ts';
import type { Owner, Process } from '../ports/log.ts';
import { numberIn, textIn, type Connection } from './connection.ts';
import type { OpenedStore } from './opened-store.ts';
import { lastHeartbeat } from './high-water-mark.ts';

/** How long an owner on another machine may be silent. */
const FAR_SILENCE_MS = 30_000;

interface Entry {
  readonly owner: Owner;
  /** It gave the run up. */
  readonly isGone: boolean;
}

export function ownerEntry(connection: Connection, run: string): Entry | undefined {
  const row = connection.row('SELECT epoch, pid, started_at, host, since, is_gone FROM owners WHERE run = ?', run);
  if (row === undefined) return undefined;
  const owner = {
    pid: numberIn(row, 'pid'),
    startedAt: textIn(row, 'started_at'),
    host: textIn(row, 'host'),
    since: numberIn(row, 'since'),
    epoch: numberIn(row, 'epoch'),
  };
  return { owner, isGone: numberIn(row, 'is_gone') !== 0 };
}

export type Taken =
  | { readonly type: 'taken'; readonly owner: Owner }
  | { readonly type: 'refused'; readonly by: Owner; readonly silentMs: number };

export function takeRun(opened: OpenedStore, run: string, takesOver: boolean): Taken {
  const { connection, clock, process, host } = opened;
  return connection.transaction(() => {
    const before = ownerEntry(connection, run);
    if (before !== undefined && !before.isGone && !takesOver) {
      const silentMs = silenceOf(opened, run, before.owner);
      if (isThere(before.owner, { host, silentMs })) return { type: 'refused', by: before.owner, silentMs };
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

/** Whether an owner is still there, as seen from a host. */
export const isThere = (
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

/** Only the owner of this epoch can give the run up. */
export const giveUp = (connection: Connection, run: string, epoch: number): void => {
  connection.transaction(() =>
    connection.change('UPDATE owners SET is_gone = 1 WHERE run = ? AND epoch = ?', run, epoch),
  );
};

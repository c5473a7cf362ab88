// Takes ownership of a run for this process, writes its heartbeat, and releases ownership.
import type { Owner } from '../ports/log.ts';
import type { LocalOwned } from '../ports/ownership.ts';
import { keepPlace } from './keep-place.ts';
import { messageFor, type OpenedStore } from './opened-store.ts';
import { ownedLog, type Owning } from './owned-log.ts';
import { giveUp, takeRun } from './owners.ts';
import { lastEnd, readLog, type LogRead } from './read-log.ts';
import { recordText } from './records.ts';
import { writeHeartbeat } from './high-water-mark.ts';

const HEARTBEAT_EVERY_MS = 5_000;

export function ownRun(opened: OpenedStore, run: string, takesOver: boolean): LocalOwned {
  const { connection } = opened;
  try {
    const message = keepPlace(opened);
    if (message !== undefined) return { type: 'failed', message };
    if (recordText(connection, run) === undefined) return { type: 'failed', message: unknownRun(opened, run) };
    // The log is verified before ownership is taken: nothing is written to a damaged store.
    const found = readLog(opened, run, 0);
    if (found.error !== undefined) return { type: 'failed', message: messageFor(opened, found.error) };
    if (found.events.length === 0) return { type: 'failed', message: emptyLog(run) };
    const taken = takeRun(opened, run, takesOver);
    if (taken.type === 'refused') return taken;
    return owned(opened, { run, owner: taken.owner, found: upToDate(opened, run, found) });
  } catch (error) {
    return { type: 'failed', message: messageFor(opened, error) };
  }
}

/** The previous owner may have appended between the read and the change of ownership. */
const upToDate = (opened: OpenedStore, run: string, found: LogRead): LogRead =>
  lastEnd(opened.connection, run).position === found.end.position ? found : readLog(opened, run, 0);

function owned(opened: OpenedStore, { run, owner, found }: Omit<Owning, 'onFenced'>): LocalOwned {
  const stopHeartbeat = keepHeartbeat(opened, run);
  const release = (): void => {
    stopHeartbeat();
    giveUpQuietly(opened, run, owner);
  };
  return { type: 'owned', owner, release, log: ownedLog(opened, { run, owner, found, onFenced: stopHeartbeat }) };
}

function keepHeartbeat({ home, clock, warn }: OpenedStore, run: string): () => void {
  let isWarned = false;
  const show = (): void => {
    try {
      writeHeartbeat(home, run, clock.now());
    } catch (error) {
      if (!isWarned)
        warn(`The run ${run} cannot show that it is alive: ${error instanceof Error ? error.message : ''}.`);
      isWarned = true;
    }
  };
  show();
  const timer = setInterval(show, HEARTBEAT_EVERY_MS).unref();
  return () => clearInterval(timer);
}

function giveUpQuietly(opened: OpenedStore, run: string, owner: Owner): void {
  if (!opened.connection.isOpen()) return;
  try {
    giveUp(opened.connection, run, owner.epoch);
  } catch (error) {
    // Harmless: the next coordinator sees by the pid that this process has exited.
    opened.warn(messageFor(opened, error));
  }
}

/** Only a salvaged store can have a run without events. */
const emptyLog = (run: string): string =>
  `Nothing is left of the log of the run ${run}, so it cannot go on. Start its plan again as another run.`;

export const unknownRun = ({ file }: OpenedStore, run: string): string =>
  `There is no run ${run} in ${file}. Look at the names of the runs that there are, and try again.`;

// Takes ownership of a run for this process, writes its heartbeat, and releases ownership.
import type { Owner } from '../ports/log.ts';
import type { LocalOwned } from '../ports/ownership.ts';
import { keepPlace } from './keep-place.ts';
import { failureFor, type OpenedStore } from './opened-store.ts';
import { ownedLog, type OwnedLogOptions } from './owned-log.ts';
import { giveUp, takeRun } from './owners.ts';
import type { RunEvent } from '../../core/engine/event.ts';
import { lastEnd, readLog, type LogRead } from './read-log.ts';
import { recordText } from './records.ts';
import { writeHeartbeat } from './high-water-mark.ts';

const HEARTBEAT_EVERY_MS = 5_000;

export function ownRun(opened: OpenedStore, run: string, takesOver: boolean): LocalOwned {
  const { connection } = opened;
  try {
    const failure = keepPlace(opened);
    if (failure !== undefined) return { type: 'failed', failure };
    if (recordText(connection, run) === undefined)
      return { type: 'failed', failure: { code: 'run-unknown', run, file: opened.file } };
    // The log is verified before ownership is taken: nothing is written to a damaged store.
    const found = readLog(opened, run);
    if (found.error !== undefined) return { type: 'failed', failure: failureFor(opened, found.error) };
    if (found.items.length === 0) return { type: 'failed', failure: { code: 'log-empty', run } };
    const taken = takeRun(opened, run, takesOver);
    if (taken.type === 'refused') return taken;
    return owned(opened, { run, owner: taken.owner, found: upToDate(opened, run, found) });
  } catch (error) {
    return { type: 'failed', failure: failureFor(opened, error) };
  }
}

/** The previous owner may have appended between the read and the change of ownership. */
const upToDate = (opened: OpenedStore, run: string, found: LogRead<RunEvent>): LogRead<RunEvent> =>
  lastEnd(opened.connection, run).position === found.end.position ? found : readLog(opened, run);

function owned(opened: OpenedStore, { run, owner, found }: Omit<OwnedLogOptions, 'onFenced'>): LocalOwned {
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
        warn({ code: 'heartbeat-unwritten', run, cause: error instanceof Error ? error.message : String(error) });
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
    opened.warn({ code: 'failed', failure: failureFor(opened, error) });
  }
}

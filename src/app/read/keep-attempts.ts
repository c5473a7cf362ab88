// The attempts of every task of the runs that are looked at, by the events that were read so far: a log of a large run takes
// seconds to read, and a page asks for the output of one task after the other.
//
// keep-attempts/N1. Attempts come from the log alone, each event counted once; a log that was shortened is read again.
import type { RunEvent } from '../../core/engine/event.ts';
import type { RunRecord } from '../../shell/ports/log.ts';
import { eventsFrom } from '../fold-run.ts';
import type { OpenProject } from '../open-project.ts';
import { attemptsOf, type Attempt } from './read-output.ts';

export interface KeptAttempts {
  /** Events that somebody has read, from a position on; others than the next ones are ignored. */
  readonly note: (of: OfRun, from: number, events: readonly RunEvent[]) => void;
  /** The attempts of a task in the log as it is now. */
  readonly of: (open: OpenProject, record: Pick<RunRecord, 'run'>, task: string) => readonly Attempt[];
}

export interface OfRun {
  /** The folder of the store. */
  readonly home: string;
  readonly run: string;
}

interface Known {
  position: number;
  byTask: Map<string, Attempt[]>;
}

/** Runs that were looked at longest ago are forgotten. */
const RUNS_MAX = 16;

export function keepAttempts(): KeptAttempts {
  const runs = new Map<string, Known>();
  const knownOf = ({ home, run }: OfRun): Known => {
    const key = JSON.stringify([home, run]);
    const known = runs.get(key) ?? { position: 0, byTask: new Map<string, Attempt[]>() };
    runs.delete(key);
    runs.set(key, known);
    for (const oldest of [...runs.keys()].slice(0, -RUNS_MAX)) runs.delete(oldest);
    return known;
  };
  const note: KeptAttempts['note'] = (of, from, events) => {
    const known = knownOf(of);
    if (from > known.position) return;
    take(known, events.slice(known.position - from));
  };
  return {
    note,
    of: ({ store, project: { home } }, { run }, task) => {
      const known = knownOf({ home, run });
      const end = store.endOf(run);
      if (end < known.position) Object.assign(known, { position: 0, byTask: new Map() });
      if (end > known.position) take(known, eventsFrom(store, run, known.position).events);
      return known.byTask.get(task) ?? [];
    },
  };
}

function take(known: Known, events: readonly RunEvent[]): void {
  for (const event of events) {
    known.position += 1;
    if (event.type !== 'claim.made') continue;
    const own = known.byTask.get(event.task) ?? [];
    own.push(...attemptsOf([event], event.task));
    known.byTask.set(event.task, own);
  }
}

// The attempts of every task of the runs that are looked at, by the events that were read so far: a log of a large run takes
// seconds to read, and a page asks for the output of one task after the other.
//
// keep-attempts/N1. Attempts come from the log alone, each event counted once; a log that was shortened is read again.
import { readEvent } from '../../core/engine/events/event-format.ts';
import type { EventText, RunRecord } from '../../shell/ports/log.ts';
import type { OpenProject } from '../open-project.ts';
import { Refused } from '../refused.ts';
import { attemptsOf, type Attempt } from './read-output.ts';

export interface KeptAttempts {
  /** Events that somebody has read, from a position on; others than the next ones are ignored. */
  readonly note: (of: RunFolder, from: number, texts: readonly EventText[]) => void;
  /** The attempts of a task in the log as it is now. */
  readonly of: (open: OpenProject, record: Pick<RunRecord, 'run'>, task: string) => readonly Attempt[];
}

export interface RunFolder {
  /** The folder of the store. */
  readonly home: string;
  readonly run: string;
}

interface Known {
  position: number;
  byTask: Map<string, Attempt[]>;
}

/** Events that are held at once, however long the log. */
const PAGE_EVENTS = 2_048;
/** Runs that were looked at longest ago are forgotten. */
const RUNS_MAX = 16;

export function keepAttempts(): KeptAttempts {
  const runs = new Map<string, Known>();
  const knownOf = ({ home, run }: RunFolder): Known => {
    const key = JSON.stringify([home, run]);
    const known = runs.get(key) ?? { position: 0, byTask: new Map<string, Attempt[]>() };
    runs.delete(key);
    runs.set(key, known);
    for (const oldest of [...runs.keys()].slice(0, -RUNS_MAX)) runs.delete(oldest);
    return known;
  };
  const note: KeptAttempts['note'] = (of, from, texts) => {
    const known = knownOf(of);
    if (from > known.position) return;
    take(known, texts.slice(known.position - from));
  };
  return {
    note,
    of: ({ store, project: { home } }, { run }, task) => {
      const known = knownOf({ home, run });
      const end = store.endOf(run);
      if (end < known.position) Object.assign(known, { position: 0, byTask: new Map() });
      while (known.position < end) {
        const { texts, failure } = store.textsFrom(run, known.position, PAGE_EVENTS);
        if (failure !== undefined) throw new Refused({ code: 'store', failure });
        take(known, texts);
      }
      return known.byTask.get(task) ?? [];
    },
  };
}

/** Few events are claims, so few are parsed. */
function take(known: Known, texts: readonly EventText[]): void {
  for (const { type, json } of texts) {
    known.position += 1;
    const read = type === 'claim.made' ? readEvent(json) : undefined;
    if (read?.type !== 'event' || read.event.type !== 'claim.made') continue;
    const { event } = read;
    const own = known.byTask.get(event.task) ?? [];
    own.push(...attemptsOf([event], event.task));
    known.byTask.set(event.task, own);
  }
}

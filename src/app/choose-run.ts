// Which run a command is about: the one named, else the latest.
import { nearest } from '../core/plan/language/nearest-name.ts';
import type { RunRecord } from '../shell/ports/log.ts';
import type { Store } from '../shell/ports/store.ts';
import { Refused } from './refusal.ts';

export interface Chosen {
  readonly record: RunRecord;
  /** Undefined when the whole run is meant. */
  readonly task: string | undefined;
}

/** A name of a run, or of a task in the run that is named beside it, else in the latest. */
export function chooseRunOrTask(store: Store, named: string | undefined, run: string | undefined): Chosen {
  const isRun = named === undefined || (run === undefined && store.find(named) !== undefined);
  if (isRun) return { record: chooseRun(store, named ?? run), task: undefined };
  return { record: chooseRun(store, run), task: named };
}

export function chooseRun(store: Store, named: string | undefined): RunRecord {
  const record = named === undefined ? store.runs().at(-1) : store.find(named);
  if (record !== undefined) return record;
  const runs = store.runs().map(({ run }) => run);
  if (named === undefined) throw new Refused({ code: 'no-runs', folder: undefined });
  throw new Refused({ code: 'run-unknown', run: named, like: nearest(named, runs), latest: runs.at(-1) });
}

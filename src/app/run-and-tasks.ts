// Reads the words after a command: a run, tasks of it, or both. A word that is the id of a run means that run.
import type { RunRecord } from '../shell/ports/log.ts';
import type { Store } from '../shell/ports/store.ts';
import { chooseRun } from './choose-run.ts';

export interface RunAndTasks {
  readonly record: RunRecord;
  readonly tasks: readonly string[];
}

export function runAndTasks(store: Store, words: readonly string[], named: string | undefined): RunAndTasks {
  const [first, ...rest] = words;
  const isRun = named === undefined && first !== undefined && store.find(first) !== undefined;
  return isRun ? { record: chooseRun(store, first), tasks: rest } : { record: chooseRun(store, named), tasks: words };
}

// Reads the words after `heddle amend`: a run, a plan, or both. A word that is the id of a run means that run.
import type { RunRecord, Store } from '../../shell/ports.ts';
import { Failure } from '../failure.ts';
import { chooseRun } from '../choose-run.ts';

export interface RunAndPlan {
  readonly record: RunRecord;
  /** Undefined is the one that is looked for by its usual names. */
  readonly file: string | undefined;
}

export function runAndPlan(store: Store, words: readonly string[]): RunAndPlan {
  const [first, second, third] = words;
  if (third !== undefined) throw new Failure(`heddle amend takes a run and a plan; ${third} is one word too many.`);
  if (second !== undefined) return { record: chooseRun(store, first), file: second };
  const isRun = first !== undefined && store.find(first) !== undefined;
  return { record: chooseRun(store, isRun ? first : undefined), file: isRun ? undefined : first };
}

// Whether a run can land completely, and otherwise its part that can.
import type { State } from '../../core/engine/state.ts';
import { Refused } from '../refusal.ts';
import type { RunInGit } from './open-run.ts';

export interface WhatLands {
  /** Tasks that are done: checked, and on the run branch. So are their needs, because needs end first. */
  readonly done: readonly string[];
  /** Tasks whose expected work is missing. */
  readonly undone: readonly string[];
  /** The run has ended, and no work is missing. */
  readonly isWhole: boolean;
}

export function whatLands({ compiled, tasks, run }: State): WhatLands {
  const working = compiled.tasks.filter(({ task }) => task.type === 'work');
  const endings = working.map(({ task, index }) => ({ path: task.path, ended: tasks[index]?.ended }));
  const done = endings.filter(({ ended }) => ended?.ending === 'done').map(({ path }) => path);
  // Skipped tasks and losers of a race owe no work.
  const undone = endings
    .filter(({ ended }) => !(ended?.ending === 'done' || ended?.ending === 'skipped' || ended?.reason === 'race'))
    .map(({ path }) => path);
  return { done, undone, isWhole: run.stage === 'ended' && undone.length === 0 };
}

/** Refuses an incomplete run. */
export function mustBeWhole({ folded }: RunInGit): void {
  const { done, undone, isWhole } = whatLands(folded.state);
  if (isWhole) return;
  const { run } = folded.record;
  const hasEnded = folded.state.run.stage === 'ended';
  throw new Refused({ code: 'not-whole', run, hasEnded, done: done.length, total: done.length + undone.length });
}

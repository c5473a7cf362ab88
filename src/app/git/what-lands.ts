// Whether a run can be landed completely, and otherwise which part of it.
import type { State } from '../../core/engine/state.ts';
import { Refused } from '../refusal.ts';
import type { RunInGit } from './open-run.ts';

export interface WhatLands {
  /** Tasks that are done: checked, and on the run branch. All that they need is too, because they began after it. */
  readonly done: readonly string[];
  /** Tasks that are to bring work and have not. */
  readonly undone: readonly string[];
  /** The run has ended, and nothing of it is missing. */
  readonly isWhole: boolean;
}

export function whatLands({ compiled, tasks, run }: State): WhatLands {
  const working = compiled.tasks.filter(({ task }) => task.type === 'work');
  const endings = working.map(({ task, index }) => ({ path: task.path, ended: tasks[index]?.ended }));
  const done = endings.filter(({ ended }) => ended?.ending === 'done').map(({ path }) => path);
  // What was skipped, or lost a race, was not wanted.
  const undone = endings
    .filter(({ ended }) => !(ended?.ending === 'done' || ended?.ending === 'skipped' || ended?.reason === 'race'))
    .map(({ path }) => path);
  return { done, undone, isWhole: run.stage === 'ended' && undone.length === 0 };
}

/** Refuses a run that is not complete. */
export function mustBeWhole({ folded }: RunInGit): void {
  const { done, undone, isWhole } = whatLands(folded.state);
  if (isWhole) return;
  const { run } = folded.record;
  const hasEnded = folded.state.run.stage === 'ended';
  throw new Refused({ code: 'not-whole', run, hasEnded, done: done.length, total: done.length + undone.length });
}

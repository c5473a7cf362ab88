// Whether a run can be landed completely, and otherwise which part of it.
import type { State } from '../../core/engine/state.ts';

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

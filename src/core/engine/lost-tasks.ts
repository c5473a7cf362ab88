// The tasks that are not done after all, when the run branch lacks merges that the log has: somebody removed or changed
// the integration repository.
//
// lost-tasks/L1. Merges are in the log in the order of the run branch, so a branch that lacks one lacks all later ones.
// lost-tasks/L2. A task that ended well on top of a lost one is lost with it, whether or not it made commits; so is a
//     subplan that ended well around one. Then nothing that is done rests on work that is gone, and all of it can be
//     retried.
import type { TaskIndex } from '../compile/meaning.ts';
import type { LostTask, RunEvent } from './event.ts';
import { factsOf, taskAt } from './facts.ts';
import { isTiedTo, withInside } from './reset-set.ts';
import type { State } from './state.ts';

/** A run branch, found at `branch`, that lacks a merge of the log. */
export interface Rewound {
  readonly lacks: string;
  readonly branch: string;
}

/** The event after which the log agrees with the run branch; undefined where it does, or where later merges are known. */
export function tasksLost(state: State, { lacks, branch }: Rewound, at: number): RunEvent | undefined {
  if (lacks !== state.run.merged) return undefined;
  const kept = state.tasks.find(({ merged }) => merged?.commit === branch)?.merged;
  const lost = new Map<TaskIndex, TaskIndex | undefined>();
  for (const { index } of state.compiled.tasks)
    if ((factsOf(state, index).merged?.event ?? 0) > (kept?.event ?? 0)) lost.set(index, undefined);
  if (lost.size === 0) return undefined;
  // A map is iterated in the order of insertion, with what is added meanwhile.
  for (const index of lost.keys())
    for (const other of restingOn(state, index)) if (!lost.has(other)) lost.set(other, index);
  const pathOf = (index: TaskIndex): string => taskAt(state, index).task.path;
  const tasks = [...lost]
    .toSorted(([left], [right]) => left - right)
    .map(([index, cause]): LostTask => ({
      task: pathOf(index),
      cause: cause === undefined ? undefined : pathOf(cause),
    }));
  return { type: 'task.lost', at, tasks, merged: kept?.commit };
}

/** The tasks that ended well and used the work of this one, and the subplans that ended well around it. */
function restingOn(state: State, index: TaskIndex): readonly TaskIndex[] {
  const users = usersOf(state, index).flatMap((user) => withInside(state, user));
  const { parent } = taskAt(state, index);
  return [...users, ...(parent === undefined ? [] : [parent])].filter((each) => isDone(state, each));
}

/** The dependents that opened because this task was done. */
export const usersOf = (state: State, index: TaskIndex): readonly TaskIndex[] =>
  taskAt(state, index).dependents.filter(
    (dependent) =>
      factsOf(state, dependent).openedAt !== undefined && isTiedTo(taskAt(state, dependent), factsOf(state, index)),
  );

const isDone = (state: State, index: TaskIndex): boolean =>
  factsOf(state, index).openedAt !== undefined && factsOf(state, index).ended?.ending === 'done';

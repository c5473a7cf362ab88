// The tasks that run again together when some ended tasks do: the smallest set around them such that the rest of the
// run is a run in which none of them ever began.
//
// reset-set/V1. A task outside the set has never used a token from a task inside: a task that took one is inside too,
//     and is as if it had not begun. So the events of the tasks outside, by themselves, lead to the remaining marking.
// reset-set/V2. Successful work on top of a task is not undone: then the task cannot run again.
// reset-set/V3. A subplan that had opened is opened again in place, and its ended tasks keep their endings; except a
//     subplan on top of a task that runs again: its tasks rest on that work too, so all of it is as if it had not begun.

import { isInside } from '../compile/compiled.ts';
import { countAt } from '../net/play.ts';
import { factsOf, isLasting, taskAt } from './facts.ts';
import { satisfies } from './token.ts';
import type { CompiledTask } from '../compile/compiled.ts';
import type { TaskIndex } from '../compile/meaning.ts';
import type { State } from './state.ts';
import type { TaskFacts, Why } from './task-facts.ts';

export type Obstacle =
  /** The task `by` has continued from it, or still does. */
  | { readonly type: 'used'; readonly by: TaskIndex }
  /** It ran in the race of `by`, and the race is decided. */
  | { readonly type: 'raced'; readonly by: TaskIndex }
  /** It was never begun because of `by`, or rests on the lost work of `by`, which would have to run again too. */
  | { readonly type: 'needs'; readonly by: string };

export interface ResetSet {
  /** The whole set, in the order of the plan. */
  readonly tasks: readonly TaskIndex[];
  /** Tasks of the set that were ended for a reason of their own, and are ended for it again. */
  readonly again: readonly { readonly task: TaskIndex; readonly why: Why }[];
  readonly refused: ReadonlyMap<TaskIndex, Obstacle>;
}

/** The tasks among this task, or inside this subplan, that can run again at all. */
export function endedBadly(state: State, index: TaskIndex): readonly TaskIndex[] {
  const facts = factsOf(state, index);
  if (isOpenedSubplan(state, index)) return taskAt(state, index).children.flatMap((child) => endedBadly(state, child));
  const isBad = facts.ended === undefined ? isCancellingUnopened(state, index) : !satisfies(facts.ended.ending);
  return isBad ? [index] : [];
}

/** The task will be dropped as soon as its needs have ended, which can still be taken back. */
function isCancellingUnopened(state: State, index: TaskIndex): boolean {
  return factsOf(state, index).cancelling !== undefined && isWaiting(state, index);
}

/** All failed or cancelled tasks of the run, except losers of a race, which the plan intended. */
export function retriableOfRun(state: State): ResetSet {
  const ended = state.compiled.tasks.flatMap(({ index, parent }) =>
    parent === undefined ? endedBadly(state, index) : [],
  );
  return retriable(
    state,
    ended.filter((index) => factsOf(state, index).ended !== undefined),
  );
}

/** The tasks among these whose retry has an effect. */
export function retriable(state: State, named: readonly TaskIndex[]): ResetSet {
  const wanted = named.flatMap((index) => endedBadly(state, index));
  const isBlocked = (index: TaskIndex): boolean => blockedBy(state, index) !== undefined;
  const resetSet = resetSetOf(
    state,
    wanted.filter((index) => !isBlocked(index)),
    { wanted, join: undefined },
  );
  const refused = new Map(resetSet.refused);
  const members = new Set(resetSet.tasks);
  for (const index of wanted) {
    const by = blockedBy(state, index);
    if (by !== undefined && !members.has(index)) refused.set(index, { type: 'needs', by });
  }
  return { ...resetSet, refused };
}

/** The ended tasks among these to skip, so that the tasks that need them may run. */
export const skippable = (state: State, named: readonly TaskIndex[]): ResetSet => {
  const wanted = named.flatMap((index) => endedBadly(state, index));
  return resetSetOf(state, wanted, { wanted, join: undefined });
};

/** The failed needs of an open join, the tasks that failed before them, and all tasks that run again with them. */
export function rejoinable(state: State, { index, needs }: CompiledTask): ResetSet {
  const failed = new Set<TaskIndex>();
  for (const need of needs) addFailures(state, need, failed);
  return resetSetOf(state, [...failed], { wanted: [...failed], join: index });
}

/** Tasks that a person cancelled, and losers of a race, are not failures. */
function addFailures(state: State, index: TaskIndex, failed: Set<TaskIndex>): void {
  for (const bad of endedBadly(state, index)) {
    const { ended } = factsOf(state, bad);
    const isEndedByOther = ended?.reason === 'need' || ended?.reason === 'fail_fast';
    const cause = isEndedByOther ? state.compiled.indexOf.get(ended.cause ?? '') : undefined;
    if (cause !== undefined && cause !== bad) addFailures(state, cause, failed);
    else if (ended?.ending === 'failed') failed.add(bad);
  }
}

/** The task because of which this one was never begun, or whose lost work this one rests on. */
function blockedBy(state: State, index: TaskIndex): string | undefined {
  const { ended, openedAt } = factsOf(state, index);
  if (openedAt === undefined && ended?.reason === 'need') return ended.cause;
  for (let at: TaskIndex | undefined = index; at !== undefined; at = taskAt(state, at).parent) {
    const { needs } = taskAt(state, at);
    const isLost = (need: TaskIndex): boolean => factsOf(state, need).ended?.reason === 'lost';
    const lost = factsOf(state, at).openedAt === undefined ? undefined : needs.find(isLost);
    if (lost !== undefined) return taskAt(state, lost).task.path;
  }
  return undefined;
}

interface ResetFor {
  readonly wanted: readonly TaskIndex[];
  /** The open join for which its needs run again; it goes back with them. */
  readonly join: TaskIndex | undefined;
}

function resetSetOf(state: State, first: readonly TaskIndex[], { wanted, join }: ResetFor): ResetSet {
  const members = new Set<TaskIndex>();
  const refused = new Map<TaskIndex, Obstacle>();
  const causes = endedBecauseOf(state, { withRunning: false });
  for (const index of first) {
    const obstacle = decidedRace(state, index) ?? addAll(state, { first: index, members, causes, join });
    if (obstacle !== undefined) refused.set(index, obstacle);
  }
  const tasks = [...members].sort((left, right) => left - right);
  return { tasks, again: endedAgain(state, tasks, { members, wanted: new Set(wanted) }), refused };
}

interface Adding {
  readonly first: TaskIndex;
  readonly members: Set<TaskIndex>;
  readonly causes: ReadonlyMap<string, readonly TaskIndex[]>;
  readonly join: TaskIndex | undefined;
}

/** Adds a task and all tasks that go with it, or nothing when there is an obstacle. */
function addAll(state: State, { first, members, causes, join }: Adding): Obstacle | undefined {
  const added: TaskIndex[] = [];
  const pending: TaskIndex[] = [first];
  for (let index = pending.pop(); index !== undefined; index = pending.pop()) {
    if (members.has(index)) continue;
    const obstacle = index === join ? undefined : obstacleAt(state, index);
    if (obstacle !== undefined) {
      for (const each of added) members.delete(each);
      return obstacle;
    }
    members.add(index);
    added.push(index);
    for (const other of goingWith(state, taskAt(state, index), causes)) pending.push(other);
  }
  return undefined;
}

function obstacleAt(state: State, index: TaskIndex): Obstacle | undefined {
  const { task } = taskAt(state, index);
  const facts = factsOf(state, index);
  const isInUse = facts.ended === undefined && !isWaiting(state, index) && facts.dropped === undefined;
  const hasDoneWork = facts.ended !== undefined && facts.openedAt !== undefined && satisfies(facts.ended.ending);
  const isUndoable = task.type === 'join' || task.type === 'subplan';
  return isInUse || (hasDoneWork && !isUndoable) ? { type: 'used', by: index } : undefined;
}

/** A decided race in which the task, or a subplan around it, ran. */
export function decidedRace(state: State, index: TaskIndex): (Obstacle & { readonly type: 'raced' }) | undefined {
  for (let at: TaskIndex | undefined = index; at !== undefined; at = taskAt(state, at).parent) {
    const by = taskAt(state, at).dependents.find((dependent) => {
      const { openedAt } = factsOf(state, dependent);
      return taskAt(state, dependent).task.needs.type === 'race' && openedAt !== undefined;
    });
    if (by !== undefined) return { type: 'raced', by };
  }
  return undefined;
}

/** The other tasks that run again because this one does. */
function* goingWith(
  state: State,
  { task, parent, children, dependents, index }: CompiledTask,
  causes: Adding['causes'],
): Generator<TaskIndex, void> {
  const facts = factsOf(state, index);
  if (task.type === 'subplan' && facts.openedAt === undefined) yield* children;
  const around = parent === undefined ? undefined : factsOf(state, parent);
  if (parent !== undefined && (around?.ended !== undefined || around?.dropped !== undefined)) yield parent;
  if (facts.ended === undefined) return;
  for (const dependent of dependents) {
    const { openedAt, ended, dropped } = factsOf(state, dependent);
    const isDropped = openedAt === undefined && (ended !== undefined || dropped !== undefined);
    if (isDropped) yield dependent;
    else if (openedAt !== undefined && isTiedTo(taskAt(state, dependent), facts)) yield* withInside(state, dependent);
  }
  yield* causes.get(task.path) ?? [];
}

/** A task and the tasks inside it, which start from the work that a subplan needs. */
export const withInside = (state: State, index: TaskIndex): readonly TaskIndex[] => [
  index,
  ...taskAt(state, index).children.flatMap((child) => withInside(state, child)),
];

/** Whether a task of a set that runs again opens in place: an opened subplan that rests on no task of the set. */
export function opensInPlace(state: State, members: ReadonlySet<TaskIndex>, index: TaskIndex): boolean {
  if (!isOpenedSubplan(state, index)) return false;
  for (let at: TaskIndex | undefined = index; at !== undefined; at = taskAt(state, at).parent) {
    const around = taskAt(state, at);
    if (around.needs.some((need) => members.has(need) && isTiedTo(around, factsOf(state, need)))) return false;
  }
  return true;
}

/** Whether an open task depends on this need: a join accepts failed needs too, and lost work was done before. */
export function isTiedTo({ task }: CompiledTask, { ended }: TaskFacts): boolean {
  return task.type === 'join' || (ended !== undefined && (satisfies(ended.ending) || ended.reason === 'lost'));
}

/**
 * By path of a task: the tasks that were ended, or are about to be dropped, because of its ending; optionally also
 * tasks that are still running and being cancelled.
 */
export function endedBecauseOf(
  state: State,
  { withRunning }: { readonly withRunning: boolean },
): ReadonlyMap<string, readonly TaskIndex[]> {
  const causes = new Map<string, TaskIndex[]>();
  for (const { index } of state.compiled.tasks) {
    const { ended, cancelling } = factsOf(state, index);
    const why = ended ?? (withRunning || isWaiting(state, index) ? cancelling : undefined);
    if (why?.cause === undefined || isOpenedSubplan(state, index)) continue;
    if (why.reason !== 'fail_fast' && why.reason !== 'need') continue;
    const others = causes.get(why.cause);
    if (others === undefined) causes.set(why.cause, [index]);
    else others.push(index);
  }
  return causes;
}

/** Tasks that go back only because a task before them does, and that had another reason to end. */
function endedAgain(state: State, tasks: readonly TaskIndex[], chosen: Chosen): ResetSet['again'] {
  const around = new Set<TaskIndex>();
  for (const index of chosen.wanted)
    for (let at = taskAt(state, index).parent; at !== undefined; at = taskAt(state, at).parent) around.add(at);
  return tasks.flatMap((task) => {
    if (around.has(task) || opensInPlace(state, chosen.members, task)) return [];
    const why = ownReason(state, task, chosen);
    return why === undefined ? [] : [{ task, why }];
  });
}

interface Chosen {
  readonly members: ReadonlySet<TaskIndex>;
  readonly wanted: ReadonlySet<TaskIndex>;
}

function ownReason(state: State, task: TaskIndex, { members, wanted }: Chosen): Why | undefined {
  const { ended, cancelling } = factsOf(state, task);
  const { reason, cause } = ended ?? cancelling ?? NO_REASON;
  if (reason === 'skipped' ? wanted.has(task) : isInside(state.compiled, wanted, task)) return undefined;
  const causing = cause === undefined ? undefined : state.compiled.indexOf.get(cause);
  const isCauseGone = causing !== undefined && members.has(causing);
  // A task on the losing branch of a race is skipped again by its needs.
  const isSkippedByRace = reason === 'race' && ended?.ending === 'skipped';
  if (reason !== undefined && isLasting({ reason }) && !isCauseGone && !isSkippedByRace) return { reason, cause };
  const race = decidedRace(state, task);
  if (race === undefined || members.has(race.by)) return undefined;
  return { reason: 'race', cause: taskAt(state, race.by).task.path };
}

const NO_REASON = { reason: undefined, cause: undefined } as const;

const isWaiting = (state: State, index: TaskIndex): boolean =>
  countAt(state.play, taskAt(state, index).places.waiting) > 0;

const isOpenedSubplan = (state: State, index: TaskIndex): boolean =>
  taskAt(state, index).task.type === 'subplan' && factsOf(state, index).openedAt !== undefined;

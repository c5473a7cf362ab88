// The life of one task as places and transitions: its steps, then the merge queue, the merge and conflicts.
//
// task-life/T1. Opening and skipping (`drop`) take the same tokens: the task's own, its subplan's entry and one per need.
//   So a task that will not run still waits for its needs, consumes their tokens and passes its own on.
// task-life/T2. Every end fills the same places: `ended`, and one place for each task that needs this one.
// task-life/T3. Fewer-than-all needs are read, not taken: late ones still have a place to arrive, and the run's end
//   takes them all.
// task-life/T4. A merge holds one merge slot and, where commands run on the merged tree, a slot of every cap like a
//   check. A turn on a conflict holds the resources of a turn. Every exit gives all of them back.
// task-life/T5. Resolved work, by an agent or by a person, is `worked` again: it is checked and queued like any other
//   work.
import type { ArcTo } from '../net/net.ts';
import { isDraft } from '../plan/grown-plan.ts';
import type { Subplan, Task, WorkTask } from '../plan/plan.ts';
import type { TaskLife } from './compiled.ts';
import { add, draftLife, stagePlace, type LifeDraft, type TaskContext } from './life-draft.ts';
import type { TaskTransition } from './meaning.ts';
import { redoPoint, resolverOf, resolverPools, roundStart } from './sequence.ts';
import { layStepLives, placesBefore } from './step-life.ts';

export function layTaskLife(around: TaskContext): TaskLife {
  const { door, outlined } = around;
  const life = draftLife(door);
  const first = layBody(around, life);
  const takes = [door.waiting, ...(door.entry === undefined ? [] : [door.entry]), ...door.edges];
  const reads: ArcTo[] = door.arrived === undefined ? [] : [[door.arrived, outlined.needed]];
  // A skipped subplan still opens the entries of its children: each of them is skipped in turn and reported.
  const dropGives = outlined.task.type === 'subplan' ? first : around.endGives;
  life.transitions.open = add(around, 'open', { takes, gives: first, reads });
  life.transitions.drop = add(around, 'drop', { takes, gives: dropGives, reads });
  life.transitions.cancel = add(around, 'cancel', { takes: [door.waiting], gives: [door.waiting] });
  return life;
}

/** Lays the part between a task's opening and its end, and returns the places that its opening fills. */
function layBody(around: TaskContext, life: LifeDraft): readonly number[] {
  const { task } = around.outlined;
  switch (task.type) {
    case 'work':
      return layWork(around, life, task);
    case 'subplan':
      return laySubplan(around, life, task);
    case 'join': {
      const worked = (life.places.worked = stagePlace(around, 'worked'));
      life.transitions.close = add(around, 'close', { takes: [worked], gives: around.endGives });
      if (task.onResult?.some(({ rule }) => rule === 'gate') === true)
        life.transitions.ask = add(around, 'ask', { takes: [worked], gives: [layAsking(around, life)] });
      return [worked];
    }
    case 'gate':
      return [layAsking(around, life)];
    case 'for_each':
      throw new Error('A plan is expanded before it is compiled.');
  }
}

/** Lays the place where a person is asked about the task, and the way out of it. */
function layAsking(around: TaskContext, { places, transitions }: LifeDraft): number {
  const asking = (places.asking = stagePlace(around, 'asking'));
  transitions.answer = add(around, 'answer', { takes: [asking], gives: around.endGives });
  return asking;
}

function laySubplan(around: TaskContext, life: LifeDraft, subplan: Subplan): readonly number[] {
  const { childrenEnded, entries, endGives } = around;
  if (subplan.tasks.length > 0) {
    life.transitions.finish = add(around, 'finish', { takes: childrenEnded, gives: endGives });
    return entries;
  }
  // An empty list leaves a subplan without children; it passes straight through.
  const worked = (life.places.worked = stagePlace(around, 'worked'));
  life.transitions.finish = add(around, 'finish', { takes: [worked], gives: endGives });
  return [worked];
}

function layWork(around: TaskContext, life: LifeDraft, task: WorkTask): readonly number[] {
  const { layer, resources, outlined, endGives } = around;
  const worked = (life.places.worked = stagePlace(around, 'worked'));
  const lives = layStepLives({ layer, task, index: outlined.index, resources, worked });
  life.steps = lives.steps;
  life.transitions.close = add(around, 'close', { takes: [worked], gives: endGives });
  if (task.repeat !== undefined) {
    const from = placesBefore(life.steps, roundStart(task));
    life.transitions.repeat = add(around, 'repeat', { takes: [worked], gives: from });
  }
  // A draft is read and not merged: what it leaves in its sandbox is no work of the plan.
  if (around.merges && !isDraft(task)) life.places.queued = stagePlace(around, 'queued');
  const { queued } = life.places;
  const point = redoPoint(task.steps);
  const redo = point === undefined ? undefined : placesBefore(life.steps, point);
  if (task.check !== undefined) layCheck(around, life, { worked, queued, redo });
  if (queued !== undefined) layMerge(around, life, { task, worked, queued, redo });
  return lives.first;
}

interface CheckBetween {
  readonly worked: number;
  readonly queued: number | undefined;
  /** Places to fill when a failed check sends the task back to its agent. */
  readonly redo: readonly number[] | undefined;
}

/** A check is work too: it holds a slot of every cap, so that `max_parallel` bounds everything that runs. */
function layCheck(
  around: TaskContext,
  { places, transitions }: LifeDraft,
  { worked, queued, redo }: CheckBetween,
): void {
  const checking = (places.checking = stagePlace(around, 'checking'));
  const held = around.resources.heldBy(around.outlined.index, []);
  const out = (transition: TaskTransition, gives: readonly ArcTo[]): number =>
    add(around, transition, { takes: [checking], gives: [...gives, ...held] });
  transitions.check = add(around, 'check', {
    takes: [worked, ...held],
    gives: [checking],
    reads: around.resources.switchesOf([]),
  });
  if (queued !== undefined) transitions.pass = out('pass', [queued]);
  if (redo !== undefined) transitions.redo = out('redo', redo);
  transitions.returnCheck = out('return check', [worked]);
  transitions.cancelCheck = add(around, 'cancel check', { takes: [checking], gives: [checking] });
}

interface MergeAfter {
  readonly task: WorkTask;
  readonly worked: number;
  readonly queued: number;
  /** Places to fill when the merged tree fails its check. */
  readonly redo: readonly number[] | undefined;
}

function layMerge(around: TaskContext, life: LifeDraft, after: MergeAfter): void {
  const { endGives, resources } = around;
  const { places, transitions } = life;
  const { task, worked, queued, redo } = after;
  const { mergeSlots } = resources;
  const held = isCheckedMerged(task) ? resources.heldBy(around.outlined.index, []) : [];
  const merging = (places.merging = stagePlace(around, 'merging'));
  const asking = (places.asking = stagePlace(around, 'asking'));
  const out = (transition: TaskTransition, gives: readonly ArcTo[]): number =>
    add(around, transition, { takes: [merging], gives: [...gives, mergeSlots, ...held] });
  // A task with a check is queued after the check passes; a task without one directly after its work.
  if (task.check === undefined) transitions.queue = add(around, 'queue', { takes: [worked], gives: [queued] });
  transitions.closeQueue = add(around, 'close queue', { takes: [queued], gives: endGives });
  transitions.merge = add(around, 'merge', {
    takes: [queued, mergeSlots, ...held],
    gives: [merging],
    reads: resources.switchesOf([]),
  });
  transitions.requeue = out('requeue', [queued]);
  transitions.cancelMerge = add(around, 'cancel merge', { takes: [merging], gives: [merging] });
  if (redo !== undefined) transitions.redoMerge = out('redo merge', redo);
  transitions.askMerge = out('ask merge', [asking]);
  // Merged or given up: the task ends from the same place as any other task.
  transitions.endMerge = out('end merge', [worked]);
  transitions.accept = add(around, 'accept', { takes: [asking], gives: [worked] });
  transitions.answer = add(around, 'answer', { takes: [asking], gives: endGives });
  const resolver = resolverOf(task.steps);
  const { onConflict, conflictAttemptsMax } = task.settings.merge;
  if (resolver === undefined || onConflict === 'stop' || conflictAttemptsMax === 0) return;
  life.resolver = resolver;
  transitions.conflict = out('conflict', [layResolve(around, life, { ...after, asking })]);
}

/** Whether commands run on the merged tree: then the merge holds a slot of every cap, like a check. */
export const isCheckedMerged = (task: Task): boolean =>
  task.type === 'work' && (task.check !== undefined || task.settings.merge.check !== undefined);

/** Lays the agent's resolution of a conflict, and returns the place where the conflict waits for the agent. */
function layResolve(
  around: TaskContext,
  { places, transitions, resolver }: LifeDraft,
  { task, worked, asking }: MergeAfter & { readonly asking: number },
): number {
  const { endGives, resources, outlined } = around;
  const pools = resolverPools(task.steps[resolver ?? -1], around.agents);
  const held = resources.heldBy(outlined.index, pools);
  const conflicted = (places.conflicted = stagePlace(around, 'conflicted'));
  const resolving = (places.resolving = stagePlace(around, 'resolving'));
  const out = (transition: TaskTransition, place: number): number =>
    add(around, transition, { takes: [resolving], gives: [place, ...held] });
  transitions.askConflict = add(around, 'ask conflict', { takes: [conflicted], gives: [asking] });
  transitions.closeConflict = add(around, 'close conflict', { takes: [conflicted], gives: endGives });
  transitions.resolve = add(around, 'resolve', {
    takes: [conflicted, ...held],
    gives: [resolving],
    reads: resources.switchesOf(pools),
  });
  transitions.endResolve = out('end resolve', worked);
  transitions.askResolve = out('ask resolve', asking);
  transitions.returnResolve = out('return resolve', conflicted);
  transitions.cancelResolve = add(around, 'cancel resolve', { takes: [resolving], gives: [resolving] });
  transitions.raiseResolve = add(around, 'raise resolve', { takes: [resolving], gives: [resolving] });
  return conflicted;
}

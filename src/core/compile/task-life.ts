// The life of one task as places and transitions.
//
// task-life/T1. Opening and skipping (`drop`) take the same tokens: the task's own, its subplan's entry and one per need.
//   So a task that will not run still waits for its needs, consumes their tokens and passes its own on.
// task-life/T2. Every end fills the same places: `ended`, and one place for each task that needs this one.
// task-life/T3. Fewer-than-all needs are read, not taken: late ones still have a place to arrive, and the run's end
//   takes them all.
import type { ArcTo } from '../net/net.ts';
import type { Subplan, WorkTask } from '../plan/plan.ts';
import type { TaskLife } from './compiled.ts';
import { add, draftLife, stagePlace, type LifeDraft, type TaskContext } from './life-draft.ts';
import type { TaskTransition } from './meaning.ts';
import { layMerge } from './merge-life.ts';
import { redoPoint } from './sequence.ts';
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
      return [worked];
    }
    case 'gate': {
      const asking = (life.places.asking = stagePlace(around, 'asking'));
      life.transitions.answer = add(around, 'answer', { takes: [asking], gives: around.endGives });
      return [asking];
    }
    case 'for_each':
      throw new Error('A plan is expanded before it is compiled.');
  }
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
  if (task.repeat !== undefined)
    life.transitions.repeat = add(around, 'repeat', { takes: [worked], gives: placesBefore(life.steps, 0) });
  if (around.merges) life.places.queued = stagePlace(around, 'queued');
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

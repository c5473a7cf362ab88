// The life of one task as places and transitions.
//
// T1. Opening and dropping take the same tokens: the task's own, its subplan's entry and one per need. So a task
//     that will not run still waits for its needs, takes their tokens away and passes its own on.
// T2. Every end fills the same places: `ended`, and one place for each task that needs this one.
// T3. Fewer-than-all needs are read, not taken: late ones still have somewhere to arrive, and the run's end
//     takes them all.
import type { ArcsOfTransition, ArcTo } from '../net/net.ts';
import type { Subplan, WorkTask } from '../plan/plan.ts';
import type { CompiledStep, TaskDeeds, TaskPlaces } from './compiled.ts';
import type { TaskDeed, TaskStage } from './meaning.ts';
import type { PlanLayer } from './lay-plan.ts';
import type { OutlineTask } from './outline.ts';
import type { Resources } from './resources.ts';
import { redoPoint } from './sequence.ts';
import { layStepLives } from './step-life.ts';

/** The places through which tasks hand tokens to each other; all exist before any transition does. */
export interface TaskDoor {
  readonly waiting: number;
  readonly entry: number | undefined;
  readonly edges: readonly number[];
  readonly arrived: number | undefined;
  readonly ended: number;
}

export interface TaskAround {
  readonly layer: PlanLayer;
  readonly resources: Resources;
  readonly outlined: OutlineTask;
  readonly door: TaskDoor;
  /** What every end of the task fills (T2). */
  readonly endGives: readonly ArcTo[];
  /** Entry places of the children of a subplan. */
  readonly entries: readonly number[];
  /** Ended places of the children of a subplan. */
  readonly childrenEnded: readonly number[];
  readonly merges: boolean;
}

export interface TaskLife {
  readonly steps: readonly CompiledStep[];
  readonly places: TaskPlaces;
  readonly deeds: TaskDeeds;
}

/** A life that is being laid, changed in place: a plan may have a hundred thousand, and copies of each cost time. */
interface LifeDraft {
  steps: readonly CompiledStep[];
  readonly places: { -readonly [Stage in keyof TaskPlaces]: TaskPlaces[Stage] };
  readonly deeds: { -readonly [Deed in keyof TaskDeeds]: TaskDeeds[Deed] };
}

export function layTaskLife(around: TaskAround): TaskLife {
  const { door, outlined } = around;
  const life: LifeDraft = { steps: NO_STEPS, places: placesOf(door), deeds: noDeeds() };
  const first = layBody(around, life);
  const takes = [door.waiting, ...(door.entry === undefined ? [] : [door.entry]), ...door.edges];
  const reads: ArcTo[] = door.arrived === undefined ? [] : [[door.arrived, outlined.needed]];
  // A dropped subplan still opens its children's entries: each of them drops in turn and is heard of.
  const dropGives = outlined.task.type === 'subplan' ? first : around.endGives;
  life.deeds.open = add(around, 'open', { takes, gives: first, reads });
  life.deeds.drop = add(around, 'drop', { takes, gives: dropGives, reads });
  life.deeds.condemn = add(around, 'condemn', { takes: [door.waiting], gives: [door.waiting] });
  return life;
}

/** Lays what lies between a task's opening and its end, and returns the places that its opening fills. */
function layBody(around: TaskAround, life: LifeDraft): readonly number[] {
  const { task } = around.outlined;
  switch (task.type) {
    case 'work':
      return layWork(around, life, task);
    case 'subplan':
      return laySubplan(around, life, task);
    case 'join': {
      const worked = (life.places.worked = stagePlace(around, 'worked'));
      life.deeds.close = add(around, 'close', { takes: [worked], gives: around.endGives });
      return [worked];
    }
    case 'gate': {
      const asking = (life.places.asking = stagePlace(around, 'asking'));
      life.deeds.answer = add(around, 'answer', { takes: [asking], gives: around.endGives });
      return [asking];
    }
    case 'for_each':
      throw new Error('A plan is unfolded before it is compiled.');
  }
}

function laySubplan(around: TaskAround, life: LifeDraft, subplan: Subplan): readonly number[] {
  const { childrenEnded, entries, endGives } = around;
  if (subplan.tasks.length > 0) {
    life.deeds.finish = add(around, 'finish', { takes: childrenEnded, gives: endGives });
    return entries;
  }
  // A list that turned out empty leaves a subplan without children; it passes straight through.
  const worked = (life.places.worked = stagePlace(around, 'worked'));
  life.deeds.finish = add(around, 'finish', { takes: [worked], gives: endGives });
  return [worked];
}

function layWork(around: TaskAround, life: LifeDraft, task: WorkTask): readonly number[] {
  const { layer, resources, outlined, endGives } = around;
  const worked = (life.places.worked = stagePlace(around, 'worked'));
  const lives = layStepLives({ layer, task, index: outlined.index, resources, worked });
  life.steps = lives.steps;
  life.deeds.close = add(around, 'close', { takes: [worked], gives: endGives });
  if (task.repeat !== undefined) life.deeds.repeat = add(around, 'repeat', { takes: [worked], gives: lives.before(0) });
  if (around.merges) life.places.queued = stagePlace(around, 'queued');
  const { queued } = life.places;
  if (task.check !== undefined) {
    const redo = redoPoint(task.steps);
    layCheck(around, life, { worked, queued, redo: redo === undefined ? undefined : lives.before(redo) });
  }
  if (queued !== undefined) layMerge(around, life, { worked: task.check === undefined ? worked : undefined, queued });
  return lives.first;
}

interface CheckBetween {
  readonly worked: number;
  readonly queued: number | undefined;
  /** Places to fill when a failed check sends the task back to its agent. */
  readonly redo: readonly number[] | undefined;
}

/** A check is work too: it holds a slot of every cap, so that `max_parallel` bounds all that runs. */
function layCheck(around: TaskAround, { places, deeds }: LifeDraft, { worked, queued, redo }: CheckBetween): void {
  const checking = (places.checking = stagePlace(around, 'checking'));
  const held = around.resources.heldBy(around.outlined.index, []);
  const out = (deed: TaskDeed, gives: readonly ArcTo[]): number =>
    add(around, deed, { takes: [checking], gives: [...gives, ...held] });
  deeds.check = add(around, 'check', {
    takes: [worked, ...held],
    gives: [checking],
    reads: around.resources.switchesOf([]),
  });
  if (queued !== undefined) deeds.pass = out('pass', [queued]);
  if (redo !== undefined) deeds.redo = out('redo', redo);
  deeds.returnCheck = out('return check', [worked]);
  deeds.condemnCheck = add(around, 'condemn check', { takes: [checking], gives: [checking] });
  deeds.closeCheck = out('close check', around.endGives);
}

interface MergeAfter {
  /** Where unchecked work waits; undefined when a check passes it on. */
  readonly worked: number | undefined;
  readonly queued: number;
}

function layMerge(around: TaskAround, { places, deeds }: LifeDraft, { worked, queued }: MergeAfter): void {
  const { endGives, resources } = around;
  const { lane } = resources;
  const merging = (places.merging = stagePlace(around, 'merging'));
  if (worked !== undefined) deeds.queue = add(around, 'queue', { takes: [worked], gives: [queued] });
  deeds.closeQueue = add(around, 'close queue', { takes: [queued], gives: endGives });
  deeds.merge = add(around, 'merge', { takes: [queued, lane], gives: [merging], reads: resources.switchesOf([]) });
  deeds.requeue = add(around, 'requeue', { takes: [merging], gives: [queued, lane] });
  deeds.condemnMerge = add(around, 'condemn merge', { takes: [merging], gives: [merging] });
  deeds.closeMerge = add(around, 'close merge', { takes: [merging], gives: [...endGives, lane] });
}

const NO_STEPS: readonly CompiledStep[] = [];
/** Stands in `open`, `drop` and `condemn` until they are laid, which is before anyone sees them. */
const NOT_YET = -1;

const placesOf = (door: TaskDoor): LifeDraft['places'] => ({
  ...door,
  worked: undefined,
  checking: undefined,
  queued: undefined,
  merging: undefined,
  asking: undefined,
});

const noDeeds = (): LifeDraft['deeds'] => ({
  open: NOT_YET,
  drop: NOT_YET,
  condemn: NOT_YET,
  close: undefined,
  repeat: undefined,
  check: undefined,
  pass: undefined,
  redo: undefined,
  condemnCheck: undefined,
  returnCheck: undefined,
  closeCheck: undefined,
  queue: undefined,
  closeQueue: undefined,
  merge: undefined,
  requeue: undefined,
  condemnMerge: undefined,
  closeMerge: undefined,
  answer: undefined,
  finish: undefined,
});

function stagePlace({ layer, outlined }: TaskAround, stage: TaskStage): number {
  return layer.taskPlace(outlined.index, stage);
}

function add({ layer, outlined }: TaskAround, deed: TaskDeed, arcs: ArcsOfTransition): number {
  return layer.taskDeed(outlined.index, deed, arcs);
}

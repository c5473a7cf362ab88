// The life of one task as places and transitions.
//
// T1. Opening and dropping take the same tokens: the task's own, its subplan's entry and one per need. So a task
//     that will not run still waits for its needs, takes their tokens away and passes its own on.
// T2. Every end fills the same places: `ended`, and one place for each task that needs this one.
// T3. Fewer-than-all needs are read, not taken: late ones still have somewhere to arrive, and the run's end
//     takes them all.
import type { ArcTo } from '../net/net.ts';
import type { Subplan, WorkTask } from '../plan/plan.ts';
import type { CompiledStep, TaskDeeds, TaskPlaces } from './compiled.ts';
import type { TaskDeed, TaskStage } from './meaning.ts';
import type { OutlineTask } from './outline.ts';
import type { Resources } from './resources.ts';
import { redoPoint } from './sequence.ts';
import { layStepLives, type PlanNetBuilder } from './step-life.ts';

/** The places through which tasks hand tokens to each other; all exist before any transition does. */
export interface TaskDoor {
  readonly waiting: number;
  readonly entry: number | undefined;
  readonly edges: readonly number[];
  readonly arrived: number | undefined;
  readonly ended: number;
}

export interface TaskAround {
  readonly builder: PlanNetBuilder;
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

interface Arcs {
  readonly takes: readonly ArcTo[];
  readonly gives: readonly ArcTo[];
  readonly reads?: readonly ArcTo[];
}

type Body = { readonly first: readonly number[]; readonly steps: readonly CompiledStep[] } & Stages;
interface Stages {
  readonly places: Omit<TaskPlaces, keyof TaskDoor>;
  readonly deeds: Omit<TaskDeeds, 'open' | 'drop' | 'condemn'>;
}

export function layTaskLife(around: TaskAround): TaskLife {
  const { door, outlined } = around;
  const body = layBody(around);
  const takes = [door.waiting, ...(door.entry === undefined ? [] : [door.entry]), ...door.edges];
  const reads: ArcTo[] = door.arrived === undefined ? [] : [[door.arrived, outlined.needed]];
  // A dropped subplan still opens its children's entries: each of them drops in turn and is heard of.
  const dropGives = outlined.task.type === 'subplan' ? body.first : around.endGives;
  return {
    steps: body.steps,
    places: { ...door, ...body.places },
    deeds: {
      ...body.deeds,
      open: add(around, 'open', { takes, gives: body.first, reads }),
      drop: add(around, 'drop', { takes, gives: dropGives, reads }),
      condemn: add(around, 'condemn', { takes: [door.waiting], gives: [door.waiting] }),
    },
  };
}

function layBody(around: TaskAround): Body {
  const { task } = around.outlined;
  switch (task.type) {
    case 'work':
      return layWork(around, task);
    case 'subplan':
      return laySubplan(around, task);
    case 'join': {
      const worked = stagePlace(around, 'worked');
      const close = add(around, 'close', { takes: [worked], gives: around.endGives });
      return { first: [worked], steps: [], places: { ...NO_PLACES, worked }, deeds: { ...NO_DEEDS, close } };
    }
    case 'gate': {
      const asking = stagePlace(around, 'asking');
      const answer = add(around, 'answer', { takes: [asking], gives: around.endGives });
      return { first: [asking], steps: [], places: { ...NO_PLACES, asking }, deeds: { ...NO_DEEDS, answer } };
    }
    case 'for_each':
      throw new Error('A plan is unfolded before it is compiled.');
  }
}

function laySubplan(around: TaskAround, subplan: Subplan): Body {
  // A list that turned out empty leaves a subplan without children; it passes straight through.
  const worked = subplan.tasks.length === 0 ? stagePlace(around, 'worked') : undefined;
  const takes = worked === undefined ? around.childrenEnded : [worked];
  const finish = add(around, 'finish', { takes, gives: around.endGives });
  const first = worked === undefined ? around.entries : [worked];
  return { first, steps: [], places: { ...NO_PLACES, worked }, deeds: { ...NO_DEEDS, finish } };
}

function layWork(around: TaskAround, task: WorkTask): Body {
  const { builder, resources, outlined, endGives } = around;
  const worked = stagePlace(around, 'worked');
  const lives = layStepLives({ builder, task, index: outlined.index, resources, worked });
  const close = add(around, 'close', { takes: [worked], gives: endGives });
  const repeat = task.repeat && add(around, 'repeat', { takes: [worked], gives: lives.before(0) });
  const queued = around.merges ? stagePlace(around, 'queued') : undefined;
  const redo = redoPoint(task.steps);
  const check =
    task.check === undefined
      ? NO_STAGES
      : layCheck(around, { worked, queued, redo: redo === undefined ? undefined : lives.before(redo) });
  const merge =
    queued === undefined
      ? NO_STAGES
      : layMerge(around, { worked: task.check === undefined ? worked : undefined, queued });
  return {
    first: lives.first,
    steps: lives.steps,
    places: { ...NO_PLACES, ...check.places, ...merge.places, worked },
    deeds: { ...NO_DEEDS, ...check.deeds, ...merge.deeds, close, repeat },
  };
}

interface PartOfStages {
  readonly places: Partial<Stages['places']>;
  readonly deeds: Partial<Stages['deeds']>;
}
const NO_STAGES: PartOfStages = { places: {}, deeds: {} };

interface CheckBetween {
  readonly worked: number;
  readonly queued: number | undefined;
  /** Places to fill when a failed check sends the task back to its agent. */
  readonly redo: readonly number[] | undefined;
}

/** A check is work too: it holds a slot of every cap, so that `max_parallel` bounds all that runs. */
function layCheck(around: TaskAround, { worked, queued, redo }: CheckBetween): PartOfStages {
  const checking = stagePlace(around, 'checking');
  const held = around.resources.heldBy(around.outlined.index, []);
  const out = (deed: TaskDeed, gives: readonly ArcTo[]): number =>
    add(around, deed, { takes: [checking], gives: [...gives, ...held] });
  return {
    places: { checking },
    deeds: {
      check: add(around, 'check', {
        takes: [worked, ...held],
        gives: [checking],
        reads: around.resources.switchesOf([]),
      }),
      pass: queued === undefined ? undefined : out('pass', [queued]),
      redo: redo && out('redo', redo),
      condemnCheck: add(around, 'condemn check', { takes: [checking], gives: [checking] }),
      closeCheck: out('close check', around.endGives),
    },
  };
}

function layMerge(
  around: TaskAround,
  { worked, queued }: { worked: number | undefined; queued: number },
): PartOfStages {
  const merging = stagePlace(around, 'merging');
  const { lane } = around.resources;
  return {
    places: { queued, merging },
    deeds: {
      queue: worked === undefined ? undefined : add(around, 'queue', { takes: [worked], gives: [queued] }),
      closeQueue: add(around, 'close queue', { takes: [queued], gives: around.endGives }),
      merge: add(around, 'merge', { takes: [queued, lane], gives: [merging], reads: around.resources.switchesOf([]) }),
      requeue: add(around, 'requeue', { takes: [merging], gives: [queued, lane] }),
      condemnMerge: add(around, 'condemn merge', { takes: [merging], gives: [merging] }),
      closeMerge: add(around, 'close merge', { takes: [merging], gives: [...around.endGives, lane] }),
    },
  };
}

const NO_PLACES: Stages['places'] = {
  worked: undefined,
  checking: undefined,
  queued: undefined,
  merging: undefined,
  asking: undefined,
};

const NO_DEEDS: Stages['deeds'] = {
  close: undefined,
  repeat: undefined,
  check: undefined,
  pass: undefined,
  redo: undefined,
  condemnCheck: undefined,
  closeCheck: undefined,
  queue: undefined,
  closeQueue: undefined,
  merge: undefined,
  requeue: undefined,
  condemnMerge: undefined,
  closeMerge: undefined,
  answer: undefined,
  finish: undefined,
};

function stagePlace({ builder, outlined }: TaskAround, stage: TaskStage): number {
  return builder.place({ id: `${outlined.task.path} ${stage}`, type: 'task', task: outlined.index, stage });
}

function add({ builder, outlined }: TaskAround, deed: TaskDeed, arcs: Arcs): number {
  return builder.transition({ id: `${deed} ${outlined.task.path}`, type: 'task', task: outlined.index, deed }, arcs);
}

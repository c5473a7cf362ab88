// Lays the net of a plan. The meaning of each place and transition is stored in a few numbers and expanded on demand: a
// plan of a hundred thousand tasks has more than two million of them, and few are ever named.
//
// lay-plan/I1. A note is a kind, a task and at most one more number; the same note always gives the same meaning
//   (meaning/M1).

import { assert, at } from '../assert.ts';
import { layNet } from '../net/lay-net.ts';
import { append, emptyNumbers, finished } from '../net/numbers.ts';
import { STEP_TRANSITIONS, STEP_STAGES, TASK_TRANSITIONS, TASK_STAGES } from './meaning.ts';
import type { NetLayer } from '../net/lay-net.ts';
import type { ArcsOfTransition, NetParts, PlaceOptions } from '../net/net.ts';
import type { Numbers } from '../net/numbers.ts';
import type { OutlineTask } from './task-outline.ts';
import type {
  PlaceMeaning,
  PlaceRole,
  StepTransition,
  StepStage,
  TaskTransition,
  TaskIndex,
  TaskStage,
  TransitionMeaning,
  TransitionRole,
} from './meaning.ts';

/** Lays a net like `layNet`, and notes the meaning of every place and transition. */
export interface PlanLayer {
  taskPlace(task: TaskIndex, stage: TaskStage): number;
  entryPlace(task: TaskIndex): number;
  arrivedPlace(task: TaskIndex): number;
  /** The place through which the end of `from` reaches `task`, which needs it. */
  edgePlace(task: TaskIndex, from: TaskIndex): number;
  stepPlace(of: StepOf, stage: StepStage): number;
  collectPlace(of: StepOf, from: number): number;
  sharedPlace(meaning: PlaceMeaning, options: PlaceOptions): number;
  taskTransition(task: TaskIndex, transition: TaskTransition, arcs: ArcsOfTransition): number;
  stepTransition(of: StepOf, transition: StepTransition, arcs: ArcsOfTransition): number;
  sharedTransition(meaning: TransitionMeaning, arcs: ArcsOfTransition): number;
  /** What has been laid; it holds none of the spare room that laying needs. */
  laid(): LaidPlan;
}

export interface LaidPlan {
  readonly parts: NetParts;
  placeRole(place: number): PlaceRole;
  transitionRole(transition: number): TransitionRole;
  placeAt(place: number): PlaceMeaning;
  transitionAt(transition: number): TransitionMeaning;
}

export interface StepOf {
  readonly task: TaskIndex;
  readonly step: number;
  /** The variant of a step whose agents hold different pools. */
  readonly variant?: number;
}

/** One number per part, in the order of laying. */
interface GrowingNotes {
  readonly kind: Numbers;
  readonly task: Numbers;
  readonly more: Numbers;
}

interface Notes {
  readonly kind: Int32Array;
  readonly task: Int32Array;
  readonly more: Int32Array;
}

const ENTRY = TASK_STAGES.length;
const ARRIVED = ENTRY + 1;
const EDGE = ARRIVED + 1;
const COLLECT = EDGE + 1;
const STEP = COLLECT + 1;
/** The meaning is stored in full, because shared parts are few. */
const SHARED = -1;
/** The bound on steps per task in a note about a collected step. */
const STEPS_MAX = 1 << 15;

export function layPlan(tasks: readonly OutlineTask[]): PlanLayer {
  const layer = layNet();
  const places = emptyNotes();
  const transitions = emptyNotes();
  const sharedPlaces: PlaceMeaning[] = [];
  const sharedTransitions: TransitionMeaning[] = [];
  const notePlace = noter(places);
  const lay = placer(layer, places);
  const fire = transitionAdder(layer, transitions);
  return {
    taskPlace: (task, stage) => lay(TASK_STAGES.indexOf(stage), task, 0),
    entryPlace: (task) => lay(ENTRY, task, 0),
    arrivedPlace: (task) => lay(ARRIVED, task, 0),
    edgePlace: (task, from) => lay(EDGE, task, from),
    stepPlace: ({ task, step, variant = 0 }, stage) =>
      lay(STEP + STEP_STAGES.indexOf(stage), task, variant * STEPS_MAX + step),
    collectPlace: ({ task, step }, from) => {
      assert(step < STEPS_MAX, `A task has at most ${STEPS_MAX} steps.`);
      return lay(COLLECT, task, step * STEPS_MAX + from);
    },
    sharedPlace: (meaning, options) => {
      notePlace(SHARED, sharedPlaces.push(meaning) - 1, 0);
      return layer.place(options);
    },
    taskTransition: (task, transition, arcs) =>
      fire({ kind: TASK_TRANSITIONS.indexOf(transition), task, more: 0 }, arcs),
    stepTransition: ({ task, step, variant = 0 }, transition, arcs) =>
      fire(
        {
          kind: TASK_TRANSITIONS.length + STEP_TRANSITIONS.indexOf(transition),
          task,
          more: variant * STEPS_MAX + step,
        },
        arcs,
      ),
    sharedTransition: (meaning, arcs) =>
      fire({ kind: SHARED, task: sharedTransitions.push(meaning) - 1, more: 0 }, arcs),
    laid: () =>
      laidPlan(layer.parts(), {
        places: { tasks, notes: finishedNotes(places), shared: sharedPlaces },
        transitions: { tasks, notes: finishedNotes(transitions), shared: sharedTransitions },
      }),
  };
}

interface Naming {
  readonly places: NamingContext<PlaceMeaning>;
  readonly transitions: NamingContext<TransitionMeaning>;
}

/** A function of its own: what is made where the net is laid keeps all of the growing net in memory. */
const laidPlan = (parts: NetParts, { places, transitions }: Naming): LaidPlan => ({
  parts,
  placeRole: (place) => placeRole(places, place),
  transitionRole: (transition) => transitionRole(transitions, transition),
  placeAt: (place) => namePlace(places, place),
  transitionAt: (transition) => nameTransition(transitions, transition),
});

const finishedNotes = ({ kind, task, more }: GrowingNotes): Notes => ({
  kind: finished(kind),
  task: finished(task),
  more: finished(more),
});

const emptyNotes = (): GrowingNotes => ({ kind: emptyNumbers(), task: emptyNumbers(), more: emptyNumbers() });

const noter =
  ({ kind: kinds, task: tasks, more: mores }: GrowingNotes) =>
  (kind: number, task: number, more: number): void => {
    append(kinds, kind);
    append(tasks, task);
    append(mores, more);
  };

const placer = (layer: NetLayer, notes: GrowingNotes) => {
  const note = noter(notes);
  return (kind: number, task: number, more: number): number => {
    note(kind, task, more);
    return layer.place();
  };
};

const transitionAdder = (layer: NetLayer, notes: GrowingNotes) => {
  const note = noter(notes);
  return ({ kind, task, more }: { kind: number; task: number; more: number }, arcs: ArcsOfTransition): number => {
    note(kind, task, more);
    return layer.transition(arcs);
  };
};

interface NamingContext<Meaning> {
  readonly tasks: readonly OutlineTask[];
  readonly notes: Notes;
  readonly shared: readonly Meaning[];
}

function noteAt<Meaning>(
  { notes }: NamingContext<Meaning>,
  index: number,
): readonly [kind: number, task: number, more: number] {
  assert(index >= 0 && index < notes.kind.length, 'Only a part that was laid has a meaning.');
  return [at(notes.kind, index), at(notes.task, index), at(notes.more, index)];
}

function placeRole(naming: NamingContext<PlaceMeaning>, place: number): PlaceRole {
  const [kind, task, more] = noteAt(naming, place);
  const shared = kind === SHARED ? naming.shared[task] : undefined;
  if (shared !== undefined) return shared;
  const stage = TASK_STAGES[kind];
  if (stage !== undefined) return { type: 'task', task, stage };
  if (kind === ENTRY) return { type: 'entry', task };
  if (kind === ARRIVED) return { type: 'arrived', task };
  if (kind === EDGE) return { type: 'edge', from: more, task };
  if (kind === COLLECT) return { type: 'collect', task, from: more % STEPS_MAX, step: Math.floor(more / STEPS_MAX) };
  const stepStage = STEP_STAGES[kind - STEP];
  assert(stepStage !== undefined, 'Every note is of a kind that is known.');
  return { type: 'step', task, ...variantIn(more), stage: stepStage };
}

function namePlace(naming: NamingContext<PlaceMeaning>, place: number): PlaceMeaning {
  const role = placeRole(naming, place);
  switch (role.type) {
    case 'task':
      return { id: `${pathOf(naming, role.task)} ${role.stage}`, ...role };
    case 'entry':
    case 'arrived':
      return { id: `${pathOf(naming, role.task)} ${role.type}`, ...role };
    case 'edge':
      return { id: `${pathOf(naming, role.from)} → ${pathOf(naming, role.task)}`, ...role };
    case 'step':
      return { id: `${stepName(naming, role)} ${role.stage}`, ...role };
    case 'collect': {
      const from = stepId(naming, { task: role.task, step: role.from });
      return { id: `${stepName(naming, role)} collects ${from}`, ...role };
    }
    case 'cap':
    case 'pool':
    case 'switch':
    case 'merge-slots':
    case 'holds':
    case 'source':
    case 'sink':
      return sharedAt(naming, place);
  }
}

function transitionRole(naming: NamingContext<TransitionMeaning>, index: number): TransitionRole {
  const [kind, task, more] = noteAt(naming, index);
  const shared = kind === SHARED ? naming.shared[task] : undefined;
  if (shared !== undefined) return shared;
  const taskTransition = TASK_TRANSITIONS[kind];
  if (taskTransition !== undefined) return { type: 'task', task, transition: taskTransition };
  const transition = STEP_TRANSITIONS[kind - TASK_TRANSITIONS.length];
  assert(transition !== undefined, 'Every note is of a kind that is known.');
  return { type: 'step', task, ...variantIn(more), transition };
}

const variantIn = (more: number) => ({ step: more % STEPS_MAX, variant: Math.floor(more / STEPS_MAX) });

function nameTransition(naming: NamingContext<TransitionMeaning>, transition: number): TransitionMeaning {
  const role = transitionRole(naming, transition);
  switch (role.type) {
    case 'task':
      return { id: `${role.transition} ${pathOf(naming, role.task)}`, ...role };
    case 'step':
      return { id: `${role.transition} ${stepName(naming, role)}`, ...role };
    case 'run':
    case 'pool':
      return sharedAt(naming, transition);
  }
}

/** Few parts are shared by many tasks; those have names from the start. */
function sharedAt<Meaning>(naming: NamingContext<Meaning>, index: number): Meaning {
  const shared = naming.shared[noteAt(naming, index)[1]];
  assert(shared !== undefined, 'A shared part was laid with its meaning.');
  return shared;
}

const pathOf = <Meaning>({ tasks }: NamingContext<Meaning>, task: TaskIndex): string => tasks[task]?.task.path ?? '';

function stepId<Meaning>({ tasks }: NamingContext<Meaning>, { task, step }: StepOf): string {
  const work = tasks[task]?.task;
  return work?.type === 'work' ? (work.steps[step]?.id ?? '') : '';
}

const stepName = <Meaning>(naming: NamingContext<Meaning>, of: StepOf): string =>
  `${pathOf(naming, of.task)}/${stepId(naming, of)}${(of.variant ?? 0) === 0 ? '' : ` (${of.variant})`}`;

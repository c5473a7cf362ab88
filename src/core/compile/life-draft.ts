// The places and transitions of one task while its part of the net is being laid, and the context they are laid in.
import type { ArcsOfTransition, ArcTo } from '../net/net.ts';
import type { Agent } from '../plan/plan.ts';
import type { CompiledStep, TaskTransitions, TaskPlaces } from './compiled.ts';
import type { TaskTransition, TaskStage } from './meaning.ts';
import type { PlanLayer } from './lay-plan.ts';
import type { OutlineTask } from './task-outline.ts';
import type { Resources } from './resources.ts';

/** The places through which tasks pass tokens to each other; all exist before any transition does. */
export interface TaskEdges {
  readonly waiting: number;
  readonly entry: number | undefined;
  readonly edges: readonly number[];
  readonly arrived: number | undefined;
  readonly ended: number;
}

export interface TaskContext {
  readonly layer: PlanLayer;
  readonly resources: Resources;
  readonly outlined: OutlineTask;
  readonly door: TaskEdges;
  /** The places that every end of the task fills (task-life/T2). */
  readonly endGives: readonly ArcTo[];
  /** Entry places of the children of a subplan. */
  readonly entries: readonly number[];
  /** Ended places of the children of a subplan. */
  readonly childrenEnded: readonly number[];
  readonly merges: boolean;
  readonly agents: readonly Agent[];
}

/** Mutable: a plan may have a hundred thousand tasks, and copying each draft would cost time. */
export interface LifeDraft {
  steps: readonly CompiledStep[];
  resolver: number | undefined;
  readonly places: { -readonly [Stage in keyof TaskPlaces]: TaskPlaces[Stage] };
  readonly transitions: { -readonly [Name in keyof TaskTransitions]: TaskTransitions[Name] };
}

const NO_STEPS: readonly CompiledStep[] = [];
/** The value of mandatory transitions until they are laid. */
const NOT_YET = -1;

export const draftLife = (door: TaskEdges): LifeDraft => ({
  steps: NO_STEPS,
  resolver: undefined,
  places: placesOf(door),
  transitions: noTransitions(),
});

const placesOf = (door: TaskEdges): LifeDraft['places'] => ({
  ...door,
  worked: undefined,
  checking: undefined,
  queued: undefined,
  merging: undefined,
  conflicted: undefined,
  resolving: undefined,
  asking: undefined,
});

const noTransitions = (): LifeDraft['transitions'] => ({
  open: NOT_YET,
  drop: NOT_YET,
  cancel: NOT_YET,
  close: undefined,
  repeat: undefined,
  check: undefined,
  pass: undefined,
  redo: undefined,
  cancelCheck: undefined,
  returnCheck: undefined,
  queue: undefined,
  closeQueue: undefined,
  merge: undefined,
  requeue: undefined,
  cancelMerge: undefined,
  redoMerge: undefined,
  askMerge: undefined,
  endMerge: undefined,
  conflict: undefined,
  askConflict: undefined,
  closeConflict: undefined,
  resolve: undefined,
  endResolve: undefined,
  askResolve: undefined,
  returnResolve: undefined,
  cancelResolve: undefined,
  raiseResolve: undefined,
  accept: undefined,
  ask: undefined,
  answer: undefined,
  finish: undefined,
});

export function stagePlace({ layer, outlined }: TaskContext, stage: TaskStage): number {
  return layer.taskPlace(outlined.index, stage);
}

export function add({ layer, outlined }: TaskContext, transition: TaskTransition, arcs: ArcsOfTransition): number {
  return layer.taskTransition(outlined.index, transition, arcs);
}

// A plan and its net side by side: the places and transitions of each task and step. The engine looks up the transition
// of an event here and never builds an id as text.

import type { Net } from '../net/net.ts';
import type { Plan, Step, Task } from '../plan/plan.ts';
import type { PlaceMeaning, PlaceRole, TaskIndex, TransitionMeaning, TransitionRole } from './meaning.ts';

export type PlanNet = Net<PlaceMeaning, TransitionMeaning>;

/** A plan and its net, with the place of every task and step in it. */
export interface Compiled {
  /** The expanded plan, without any `for_each`. */
  readonly plan: Plan;
  readonly net: PlanNet;
  /** The meaning of one place or transition, without creating all names. */
  readonly placeRole: (place: number) => PlaceRole;
  readonly transitionRole: (transition: number) => TransitionRole;
  /** Every task at every depth, parents before children, in the order of the file. */
  readonly tasks: readonly CompiledTask[];
  readonly indexOf: ReadonlyMap<string, TaskIndex>;
  readonly run: RunParts;
  readonly pools: ReadonlyMap<string, PoolParts>;
  /** Tasks that hold pools while they are open. */
  readonly holders: readonly TaskIndex[];
}

export interface RunParts {
  readonly source: number;
  readonly sink: number;
  readonly cap: number;
  readonly mergeSlots: number;
  readonly going: number;
  readonly paused: number;
  readonly start: number;
  readonly finish: number;
  readonly pause: number;
  readonly resume: number;
  /** Holds one token, whose colour is the set of tasks that a person has paused. */
  readonly holds: number;
  readonly hold: number;
}

export interface PoolParts {
  readonly place: number;
  readonly size: number;
  readonly opened: number;
  readonly closed: number;
  readonly close: number;
  readonly open: number;
}

export interface CompiledTask {
  readonly task: Task;
  readonly index: TaskIndex;
  readonly parent: TaskIndex | undefined;
  readonly children: readonly TaskIndex[];
  readonly steps: readonly CompiledStep[];
  /** The step whose agent resolves the task's conflicts; undefined when no agent does. */
  readonly resolver: number | undefined;
  /** Tasks that need this one. */
  readonly dependents: readonly TaskIndex[];
  readonly needs: readonly TaskIndex[];
  /** How many of `needs` must have succeeded before the task opens. */
  readonly needed: number;
  readonly places: TaskPlaces;
  readonly transitions: TaskTransitions;
}

/** The parts of a task that depend on its kind: work, join, gate or subplan. */
export type TaskLife = Pick<CompiledTask, 'steps' | 'resolver' | 'places' | 'transitions'>;

export interface TaskPlaces {
  readonly waiting: number;
  /** Present when the task is in a subplan, whose opening fills it. */
  readonly entry: number | undefined;
  /** One per need, in the order of `needs`, when all are needed; else empty. */
  readonly edges: readonly number[];
  /** The place where the needs arrive when fewer than all are needed. */
  readonly arrived: number | undefined;
  readonly worked: number | undefined;
  readonly checking: number | undefined;
  readonly queued: number | undefined;
  readonly merging: number | undefined;
  /** The place where a conflict waits for the task's agent. */
  readonly conflicted: number | undefined;
  readonly resolving: number | undefined;
  /** The place where a gate, a join or a conflict waits for a person. */
  readonly asking: number | undefined;
  readonly ended: number;
}

/** Transitions by name; absent where the task has no such stage. */
export interface TaskTransitions {
  readonly open: number;
  readonly drop: number;
  readonly cancel: number;
  readonly close: number | undefined;
  readonly repeat: number | undefined;
  readonly check: number | undefined;
  readonly pass: number | undefined;
  readonly redo: number | undefined;
  readonly cancelCheck: number | undefined;
  readonly returnCheck: number | undefined;
  readonly queue: number | undefined;
  readonly closeQueue: number | undefined;
  readonly merge: number | undefined;
  readonly requeue: number | undefined;
  readonly cancelMerge: number | undefined;
  readonly redoMerge: number | undefined;
  /** A conflict goes directly to a person. */
  readonly askMerge: number | undefined;
  readonly endMerge: number | undefined;
  readonly conflict: number | undefined;
  readonly askConflict: number | undefined;
  readonly closeConflict: number | undefined;
  readonly resolve: number | undefined;
  readonly endResolve: number | undefined;
  readonly askResolve: number | undefined;
  readonly returnResolve: number | undefined;
  readonly cancelResolve: number | undefined;
  readonly raiseResolve: number | undefined;
  /** A person has resolved the conflict. */
  readonly accept: number | undefined;
  /** A person is asked about a join. */
  readonly ask: number | undefined;
  readonly answer: number | undefined;
  readonly finish: number | undefined;
}

export interface CompiledStep {
  readonly step: Step;
  readonly task: TaskIndex;
  readonly index: number;
  /** Async steps of the same task that this one collects. */
  readonly needs: readonly number[];
  /** All steps it names in `needs`, in that order: what a join merges. */
  readonly named: readonly number[];
  /** Later steps that collect this one. */
  readonly collectors: readonly number[];
  /** Every place that must hold a token before the step can start; the first is its own ready place. */
  readonly ready: readonly number[];
  readonly working: number | undefined;
  readonly asking: number | undefined;
  readonly transitions: StepTransitions;
  /** Agents that run this variant; empty for a step without an agent. */
  readonly agents: readonly string[];
  /**
   * The same step for agents that hold other pools: transitions of their own while the step runs, the same places
   * before and after.
   */
  readonly otherVariants: readonly CompiledStep[];
}

export interface StepTransitions {
  readonly drop: number;
  readonly claim: number | undefined;
  readonly end: number | undefined;
  readonly return: number | undefined;
  readonly cancel: number | undefined;
  /** Only for a step with costs. */
  readonly raise: number | undefined;
  readonly join: number | undefined;
  /** Of a join whose steps may have to run again. */
  readonly rejoin: number | undefined;
  readonly ask: number | undefined;
  readonly answer: number | undefined;
  readonly retry: number | undefined;
}

/** Whether a task is one of these, or inside one of them at any depth. */
export function isInside({ tasks }: Compiled, these: ReadonlySet<TaskIndex>, task: TaskIndex): boolean {
  if (these.size === 0) return false;
  for (let at: TaskIndex | undefined = task; at !== undefined; at = tasks[at]?.parent) if (these.has(at)) return true;
  return false;
}

/** The task of a path; undefined where the plan has none. */
export const taskOfPath = (
  { tasks, indexOf }: Pick<Compiled, 'tasks' | 'indexOf'>,
  path: string,
): CompiledTask | undefined => tasks[indexOf.get(path) ?? -1];

/** The step of an id; undefined where the task has none. */
export const stepOfId = (task: CompiledTask | undefined, id: string | undefined): CompiledStep | undefined =>
  task?.steps.find(({ step }) => step.id === id);

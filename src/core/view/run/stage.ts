// The stages of a run for people and programs. One function names the stage of a task for `status` and for the progress
// stream.
import type { CompiledTask } from '../../compile/compiled.ts';
import type { WorkType } from '../../protocol/assignment.ts';
import type { Ending } from '../../engine/event.ts';
import type { Phase, Stage } from '../../engine/events/event-fields.ts';
import { claimAt, factsOf } from '../../engine/facts.ts';
import type { State } from '../../engine/state.ts';
import { countAt } from '../../net/play.ts';
import type { Task } from '../../plan/plan.ts';

/** The facts that determine the stage of a task. */
export interface StageFacts {
  readonly type: Task['type'];
  readonly phase: Phase;
  /** The claim on the task as a whole. */
  readonly claim: Exclude<WorkType, 'step'> | undefined;
  readonly hasRunningStep: boolean;
  readonly hasAskingStep: boolean;
}

const BY_CLAIM = { check: 'checking', merge: 'merging', resolve: 'resolving' } as const;

export function nameStage({ type, phase, claim, hasRunningStep, hasAskingStep }: StageFacts): Stage {
  if (claim !== undefined) return BY_CLAIM[claim];
  if (phase !== 'open') return phase;
  if (type === 'subplan') return 'open';
  if (hasRunningStep) return 'working';
  return hasAskingStep ? 'asking' : 'ready';
}

/** Without claims on the task or its steps nothing of it runs, which a caller with many tasks finds out at once. */
export function stageOf(state: State, task: CompiledTask, hasClaims = true): Stage {
  const { steps } = task;
  const { type } = task.task;
  const phase = phaseIn(state, task);
  const claim = hasClaims ? claimIn(state, task) : undefined;
  // Most tasks of a large run wait or have ended, whatever their steps hold.
  if (claim !== undefined || phase !== 'open')
    return nameStage({ type, phase, claim, hasRunningStep: false, hasAskingStep: false });
  const holds = ({ working }: { readonly working: number | undefined }): boolean => isMarked(state, working);
  return nameStage({
    type,
    phase,
    claim,
    hasRunningStep: hasClaims && steps.some((step) => holds(step) || step.otherVariants.some(holds)),
    hasAskingStep: steps.some(({ asking }) => isMarked(state, asking)),
  });
}

const isMarked = ({ play }: State, place: number | undefined): boolean =>
  place !== undefined && countAt(play, place) > 0;

function phaseIn(state: State, { index, task, places }: CompiledTask): StageFacts['phase'] {
  const { ended } = factsOf(state, index);
  if (ended !== undefined) return ended.ending;
  if (isMarked(state, places.waiting)) return 'waiting';
  if (isMarked(state, places.queued)) return 'queued';
  // A conflict that waits for a person remains a conflict.
  if (isMarked(state, places.asking)) return task.type === 'work' ? 'conflicted' : 'asking';
  return isMarked(state, places.conflicted) ? 'conflicted' : 'open';
}

function claimIn(state: State, { places }: CompiledTask): StageFacts['claim'] {
  const { checking, merging, resolving } = places;
  const claim = claimAt(state, checking) ?? claimAt(state, merging) ?? claimAt(state, resolving);
  return claim === undefined || claim.work === 'step' ? undefined : claim.work;
}

export const TASK_STATES = ['pending', 'running', 'completed', 'failed', 'cancelled', 'skipped'] as const;
export type TaskState = (typeof TASK_STATES)[number];

const STATE_OF: Readonly<Record<Ending, TaskState>> = {
  done: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
  skipped: 'skipped',
};

/** One of the six states by which people and programs sort tasks. A subplan has no state of its own. */
export function stateOf(state: State, task: CompiledTask, stage: Stage): TaskState {
  const { ended, startedAt } = factsOf(state, task.index);
  if (ended !== undefined) return STATE_OF[ended.ending];
  // A task that is open and waits for a slot has not started, however long it has been open.
  return startedAt !== undefined || stage === 'asking' ? 'running' : 'pending';
}

export function countStates(tasks: readonly { readonly state: TaskState }[]): Readonly<Record<TaskState, number>> {
  const counts = { pending: 0, running: 0, completed: 0, failed: 0, cancelled: 0, skipped: 0 };
  for (const { state } of tasks) counts[state] += 1;
  return counts;
}

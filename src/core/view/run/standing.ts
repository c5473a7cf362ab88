// Where a task stands, in the six words that people and machines sort by, and in one that says more.
import type { CompiledTask } from '../../compile/compiled.ts';
import type { Ending } from '../../engine/event.ts';
import { factsOf } from '../../engine/facts.ts';
import type { State } from '../../engine/state.ts';
import { countAt } from '../../net/play.ts';
import type { Stage } from './stage-after.ts';

export const TASK_STATES = ['pending', 'running', 'completed', 'failed', 'cancelled', 'skipped'] as const;
export type TaskState = (typeof TASK_STATES)[number];

const STATE_OF: Readonly<Record<Ending, TaskState>> = {
  done: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
  skipped: 'skipped',
};

/** Not of a subplan: it stands where the tasks in it do. */
export function stateOf(state: State, task: CompiledTask, stage: Stage): TaskState {
  const { ended, startedAt } = factsOf(state, task.index);
  if (ended !== undefined) return STATE_OF[ended.ending];
  // A task that is open and waits for a slot has not begun, however long it has been open.
  return startedAt !== undefined || stage === 'asking' ? 'running' : 'pending';
}

export function stageOf(state: State, { index, task, steps, places }: CompiledTask): Stage {
  const { ended } = factsOf(state, index);
  const holds = (place: number | undefined): boolean => place !== undefined && countAt(state.play, place) > 0;
  if (ended !== undefined) return ended.ending;
  if (holds(places.waiting)) return 'waiting';
  // A conflict that waits for a person is a conflict still.
  if (holds(places.asking)) return task.type === 'gate' ? 'asking' : 'conflicted';
  if (holds(places.conflicted)) return 'conflicted';
  if (holds(places.resolving)) return 'resolving';
  if (holds(places.checking)) return 'checking';
  if (holds(places.queued)) return 'queued';
  if (holds(places.merging)) return 'merging';
  if (task.type === 'subplan') return 'open';
  if (steps.some((step) => [step, ...step.otherVariants].some(({ working }) => holds(working)))) return 'working';
  return steps.some(({ asking }) => holds(asking)) ? 'asking' : 'ready';
}

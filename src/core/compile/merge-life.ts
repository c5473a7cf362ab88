// The transitions from finished work to the run branch: merge queue, merge, and conflicts.
//
// merge-life/T4. A merge holds one merge slot and, where commands run on the merged tree, a slot of every cap like a
//   check. A turn on a conflict holds the resources of a turn. Every exit gives all of them back.
// merge-life/T5. Resolved work, by an agent or by a person, is `worked` again: it is checked and queued like any other
//   work.
import type { ArcTo } from '../net/net.ts';
import type { Task, WorkTask } from '../plan/plan.ts';
import { add, stagePlace, type LifeDraft, type TaskContext } from './life-draft.ts';
import type { TaskTransition } from './meaning.ts';
import { resolverOf } from './sequence.ts';

export interface MergeAfter {
  readonly task: WorkTask;
  readonly worked: number;
  readonly queued: number;
  /** Places to fill when the merged tree fails its check. */
  readonly redo: readonly number[] | undefined;
}

export function layMerge(around: TaskContext, life: LifeDraft, after: MergeAfter): void {
  const { endGives, resources } = around;
  const { places, transitions } = life;
  const { task, worked, queued, redo } = after;
  const { lane } = resources;
  const held = isCheckedMerged(task) ? resources.heldBy(around.outlined.index, []) : [];
  const merging = (places.merging = stagePlace(around, 'merging'));
  const asking = (places.asking = stagePlace(around, 'asking'));
  const out = (transition: TaskTransition, gives: readonly ArcTo[]): number =>
    add(around, transition, { takes: [merging], gives: [...gives, lane, ...held] });
  // A task with a check is queued after the check passes; a task without one directly after its work.
  if (task.check === undefined) transitions.queue = add(around, 'queue', { takes: [worked], gives: [queued] });
  transitions.closeQueue = add(around, 'close queue', { takes: [queued], gives: endGives });
  transitions.merge = add(around, 'merge', {
    takes: [queued, lane, ...held],
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
  const step = task.steps[resolver ?? -1];
  const agent = step?.type === 'prompt' ? around.agents.find(({ name }) => name === step.agent) : undefined;
  const pools = agent?.pool === undefined ? [] : [{ pool: agent.pool, tokens: 1 }];
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

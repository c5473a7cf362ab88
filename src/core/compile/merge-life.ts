// The end of a task's life, on the run branch or not: its place in the queue, its merge, and its conflicts.
//
// T4. A merge holds one token of the lane and a turn on a conflict holds what a turn holds; every way out gives it back.
// T5. What was resolved, by an agent or by a person, is `worked` again: it is checked and queued like any other work.
import type { ArcTo } from '../net/net.ts';
import type { WorkTask } from '../plan/plan.ts';
import { add, stagePlace, type LifeDraft, type TaskAround } from './life-draft.ts';
import type { TaskDeed } from './meaning.ts';
import { resolverOf } from './sequence.ts';

export interface MergeAfter {
  readonly task: WorkTask;
  readonly worked: number;
  readonly queued: number;
  /** Places to fill when what it was merged to fails its check. */
  readonly redo: readonly number[] | undefined;
}

export function layMerge(around: TaskAround, life: LifeDraft, after: MergeAfter): void {
  const { endGives, resources } = around;
  const { places, deeds } = life;
  const { task, worked, queued, redo } = after;
  const { lane } = resources;
  const merging = (places.merging = stagePlace(around, 'merging'));
  const asking = (places.asking = stagePlace(around, 'asking'));
  const out = (deed: TaskDeed, gives: readonly ArcTo[]): number =>
    add(around, deed, { takes: [merging], gives: [...gives, lane] });
  // A check passes on what it has judged; without one, whoever looks at the worked task does.
  if (task.check === undefined) deeds.queue = add(around, 'queue', { takes: [worked], gives: [queued] });
  deeds.closeQueue = add(around, 'close queue', { takes: [queued], gives: endGives });
  deeds.merge = add(around, 'merge', { takes: [queued, lane], gives: [merging], reads: resources.switchesOf([]) });
  deeds.requeue = out('requeue', [queued]);
  deeds.condemnMerge = add(around, 'condemn merge', { takes: [merging], gives: [merging] });
  if (redo !== undefined) deeds.redoMerge = out('redo merge', redo);
  deeds.askMerge = out('ask merge', [asking]);
  deeds.closeMerge = out('close merge', endGives);
  deeds.accept = add(around, 'accept', { takes: [asking], gives: [worked] });
  deeds.answer = add(around, 'answer', { takes: [asking], gives: endGives });
  const resolver = resolverOf(task.steps);
  const { onConflict, conflictAttemptsMax } = task.settings.merge;
  if (resolver === undefined || onConflict === 'stop' || conflictAttemptsMax === 0) return;
  life.resolver = resolver;
  deeds.conflict = out('conflict', [layResolve(around, life, { ...after, asking })]);
}

/** Lays what an agent does about a conflict, and returns the place where the conflict waits for it. */
function layResolve(
  around: TaskAround,
  { places, deeds, resolver }: LifeDraft,
  { task, worked, asking }: MergeAfter & { readonly asking: number },
): number {
  const { endGives, resources, outlined } = around;
  const step = task.steps[resolver ?? -1];
  const agent = step?.type === 'prompt' ? around.agents.find(({ name }) => name === step.agent) : undefined;
  const pools = agent?.pool === undefined ? [] : [{ pool: agent.pool, tokens: 1 }];
  const held = resources.heldBy(outlined.index, pools);
  const conflicted = (places.conflicted = stagePlace(around, 'conflicted'));
  const resolving = (places.resolving = stagePlace(around, 'resolving'));
  const out = (deed: TaskDeed, place: number): number =>
    add(around, deed, { takes: [resolving], gives: [place, ...held] });
  deeds.askConflict = add(around, 'ask conflict', { takes: [conflicted], gives: [asking] });
  deeds.closeConflict = add(around, 'close conflict', { takes: [conflicted], gives: endGives });
  deeds.resolve = add(around, 'resolve', {
    takes: [conflicted, ...held],
    gives: [resolving],
    reads: resources.switchesOf(pools),
  });
  deeds.endResolve = out('end resolve', worked);
  deeds.askResolve = out('ask resolve', asking);
  deeds.returnResolve = out('return resolve', conflicted);
  deeds.condemnResolve = add(around, 'condemn resolve', { takes: [resolving], gives: [resolving] });
  deeds.raiseResolve = add(around, 'raise resolve', { takes: [resolving], gives: [resolving] });
  return conflicted;
}

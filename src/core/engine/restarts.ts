// The tasks that restart because other tasks restart, when a plan is amended.
//
// restarts/N5. The set is closed like the set of a retry (reset-set/V1): a task outside it has never used a token from
//     a task inside. Unlike a retry, the set may contain running tasks, which are stopped first, and done tasks, which
//     the caller refuses.
import type { CompiledTask } from '../compile/compiled.ts';
import type { TaskIndex } from '../compile/meaning.ts';
import { endedBecauseOf, isTiedTo } from './reset-set.ts';
import { factsOf, taskAt } from './facts.ts';
import type { State } from './state.ts';

export type Because =
  | { readonly type: 'redefined'; readonly parts: readonly string[] }
  /** The task continued from `by`, or was ended because of `by`. */
  | { readonly type: 'used'; readonly by: TaskIndex }
  /** The subplan `by` restarts with all its tasks. */
  | { readonly type: 'around'; readonly by: TaskIndex };

export interface Seeds {
  readonly cancelled: readonly TaskIndex[];
  readonly redefined: ReadonlyMap<TaskIndex, Because>;
  /** Subplans whose set of tasks changed. */
  readonly reopened: readonly TaskIndex[];
}

export interface Restarts {
  /** Tasks that restart, because of their own change or another task; without tasks that the new plan lacks. */
  readonly restarted: ReadonlyMap<TaskIndex, Because>;
  readonly reopened: ReadonlySet<TaskIndex>;
}

interface Draft {
  readonly state: State;
  readonly gone: ReadonlySet<TaskIndex>;
  readonly restarted: Map<TaskIndex, Because>;
  readonly reopened: Set<TaskIndex>;
  readonly causes: ReadonlyMap<string, readonly TaskIndex[]>;
  readonly pending: TaskIndex[];
}

export function restartsOf(state: State, { cancelled, redefined, reopened }: Seeds): Restarts {
  const draft: Draft = {
    state,
    gone: new Set(cancelled),
    restarted: new Map(),
    reopened: new Set(),
    causes: endedBecauseOf(state, { withRunning: true }),
    pending: [...cancelled],
  };
  for (const [index, because] of redefined) restart(draft, index, because);
  for (const index of reopened) reopen(draft, index);
  for (let index = draft.pending.pop(); index !== undefined; index = draft.pending.pop())
    spread(draft, taskAt(state, index));
  for (const index of draft.restarted.keys()) draft.reopened.delete(index);
  return draft;
}

function restart({ gone, restarted, pending }: Draft, index: TaskIndex, because: Because): void {
  if (gone.has(index) || restarted.has(index)) return;
  restarted.set(index, because);
  pending.push(index);
}

/** Opens an ended subplan again for the tasks inside it that have to run. */
function reopen({ state, gone, restarted, reopened, pending }: Draft, index: TaskIndex): void {
  if (factsOf(state, index).ended === undefined) return;
  if (gone.has(index) || restarted.has(index) || reopened.has(index)) return;
  reopened.add(index);
  pending.push(index);
}

function spread(draft: Draft, { task, index, parent, children, dependents }: CompiledTask): void {
  const { state, restarted, causes } = draft;
  const facts = factsOf(state, index);
  if (restarted.has(index)) for (const child of children) restart(draft, child, { type: 'around', by: index });
  if (parent !== undefined) reopen(draft, parent);
  for (const other of causes.get(task.path) ?? []) restart(draft, other, { type: 'used', by: index });
  if (facts.ended === undefined) return;
  for (const dependent of dependents) {
    const { openedAt, ended, dropped } = factsOf(state, dependent);
    const isDropped = openedAt === undefined && (ended !== undefined || dropped !== undefined);
    if (isDropped || (openedAt !== undefined && isTiedTo(taskAt(state, dependent), facts)))
      restart(draft, dependent, { type: 'used', by: index });
  }
}

/** All tasks that could continue from these tasks or the subplans around them, transitively; none may begin yet. */
export function downstreamOf(state: State, first: Iterable<TaskIndex>): ReadonlySet<TaskIndex> {
  const found = new Set(first);
  for (const index of found) {
    for (const dependent of taskAt(state, index).dependents) found.add(dependent);
    for (let at = taskAt(state, index).parent; at !== undefined; at = taskAt(state, at).parent)
      for (const dependent of taskAt(state, at).dependents) found.add(dependent);
  }
  return found;
}

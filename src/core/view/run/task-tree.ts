// The tasks of a run as a tree, each with its stage.
import { assert } from '../../assert.ts';
import type { CompiledTask } from '../../compile/compiled.ts';
import type { Reason } from '../../protocol/result.ts';
import type { RunEvent } from '../../engine/event.ts';
import { factsOf, taskAt } from '../../engine/facts.ts';
import { exact } from '../../engine/ledger.ts';
import type { State } from '../../engine/state.ts';
import type { Task } from '../../plan/plan.ts';
import type { Stage } from '../../engine/events/event-fields.ts';
import { countStates, stageOf, stateOf, type TaskState } from './stage.ts';

export interface TaskStatus {
  readonly task: string;
  readonly id: string;
  readonly type: Task['type'];
  readonly state: TaskState;
  readonly stage: Stage;
  /** The reason of its ending, or of its cancellation. */
  readonly reason: Reason | undefined;
  readonly cause: string | undefined;
  /** The highest number of claims of any of its steps. */
  readonly attempts: number;
  /** When the task was first claimed, or first asked. */
  readonly startedAt: number | undefined;
  readonly elapsedMs: number | undefined;
  readonly usd: number;
  /** Whether a person has paused the task or a subplan around it. */
  readonly isPaused: boolean;
  readonly children: readonly TaskStatus[];
}

export interface TaskTree {
  readonly roots: readonly TaskStatus[];
  /** Of all tasks except subplans. */
  readonly counts: Readonly<Record<TaskState, number>>;
  /** Those of them that failed, by their index, in the order of the plan. */
  readonly failed: readonly number[];
  /** By index; subplans too, and copies without an item. */
  readonly rows: readonly TaskStatus[];
}

interface Latest extends TaskTree {
  /** The number of events that the state was made of. */
  readonly events: number;
  /** Tasks whose time goes on, by their index. */
  readonly timed: ReadonlySet<number>;
}

/** Of each state the latest tree: a row that is as it was is the same value, so that a view makes only others anew. */
const latestTrees = new WeakMap<State, Latest>();

/**
 * `log` is the log that the state is made of: with it, a tree looks again only at the tasks that events since the latest tree
 * name, at those whose time goes on, and at the subplans around both.
 */
export function taskTree(state: State, now: number, log?: readonly RunEvent[]): TaskTree {
  const before = latestTrees.get(state);
  const named = before === undefined || log === undefined ? undefined : tasksNamed(state, before.events, log);
  const tree =
    before === undefined || named === undefined
      ? wholeTree(state, now, before?.rows)
      : changedTree(state, now, { before, named });
  latestTrees.set(state, tree);
  return tree;
}

/** All tasks except subplans, in the order of the plan. */
export const listedTasks = ({ rows }: TaskTree): readonly TaskStatus[] => rows.filter(isTask);

const isTask = (row: TaskStatus): boolean => row.type !== 'subplan' && isListed(row);

function wholeTree(state: State, now: number, before: readonly TaskStatus[] | undefined): Latest {
  const { tasks } = state.compiled;
  const around = { now, paused: pausedTasks(state), busy: busyTasks(state) };
  const rows: TaskStatus[] = Array.from({ length: tasks.length });
  const timed = new Set<number>();
  const failed: number[] = [];
  // Children come after their parents, so a backward pass sees all children before their parent.
  for (let at = tasks.length - 1; at >= 0; at -= 1) {
    const row = rowOf(state, taskAt(state, at), { ...around, rows }, before?.[at]);
    rows[at] = row;
    if (isTimed(state, row, at)) timed.add(at);
    if (row.state === 'failed' && row.type !== 'subplan') failed.push(at);
  }
  const counts = countStates(rows.filter(isTask));
  return { events: state.run.events, rows, roots: rootsOf(tasks, rows), counts, failed: failed.reverse(), timed };
}

interface Changed {
  readonly before: Latest;
  readonly named: ReadonlySet<number>;
}

function changedTree(state: State, now: number, { before, named }: Changed): Latest {
  const { tasks } = state.compiled;
  const around = { now, paused: pausedTasks(state), busy: busyTasks(state) };
  const rows = [...before.rows];
  const timed = new Set(before.timed);
  const counts = { ...before.counts };
  let hasRoot = false;
  let failed = before.failed;
  for (const at of withParents(tasks, [...named, ...before.timed])) {
    const compiled = taskAt(state, at);
    const old = rowAt(rows, at);
    const row = rowOf(state, compiled, { ...around, rows }, old);
    if (isTimed(state, row, at)) timed.add(at);
    else timed.delete(at);
    if (row === old) continue;
    rows[at] = row;
    hasRoot ||= compiled.parent === undefined;
    if (isTask(old)) counts[old.state] -= 1;
    if (isTask(row)) counts[row.state] += 1;
    if (row.type !== 'subplan' && (row.state === 'failed') !== (old.state === 'failed'))
      failed = row.state === 'failed' ? inOrder([...failed, at]) : failed.filter((each) => each !== at);
  }
  const roots = hasRoot ? rootsOf(tasks, rows) : before.roots;
  return { events: state.run.events, rows, roots, counts, failed, timed };
}

const inOrder = (indexes: readonly number[]): readonly number[] => indexes.toSorted((one, other) => one - other);

/** With the subplans around them, children before their parents. */
function withParents(tasks: readonly CompiledTask[], some: readonly number[]): readonly number[] {
  const all = new Set<number>();
  for (const index of some)
    for (let at: number | undefined = index; at !== undefined && !all.has(at); at = tasks[at]?.parent) all.add(at);
  return inOrder([...all]).toReversed();
}

/** The tasks that events after a position name; undefined when one of the events may change other tasks too. */
function tasksNamed({ compiled, run }: State, from: number, log: readonly RunEvent[]): ReadonlySet<number> | undefined {
  const named = new Set<number>();
  for (let at = from; at < run.events; at += 1) {
    const event = log[at];
    if (event === undefined || !isOfOneTask(event)) return undefined;
    const index = 'task' in event ? compiled.indexOf.get(event.task) : undefined;
    if (index !== undefined) named.add(index);
  }
  return named;
}

/** Whether the event changes the row of the task that it names, or of none: a pause is of all tasks inside. */
function isOfOneTask(event: RunEvent): boolean {
  if ('work' in event || 'step' in event || 'pool' in event) return true;
  if (!('task' in event))
    return event.type === 'run.paused' || event.type === 'run.resumed' || event.type === 'run.ended';
  return event.type !== 'task.paused' && event.type !== 'task.released' && event.type !== 'task.rolledBack';
}

/** Of these rows the elapsed time depends on the time of the view. */
const isTimed = (state: State, { elapsedMs }: TaskStatus, index: number): boolean =>
  elapsedMs !== undefined && factsOf(state, index).endedAt === undefined;

const busyTasks = ({ claims }: State): ReadonlySet<number> => new Set([...claims.values()].map(({ task }) => task));

/** Tasks that a person has paused, and those in paused subplans. */
function pausedTasks({ compiled, deferred }: State): ReadonlySet<number> {
  const paused = new Set(deferred.paused);
  // Parents come before their children.
  if (paused.size > 0)
    for (const { index, parent } of compiled.tasks) if (parent !== undefined && paused.has(parent)) paused.add(index);
  return paused;
}

function rootsOf(tasks: readonly CompiledTask[], rows: readonly TaskStatus[]): readonly TaskStatus[] {
  const roots: TaskStatus[] = [];
  for (const { parent, index } of tasks) if (parent === undefined) roots.push(rowAt(rows, index));
  return roots;
}

const isSameList = (one: readonly TaskStatus[], other: readonly TaskStatus[]): boolean =>
  one.length === other.length && one.every((child, index) => child === other[index]);

const CHILDLESS: readonly TaskStatus[] = [];

/** Copies without an item in the list are not tasks. */
const isListed = ({ reason }: TaskStatus): boolean => reason !== 'no_item';

function rowAt(rows: readonly TaskStatus[], index: number): TaskStatus {
  const row = rows[index];
  assert(row !== undefined, 'Children come after their parents.');
  return row;
}

interface Around {
  readonly now: number;
  readonly paused: ReadonlySet<number>;
  readonly busy: ReadonlySet<number>;
  /** By index, as far as they are made; those of all children are. */
  readonly rows: readonly TaskStatus[];
}

/** `before` itself while nothing of it has changed: most tasks of a large run are as they were. */
function rowOf(
  state: State,
  compiled: CompiledTask,
  { now, paused, busy, rows }: Around,
  before: TaskStatus | undefined,
): TaskStatus {
  const { task, index } = compiled;
  const children =
    compiled.children.length === 0 ? CHILDLESS : compiled.children.map((child) => rowAt(rows, child)).filter(isListed);
  const { ended, cancelling, endedAt, openedAt, startedAt: firstAt, steps } = factsOf(state, index);
  const stage = stageOf(state, compiled, busy.has(index));
  const startedAt = task.type === 'subplan' ? firstStart(children) : task.type === 'gate' ? openedAt : firstAt;
  const why = ended ?? cancelling;
  const status =
    ended === undefined && task.type === 'subplan' ? stateOfOpen(children) : stateOf(state, compiled, stage);
  const isPaused = ended === undefined && paused.has(index);
  const attempts = mostAttempts(steps);
  const elapsedMs = startedAt === undefined ? undefined : Math.max(0, (endedAt ?? now) - startedAt);
  const usd = exact(sumOfUsd(steps) + sumOfUsd(children));
  if (
    before !== undefined &&
    before.state === status &&
    before.stage === stage &&
    before.reason === why?.reason &&
    before.cause === why?.cause &&
    before.attempts === attempts &&
    before.startedAt === startedAt &&
    before.elapsedMs === elapsedMs &&
    before.usd === usd &&
    before.isPaused === isPaused &&
    before.task === task.path &&
    before.type === task.type &&
    isSameList(before.children, children)
  )
    return before;
  return {
    task: task.path,
    id: task.id,
    type: task.type,
    state: status,
    stage,
    reason: why?.reason,
    cause: why?.cause,
    attempts,
    startedAt,
    elapsedMs,
    usd,
    isPaused,
    children,
  };
}

function mostAttempts(steps: readonly { readonly attempts: number }[]): number {
  let most = 0;
  for (const { attempts } of steps) most = Math.max(most, attempts);
  return most;
}

function sumOfUsd(parts: readonly { readonly usd: number }[]): number {
  let sum = 0;
  for (const { usd } of parts) sum += usd;
  return sum;
}

const stateOfOpen = (children: readonly TaskStatus[]): TaskState =>
  children.every(({ state }) => state === 'pending') ? 'pending' : 'running';

function firstStart(children: readonly TaskStatus[]): number | undefined {
  let first: number | undefined;
  for (const { startedAt } of children) if (startedAt !== undefined) first = Math.min(first ?? startedAt, startedAt);
  return first;
}

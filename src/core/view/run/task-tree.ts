// The tasks of a run as a tree, each with its stage.
import { assert } from '../../assert.ts';
import type { CompiledTask } from '../../compile/compiled.ts';
import type { Reason } from '../../protocol/result.ts';
import { factsOf } from '../../engine/facts.ts';
import { exact } from '../../engine/ledger.ts';
import type { State } from '../../engine/state.ts';
import type { Task } from '../../plan/plan.ts';
import type { Stage } from '../../engine/events/event-fields.ts';
import { stageOf, stateOf, type TaskState } from './stage.ts';

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
  /** All tasks except subplans, in the order of the plan. */
  readonly all: readonly TaskStatus[];
  /** Those of them that failed, by their index. */
  readonly failed: readonly number[];
}

/** Of the latest tree of a state: a row that is as it was is the same value, so that a view makes only others anew. */
const latestRows = new WeakMap<State, readonly TaskStatus[]>();

export function taskTree(state: State, now: number): TaskTree {
  const { tasks } = state.compiled;
  const latest = latestRows.get(state);
  const pausedAround = pausedTasks(state);
  // Children come after their parents, so a backward pass sees all children before their parent.
  const busy = new Set([...state.claims.values()].map(({ task }) => task));
  const failed: number[] = [];
  const rows: TaskStatus[] = Array.from({ length: tasks.length });
  for (let at = tasks.length - 1; at >= 0; at -= 1) {
    const task = tasks[at];
    assert(task !== undefined, 'Every index is of a task.');
    const children =
      task.children.length === 0 ? CHILDLESS : task.children.map((child) => rowAt(rows, child)).filter(isListed);
    const { index } = task;
    const around = { now, children, isPaused: pausedAround.has(index), hasClaims: busy.has(index) };
    const row = rowOf(state, task, around, latest?.[index]);
    rows[index] = row;
    if (row.state === 'failed' && row.type !== 'subplan') failed.push(index);
  }
  latestRows.set(state, rows);
  const all = rows.filter((row) => row.type !== 'subplan' && isListed(row));
  return { roots: rootsOf(tasks, rows), all, failed: failed.reverse() };
}

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
  readonly children: readonly TaskStatus[];
  readonly isPaused: boolean;
  readonly hasClaims: boolean;
}

/** `before` itself while nothing of it has changed: most tasks of a large run are as they were. */
function rowOf(
  state: State,
  compiled: CompiledTask,
  { now, children, isPaused, hasClaims }: Around,
  before: TaskStatus | undefined,
): TaskStatus {
  const { task, index } = compiled;
  const { ended, cancelling, endedAt, openedAt, startedAt: firstAt, steps } = factsOf(state, index);
  const stage = stageOf(state, compiled, hasClaims);
  const startedAt = task.type === 'subplan' ? firstStart(children) : task.type === 'gate' ? openedAt : firstAt;
  const why = ended ?? cancelling;
  const status =
    ended === undefined && task.type === 'subplan' ? stateOfOpen(children) : stateOf(state, compiled, stage);
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
    before.isPaused === (isPaused && ended === undefined) &&
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
    isPaused: isPaused && ended === undefined,
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

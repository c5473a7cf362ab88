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
}

/** Of the latest tree of a state: a row that is as it was is the same value, so that a view makes only others anew. */
const latestRows = new WeakMap<State, readonly TaskStatus[]>();

export function taskTree(state: State, now: number): TaskTree {
  const { tasks } = state.compiled;
  const latest = latestRows.get(state);
  const pausedAround: boolean[] = [];
  for (const { index, parent } of tasks)
    pausedAround.push(state.deferred.paused.has(index) || (parent !== undefined && pausedAround[parent] === true));
  // Children come after their parents, so a backward pass sees all children before their parent.
  const rows: TaskStatus[] = Array.from({ length: tasks.length });
  for (let at = tasks.length - 1; at >= 0; at -= 1) {
    const task = tasks[at];
    assert(task !== undefined, 'Every index is of a task.');
    const children =
      task.children.length === 0 ? CHILDLESS : task.children.map((child) => rowAt(rows, child)).filter(isListed);
    const row = rowOf(state, task, { now, children, isPaused: pausedAround[task.index] === true });
    const before = latest?.[task.index];
    rows[task.index] = before !== undefined && isSame(before, row) ? before : row;
  }
  latestRows.set(state, rows);
  return {
    roots: tasks.flatMap(({ parent, index }) => (parent === undefined ? [rowAt(rows, index)] : [])),
    all: rows.filter((row) => row.type !== 'subplan' && isListed(row)),
  };
}

function isSame(one: TaskStatus, other: TaskStatus): boolean {
  return (
    one.task === other.task &&
    one.id === other.id &&
    one.type === other.type &&
    one.state === other.state &&
    one.stage === other.stage &&
    one.reason === other.reason &&
    one.cause === other.cause &&
    one.attempts === other.attempts &&
    one.startedAt === other.startedAt &&
    one.elapsedMs === other.elapsedMs &&
    one.usd === other.usd &&
    one.isPaused === other.isPaused &&
    one.children.length === other.children.length &&
    one.children.every((child, index) => child === other.children[index])
  );
}

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
}

function rowOf(state: State, compiled: CompiledTask, { now, children, isPaused }: Around): TaskStatus {
  const { task, index } = compiled;
  const { ended, cancelling, endedAt, openedAt, startedAt, steps } = factsOf(state, index);
  const stage = stageOf(state, compiled);
  const begun = task.type === 'subplan' ? firstStart(children) : task.type === 'gate' ? openedAt : startedAt;
  const why = ended ?? cancelling;
  return {
    task: task.path,
    id: task.id,
    type: task.type,
    state: ended === undefined && task.type === 'subplan' ? stateOfOpen(children) : stateOf(state, compiled, stage),
    stage,
    reason: why?.reason,
    cause: why?.cause,
    attempts: mostAttempts(steps),
    startedAt: begun,
    elapsedMs: begun === undefined ? undefined : Math.max(0, (endedAt ?? now) - begun),
    usd: exact(sumOfUsd(steps) + sumOfUsd(children)),
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

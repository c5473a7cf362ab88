// The tasks of a run as rows that the board, the table and the plan show alike.
import type { Compiled } from '../../src/core/compile/compiled.ts';
import type { State } from '../../src/core/engine/state.ts';
import type { RunningClaim, Status } from '../../src/core/view/run/run-status.ts';
import type { TaskStatus } from '../../src/core/view/run/task-tree.ts';

/** What a row is to a person, the most urgent first. */
export const GROUPS = ['asks', 'running', 'failed', 'waiting', 'done', 'cancelled', 'skipped'] as const;
export type TaskGroup = (typeof GROUPS)[number];

/** Colour is never alone: each group has a sign and a word. */
export const GROUP_SIGNS: Readonly<Record<TaskGroup, string>> = {
  asks: '?',
  running: '●',
  failed: '✗',
  waiting: '◌',
  done: '✓',
  cancelled: '–',
  skipped: '↷',
};

export const GROUP_WORDS: Readonly<Record<TaskGroup, string>> = {
  asks: 'asks you',
  running: 'running',
  failed: 'failed',
  waiting: 'waiting',
  done: 'done',
  cancelled: 'cancelled',
  skipped: 'skipped',
};

export interface TaskRow {
  readonly path: string;
  readonly id: string;
  readonly type: TaskStatus['type'];
  readonly group: TaskGroup;
  readonly stage: TaskStatus['stage'];
  readonly agent: string | undefined;
  /** With the live cost of its running turns. */
  readonly usd: number;
  readonly elapsedMs: number | undefined;
  readonly attempts: number;
  readonly running: readonly RunningClaim[];
  readonly isPaused: boolean;
  /** The number of the task in the plan. */
  readonly index: number;
}

/** All tasks but subplans, in the order of the plan. */
export function taskRows(state: State, status: Status): readonly TaskRow[] {
  const asking = new Set(status.questions.map(({ task }) => task));
  const running = Map.groupBy(status.running, ({ task }) => task);
  const turns = new Map([...state.claims.values()].map(({ task, agent }) => [task, agent]));
  const around = { asking, turns, running, agents: agentsIn(state.compiled) };
  const before = latestRows.get(state.compiled);
  const rows: TaskRow[] = [];
  const made: MadeRow[] = [];
  const visit = (task: TaskStatus): void => {
    if (task.type !== 'subplan') {
      const known = before?.[rows.length];
      const row =
        known !== undefined && isSame(known, task, around) ? known : { task, row: rowOf(state, task, around) };
      made.push(row);
      rows.push(row.row);
    }
    for (const child of task.children) visit(child);
  };
  for (const task of status.tasks) if (task.reason !== 'no_item') visit(task);
  latestRows.set(state.compiled, made);
  return rows;
}

interface MadeRow {
  readonly task: TaskStatus;
  readonly row: TaskRow;
}

/** The rows that were made last for a plan: most tasks of a large run are as they were, and so are their rows. */
const latestRows = new WeakMap<Compiled, readonly MadeRow[]>();

/** Rows of running and asking tasks have more than the status of the task. */
const isSame = ({ task: of, row }: MadeRow, task: TaskStatus, { asking, running }: Around): boolean =>
  of === task && row.group !== 'asks' && row.running === IDLE && !asking.has(task.task) && !running.has(task.task);

/** The row of each task, by its path. */
export function rowsByPath(rows: readonly TaskRow[], { indexOf }: Compiled): (path: string) => TaskRow | undefined {
  const byIndex: TaskRow[] = [];
  for (const row of rows) byIndex[row.index] = row;
  return (path) => byIndex[indexOf.get(path) ?? -1];
}

const IDLE: readonly RunningClaim[] = [];

interface Around {
  readonly asking: ReadonlySet<string>;
  readonly running: ReadonlyMap<string, readonly RunningClaim[]>;
  /** By task: the agent of a running turn. */
  readonly turns: ReadonlyMap<number, string | undefined>;
  readonly agents: readonly (string | undefined)[];
}

function rowOf(state: State, task: TaskStatus, { asking, running: all, turns, agents }: Around): TaskRow {
  const running = all.get(task.task) ?? IDLE;
  const index = state.compiled.indexOf.get(task.task) ?? -1;
  return {
    path: task.task,
    id: task.id,
    type: task.type,
    group: asking.has(task.task) ? 'asks' : groupOf(task),
    stage: task.stage,
    agent: turns.get(index) ?? agents[index],
    usd: task.usd + running.reduce((sum, { spent }) => sum + (spent?.usd ?? 0), 0),
    elapsedMs: task.elapsedMs,
    attempts: task.attempts,
    running,
    isPaused: task.isPaused,
    index,
  };
}

function groupOf({ state }: TaskStatus): TaskGroup {
  switch (state) {
    case 'running':
    case 'failed':
    case 'cancelled':
    case 'skipped':
      return state;
    case 'pending':
      return 'waiting';
    case 'completed':
      return 'done';
  }
}

/** By task: the first agent of its first prompt. A plan never changes, so it is asked once. */
const plannedAgents = new WeakMap<Compiled, readonly (string | undefined)[]>();

function agentsIn(compiled: Compiled): readonly (string | undefined)[] {
  const known =
    plannedAgents.get(compiled) ??
    compiled.tasks.map(({ steps }) => steps.find(({ agents }) => agents.length > 0)?.agents[0]);
  plannedAgents.set(compiled, known);
  return known;
}

/** The rows that fit every word of the filter: part of a path, of an agent or of a state, regardless of case. */
export function filterRows(rows: readonly TaskRow[], words: string): readonly TaskRow[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return rows;
  return rows.filter((row) => {
    const text = `${row.path} ${row.agent ?? ''} ${GROUP_WORDS[row.group]} ${row.stage}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

/** The columns of the board, what needs a person first. */
export const STAGE_COLUMNS = ['Asks you', 'Failed', 'Running', 'Merging', 'Waiting', 'Done'] as const;
export type StageColumn = (typeof STAGE_COLUMNS)[number];

const MERGE_STAGES: ReadonlySet<string> = new Set(['queued', 'merging', 'conflicted', 'resolving']);

export function stageColumnOf({ group, stage }: TaskRow): StageColumn {
  switch (group) {
    case 'asks':
      return 'Asks you';
    case 'failed':
      return 'Failed';
    case 'running':
      return MERGE_STAGES.has(stage) ? 'Merging' : 'Running';
    case 'waiting':
      return 'Waiting';
    case 'done':
    case 'cancelled':
    case 'skipped':
      return 'Done';
  }
}

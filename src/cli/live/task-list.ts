// The rows of the task list as a person has folded and filtered it.
//
// task-list/B1. Every task is in exactly one row: its own, the row of a subplan around it that shows only some or none of its
//     tasks, or the row of ended tasks.
// task-list/B2. All tasks that fit the screen have rows. Where they do not, a subplan shows only its asking, running and
//     failed tasks, as far as there is no room for more, and of the tasks that have ended the latest have rows, as far
//     as there is room; the others share one. The chosen task keeps its row, and a row that a person unfolds stays
//     unfolded.
import type { TaskStatus } from '../../core/view/run/task-tree.ts';
import type { Focus } from './focus.ts';
import { listGroupOf, holds, placeTasks, type ListGroup, type PlacedTasks } from './list-order.ts';

export type ListRow =
  | {
      readonly type: 'task';
      readonly task: TaskStatus;
      readonly depth: number;
      /** Which of the tasks in it have rows of their own. */
      readonly shows: 'all' | 'some' | 'none';
    }
  /** The last message of a failed task, below its row. It cannot be chosen. */
  | { readonly type: 'said'; readonly task: TaskStatus; readonly depth: number }
  /** The tasks that have ended, and not failed. */
  | { readonly type: 'ended'; readonly tasks: readonly TaskStatus[]; readonly shows: 'all' | 'some' | 'none' };

export interface Listing {
  readonly focus: Focus;
  readonly room: number;
  /** Whether a task waits for a person. */
  readonly asks: (path: string) => boolean;
}

export interface TaskList {
  readonly rows: readonly ListRow[];
  readonly placed: PlacedTasks;
}

/** No task has this path. */
const ENDED_KEY = '✓';

export function listTasks(tasks: readonly TaskStatus[], listing: Listing): TaskList {
  const { focus, asks } = listing;
  const groupFor = (task: TaskStatus): ListGroup => listGroupOf(task, asks);
  const placed = placeTasks(tasks, { before: focus.placed, chosen: focus.chosen, groupOf: groupFor });
  if (focus.filter !== '') return { rows: matching(tasks, focus.filter.toLowerCase(), groupFor), placed };
  const byPath = new Map(tasks.map((task) => [task.task, task]));
  const inOrder = placed.flatMap(({ key, group }) => {
    const task = byPath.get(key);
    return task === undefined ? [] : [{ task, group }];
  });
  const open = inOrder.flatMap(({ task, group }) => (group === 'ended' ? [] : [task]));
  const ended = inOrder.flatMap(({ task, group }) => (group === 'ended' ? [task] : []));
  return { rows: rowsOf(open, ended, listing), placed };
}

function rowsOf(open: readonly TaskStatus[], ended: readonly TaskStatus[], listing: Listing): readonly ListRow[] {
  const { focus, room } = listing;
  const fitsAll = countOf([...open, ...ended]) + (ended.length === 0 ? 0 : 1) <= room;
  const fold = focus.folds.get(ENDED_KEY) ?? (fitsAll || open.length === 0 ? 'open' : undefined);
  const quiet = { ...listing, isCondensed: true };
  const condensed = open.map((task) => taskRows(task, 0, quiet));
  let left = room - condensed.reduce((sum, rows) => sum + rows.length, 0) - (ended.length === 0 ? 0 : 1);
  const shownOpen = open.flatMap((task, at) => {
    const few = condensed[at] ?? [];
    const all = taskRows(task, 0, { ...listing, isCondensed: false });
    if (all.length - few.length > left) return few;
    left -= all.length - few.length;
    return all;
  });
  const shownEnded = fold === 'open' ? ended : fold === 'folded' ? [] : latestOf(ended, left);
  const shows = fold === 'open' ? 'all' : shownEnded.length > 0 ? 'some' : 'none';
  const row: ListRow = { type: 'ended', tasks: ended, shows };
  return [
    ...shownOpen,
    ...(ended.length === 0 ? [] : [row]),
    ...shownEnded.flatMap((task) => taskRows(task, 1, { ...listing, isCondensed: !fitsAll })),
  ];
}

/** The tasks that ended last, in the order of the list. */
function latestOf(ended: readonly TaskStatus[], most: number): readonly TaskStatus[] {
  if (most <= 0) return [];
  const latest = new Set(ended.toSorted((one, other) => endOf(other) - endOf(one)).slice(0, most));
  return ended.filter((task) => latest.has(task));
}

/** A task that never ran ended before all others. */
const endOf = ({ startedAt, elapsedMs }: TaskStatus): number => (startedAt ?? 0) + (elapsedMs ?? 0);

/** Rows of whole trees. */
const countOf = (tasks: readonly TaskStatus[]): number =>
  tasks.reduce((count, task) => count + (hasSaid(task) ? 2 : 1) + countOf(task.children), 0);

interface Condensing extends Listing {
  readonly isCondensed: boolean;
}

function taskRows(task: TaskStatus, depth: number, condensing: Condensing): readonly ListRow[] {
  const shows = showsOf(task, condensing);
  const shown =
    shows === 'all'
      ? task.children
      : shows === 'some'
        ? task.children.filter((child) => isWanted(child, condensing))
        : [];
  return [
    { type: 'task', task, depth, shows },
    ...(hasSaid(task) ? [{ type: 'said', task, depth } as const] : []),
    ...shown.flatMap((child) => taskRows(child, depth + 1, condensing)),
  ];
}

const hasSaid = ({ state, children }: TaskStatus): boolean => state === 'failed' && children.length === 0;

function showsOf(task: TaskStatus, condensing: Condensing): 'all' | 'some' | 'none' {
  const fold = condensing.focus.folds.get(task.task);
  if (fold !== undefined) return fold === 'open' ? 'all' : 'none';
  if (!condensing.isCondensed || task.children.length === 0) return 'all';
  const wanted = task.children.filter((child) => isWanted(child, condensing)).length;
  if (wanted === task.children.length) return 'all';
  return wanted > 0 ? 'some' : 'none';
}

/** Worth a row of its own: it asks, runs or failed, or it is the chosen one. */
function isWanted(task: TaskStatus, { focus, asks }: Listing): boolean {
  const group = listGroupOf(task, asks);
  return (group !== 'waiting' && group !== 'ended') || (focus.chosen !== undefined && holds(task, focus.chosen));
}

/** Tasks whose path, state, stage or group contains the words, with full paths and without the tree. */
function matching(
  tasks: readonly TaskStatus[],
  words: string,
  groupFor: (task: TaskStatus) => ListGroup,
): readonly ListRow[] {
  return tasks.flatMap((task): readonly ListRow[] => {
    const { task: path, state, stage, children } = task;
    const isMatch = [path.toLowerCase(), state, stage, groupFor(task)].some((text) => text.includes(words));
    const row: ListRow = { type: 'task', task, depth: 0, shows: children.length > 0 ? 'none' : 'all' };
    return [...(isMatch ? [row] : []), ...matching(children, words, groupFor)];
  });
}

/** The key by which a row is chosen; undefined for a row that cannot be. */
function keyOf(row: ListRow | undefined): string | undefined {
  switch (row?.type) {
    case 'task':
      return row.task.task;
    case 'ended':
      return ENDED_KEY;
    case 'said':
    case undefined:
      return undefined;
  }
}

/** The row that was chosen, or that of a folded subplan around it; -1 when there is none, as when a filter leaves it out. */
export function indexOfChosen(rows: readonly ListRow[], key: string): number {
  const own = rows.findIndex((row) => keyOf(row) === key);
  if (own !== -1) return own;
  // The innermost subplan comes last.
  return rows.findLastIndex((row) =>
    row.type === 'task'
      ? row.shows === 'none' && holds(row.task, key)
      : row.type === 'ended' && row.tasks.some((task) => holds(task, key)),
  );
}

/** The task of the chosen row; while none is chosen, the first of the list that is no subplan. */
export function subjectOf(rows: readonly ListRow[], { chosen }: Focus): TaskStatus | undefined {
  const row =
    chosen === undefined
      ? rows.find((each) => each.type === 'task' && each.task.children.length === 0)
      : rows[indexOfChosen(rows, chosen)];
  return row?.type === 'task' ? row.task : undefined;
}

/** Moves down by so many rows; the first move chooses the followed task. */
export function move(focus: Focus, rows: readonly ListRow[], by: number): Focus {
  const at = focus.chosen === undefined ? -1 : indexOfChosen(rows, focus.chosen);
  const first = subjectOf(rows, { ...focus, chosen: undefined });
  const from = at === -1 && Number.isFinite(by) ? Math.max(0, indexOfChosen(rows, first?.task ?? '')) : at + by;
  const next = nearest(rows, Math.max(0, Math.min(rows.length - 1, from)), by < 0 ? -1 : 1);
  const key = keyOf(rows[next]);
  if (key === undefined) return focus;
  return { ...focus, chosen: key, line: at === -1 ? next : focus.line + (next - at), pane: paneFor(focus, key) };
}

/** Another task is read from its start or followed at its end, and a search continues in it. */
const paneFor = ({ pane, chosen }: Focus, key: string): Focus['pane'] =>
  chosen === key ? pane : { ...pane, attemptsBack: 0, top: undefined, move: undefined };

function nearest(rows: readonly ListRow[], from: number, direction: 1 | -1): number {
  for (const way of [direction, -direction])
    for (let at = from; at >= 0 && at < rows.length; at += way) if (keyOf(rows[at]) !== undefined) return at;
  return -1;
}

/** Folds an open row, unfolds a folded one. */
export function toggleFold(focus: Focus, row: ListRow): Focus {
  const key = keyOf(row);
  if (key === undefined || row.type === 'said' || (row.type === 'task' && row.task.children.length === 0)) return focus;
  return { ...focus, folds: new Map([...focus.folds, [key, row.shows === 'all' ? 'folded' : 'open']]) };
}

export interface Window {
  /** The first row in sight. */
  readonly top: number;
  /** The chosen row; -1 when there is none. */
  readonly chosen: number;
  /** State for the next view: the chosen row keeps its line while rows above it come and go. */
  readonly line: number;
}

export function windowOn(rows: readonly ListRow[], { chosen, line }: Focus, room: number): Window {
  const last = Math.max(0, rows.length - room);
  const at = chosen === undefined ? -1 : indexOfChosen(rows, chosen);
  if (at === -1) return { top: 0, chosen: -1, line: 0 };
  const top = within(at - within(line, room - 1), last);
  return { top, chosen: at, line: at - top };
}

const within = (value: number, most: number): number => Math.max(0, Math.min(most, value));

// The rows of the task tree as a person has folded and filtered it.
//
// B1. Every task is in exactly one row: its own, that of a folded subplan around it, or that of a group of its like.
// B2. A tree that does not fit the screen is condensed: neighbours that are all done, or all still to come, share a row,
//     so that what is at work, asks or failed comes into sight. What a person unfolds stays so.
import type { TaskState } from '../../../core/view/run/standing.ts';
import type { TaskStatus } from '../../../core/view/run/task-tree.ts';
import type { Focus } from './focus.ts';

export type TreeRow =
  | {
      readonly type: 'task';
      readonly task: TaskStatus;
      readonly depth: number;
      readonly isFolded: boolean;
    }
  /** Neighbours of one state; `parent` is the path of what they are in, `''` for the plan. */
  | {
      readonly type: 'group';
      readonly state: TaskState;
      readonly tasks: readonly TaskStatus[];
      readonly depth: number;
      readonly parent: string;
    };

/** Fewer neighbours than this say more in rows of their own. */
const GROUP_MIN = 3;

export function treeRows(tasks: readonly TaskStatus[], focus: Focus, room: number): readonly TreeRow[] {
  if (focus.filter !== '') return matching(tasks, focus.filter.toLowerCase());
  const isCondensed = countOf(tasks) > room;
  return rowsIn({ tasks, parent: '', depth: 0 }, focus, isCondensed);
}

const countOf = (tasks: readonly TaskStatus[]): number =>
  tasks.reduce((count, { children }) => count + 1 + countOf(children), 0);

interface Level {
  readonly tasks: readonly TaskStatus[];
  readonly parent: string;
  readonly depth: number;
}

function rowsIn({ tasks, parent, depth }: Level, focus: Focus, isCondensed: boolean): readonly TreeRow[] {
  const rows: TreeRow[] = [];
  const isGrouped = isCondensed && focus.folds.get(parent) !== 'open';
  for (let at = 0; at < tasks.length;) {
    const alike = isGrouped ? alikeFrom(tasks, at, focus) : [];
    const [task] = tasks.slice(at, at + 1);
    if (task === undefined) break;
    if (alike.length >= GROUP_MIN) rows.push({ type: 'group', state: task.state, tasks: alike, depth, parent });
    else rows.push(...rowsOf({ task, depth }, focus, isCondensed));
    at += alike.length >= GROUP_MIN ? alike.length : 1;
  }
  return rows;
}

function rowsOf(
  { task, depth }: { readonly task: TaskStatus; readonly depth: number },
  focus: Focus,
  isCondensed: boolean,
): readonly TreeRow[] {
  const { children } = task;
  const isFolded = children.length > 0 && foldOf(task, focus, isCondensed) === 'folded';
  const row: TreeRow = { type: 'task', task, depth, isFolded };
  if (isFolded) return [row];
  return [row, ...rowsIn({ tasks: children, parent: task.task, depth: depth + 1 }, focus, isCondensed)];
}

const foldOf = (task: TaskStatus, { folds }: Focus, isCondensed: boolean): 'folded' | 'open' =>
  folds.get(task.task) ?? (isCondensed && isQuiet(task) ? 'folded' : 'open');

/** Nothing in it is at work, asks or has failed. */
const isQuiet = ({ state }: TaskStatus): boolean => state !== 'running' && state !== 'failed';

function alikeFrom(tasks: readonly TaskStatus[], from: number, { folds }: Focus): readonly TaskStatus[] {
  const state = tasks[from]?.state;
  const isAlike = (task: TaskStatus): boolean =>
    task.state === state && isQuiet(task) && folds.get(task.task) !== 'open';
  const rest = tasks.slice(from);
  const end = rest.findIndex((task) => !isAlike(task));
  return end === -1 ? rest : rest.slice(0, end);
}

/** Those whose path, state or stage has the words, under their whole path and without the tree around them. */
function matching(tasks: readonly TaskStatus[], words: string): readonly TreeRow[] {
  return tasks.flatMap((task): readonly TreeRow[] => {
    const { task: path, state, stage, children } = task;
    const isMatch = [path.toLowerCase(), state, stage].some((text) => text.includes(words));
    const row: TreeRow = { type: 'task', task, depth: 0, isFolded: children.length > 0 };
    return [...(isMatch ? [row] : []), ...matching(children, words)];
  });
}

/** The task that a row stands for when it is chosen. */
export const pathOf = (row: TreeRow): string => (row.type === 'task' ? row.task.task : (row.tasks[0]?.task ?? ''));

/** The row that a task is in; -1 when it is in none, as when a filter leaves it out. */
export function indexOfTask(rows: readonly TreeRow[], path: string): number {
  const own = rows.findIndex((row) => row.type === 'task' && row.task.task === path);
  if (own !== -1) return own;
  return rows.findIndex((row) => {
    if (row.type === 'group') return row.tasks.some((task) => holds(task, path));
    return row.isFolded && holds(row.task, path);
  });
}

const holds = ({ task, children }: TaskStatus, path: string): boolean =>
  task === path || children.some((child) => holds(child, path));

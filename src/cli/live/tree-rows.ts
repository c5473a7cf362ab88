// The rows of the task tree as a person has folded and filtered it.
//
// B1. Every task is in exactly one row: its own, that of a subplan around it which shows only some or none of its tasks,
//     or one that it shares with quiet neighbours.
// B2. A tree that does not fit the screen is condensed: a subplan shows only what is at work, asks or failed in it, and
//     quiet neighbours at the top share a row. What a person has chosen keeps its row, and what they unfold stays so.
import type { TaskStatus } from '../../core/view/run/task-tree.ts';
import type { Focus } from './focus.ts';

export type TreeRow =
  | {
      readonly type: 'task';
      readonly task: TaskStatus;
      readonly depth: number;
      /** Which of the tasks in it have rows of their own. */
      readonly shows: 'all' | 'some' | 'none';
    }
  /** Neighbours at the top of the plan, where nothing goes on. */
  | { readonly type: 'neighbours'; readonly tasks: readonly TaskStatus[] };

/** Fewer neighbours than this say more in rows of their own. */
const NEIGHBOURS_MIN = 3;

export function treeRows(tasks: readonly TaskStatus[], focus: Focus, room: number): readonly TreeRow[] {
  if (focus.filter !== '') return matching(tasks, focus.filter.toLowerCase());
  const isCondensed = countOf(tasks) > room;
  const rowsAt = (task: TaskStatus): readonly TreeRow[] => rowsOf(task, 0, { focus, isCondensed });
  if (!isCondensed || focus.folds.get('') === 'open') return tasks.flatMap(rowsAt);
  return chunksOf(tasks, focus).flatMap((chunk): readonly TreeRow[] =>
    chunk.length >= NEIGHBOURS_MIN ? [{ type: 'neighbours', tasks: chunk }] : chunk.flatMap(rowsAt),
  );
}

const countOf = (tasks: readonly TaskStatus[]): number =>
  tasks.reduce((count, { children }) => count + 1 + countOf(children), 0);

/** Quiet neighbours together, and each of the others alone. */
function chunksOf(tasks: readonly TaskStatus[], focus: Focus): readonly (readonly TaskStatus[])[] {
  const made: TaskStatus[][] = [];
  let wasQuiet = false;
  for (const task of tasks) {
    const isQuiet = !isWanted(task, focus) && focus.folds.get(task.task) !== 'open';
    const last = made.at(-1);
    if (isQuiet && wasQuiet && last !== undefined) last.push(task);
    else made.push([task]);
    wasQuiet = isQuiet;
  }
  return made;
}

interface Folding {
  readonly focus: Focus;
  readonly isCondensed: boolean;
}

function rowsOf(task: TaskStatus, depth: number, folding: Folding): readonly TreeRow[] {
  const shows = showsOf(task, folding);
  const shown =
    shows === 'all'
      ? task.children
      : shows === 'some'
        ? task.children.filter((child) => isWanted(child, folding.focus))
        : [];
  return [{ type: 'task', task, depth, shows }, ...shown.flatMap((child) => rowsOf(child, depth + 1, folding))];
}

function showsOf(task: TaskStatus, { focus, isCondensed }: Folding): 'all' | 'some' | 'none' {
  const fold = focus.folds.get(task.task);
  if (fold !== undefined) return fold === 'open' ? 'all' : 'none';
  if (!isCondensed || task.children.length === 0) return 'all';
  const wanted = task.children.filter((child) => isWanted(child, focus)).length;
  if (wanted === task.children.length) return 'all';
  return wanted > 0 ? 'some' : 'none';
}

/** Worth a row of its own: something goes on in it, or it is what the person has chosen. */
const isWanted = (task: TaskStatus, { chosen }: Focus): boolean =>
  isLively(task) || (chosen !== undefined && holds(task, chosen));

/** Something in it is at work, asks or has failed. */
const isLively = ({ state, children }: TaskStatus): boolean =>
  children.length > 0 ? children.some(isLively) : state === 'running' || state === 'failed';

/** Those whose path, state or stage has the words, under their whole path and without the tree around them. */
function matching(tasks: readonly TaskStatus[], words: string): readonly TreeRow[] {
  return tasks.flatMap((task): readonly TreeRow[] => {
    const { task: path, state, stage, children } = task;
    const isMatch = [path.toLowerCase(), state, stage].some((text) => text.includes(words));
    const row: TreeRow = { type: 'task', task, depth: 0, shows: children.length > 0 ? 'none' : 'all' };
    return [...(isMatch ? [row] : []), ...matching(children, words)];
  });
}

/** By what a row is chosen: a task by its path, neighbours by the last of them, which mostly stays the longest. */
export const keyOf = (row: TreeRow): string =>
  row.type === 'task' ? row.task.task : `… ${row.tasks.at(-1)?.task ?? ''}`;

/** The row that was chosen, or that of a folded subplan around it; -1 when there is none, as when a filter leaves it out. */
export function indexOfChosen(rows: readonly TreeRow[], key: string): number {
  const own = rows.findIndex((row) => keyOf(row) === key);
  if (own !== -1) return own;
  // The innermost subplan comes last.
  return rows.findLastIndex((row) => row.type === 'task' && row.shows === 'none' && holds(row.task, key));
}

const holds = ({ task, children }: TaskStatus, path: string): boolean =>
  task === path || children.some((child) => holds(child, path));

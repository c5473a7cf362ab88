// Moving through the list of tasks, and folding it.
import type { Focus } from './focus.ts';
import { indexOfChosen, keyOf, type TreeRow } from './tree-rows.ts';

/** So many rows down; the first move chooses what is at work. */
export function move(focus: Focus, list: readonly TreeRow[], by: number): Focus {
  if (list.length === 0) return focus;
  const at = focus.chosen === undefined ? -1 : indexOfChosen(list, focus.chosen);
  const next = at === -1 ? firstOf(list, by) : Math.max(0, Math.min(list.length - 1, at + by));
  const row = list[next];
  if (row === undefined) return focus;
  // Without a choice the line says how far the list is scrolled, and from there it goes on.
  const from = focus.chosen === undefined ? next - focus.line : focus.line + (next - at);
  return { ...focus, chosen: keyOf(row), line: from };
}

function firstOf(list: readonly TreeRow[], by: number): number {
  if (!Number.isFinite(by)) return by < 0 ? 0 : list.length - 1;
  const running = list.findIndex(
    (row) => row.type === 'task' && row.task.state === 'running' && row.task.children.length === 0,
  );
  return running === -1 ? 0 : running;
}

/** Folds what is open, unfolds what is folded; neighbours are unfolded with all else at the top. */
export function unfold(focus: Focus, list: readonly TreeRow[]): Focus {
  const row = focus.chosen === undefined ? undefined : list[indexOfChosen(list, focus.chosen)];
  if (row === undefined) return focus;
  if (row.type === 'neighbours') return folded(focus, '', 'open');
  if (row.task.children.length > 0) return folded(focus, row.task.task, row.shows === 'all' ? 'folded' : 'open');
  return focus;
}

const folded = (focus: Focus, path: string, how: 'folded' | 'open'): Focus => ({
  ...focus,
  folds: new Map([...focus.folds, [path, how]]),
});

// Which part of a long list is on the screen.
//
// W1. The chosen row keeps its line on the screen while rows come and go above it.
// W2. While nothing is chosen the list stays where it is as long as the first row worth a look is in sight.
import type { TaskState } from '../../core/view/run/stage.ts';
import type { Focus } from './focus.ts';
import { indexOfChosen, type TreeRow } from './tree-rows.ts';

export interface Window {
  /** The first row in sight. */
  readonly top: number;
  /** The chosen row; -1 when there is none. */
  readonly chosen: number;
  /** What to remember for the next look. */
  readonly line: number;
}

/** Rows that are kept in sight before the first one worth a look. */
const BEFORE = 2;

export function windowOn(rows: readonly TreeRow[], { chosen, line }: Focus, room: number): Window {
  const last = Math.max(0, rows.length - room);
  const at = chosen === undefined ? -1 : indexOfChosen(rows, chosen);
  if (at === -1) {
    const top = within(following(rows, line, room), last);
    return { top, chosen: -1, line: chosen === undefined ? top : line };
  }
  const top = within(at - within(line, room - 1), last);
  return { top, chosen: at, line: at - top };
}

function following(rows: readonly TreeRow[], top: number, room: number): number {
  const running = rows.findIndex((row) => isLeafIn(row, 'running'));
  const first = running === -1 ? rows.findIndex((row) => isLeafIn(row, 'failed')) : running;
  if (first === -1 || (first >= top && first < top + room)) return top;
  return first - BEFORE;
}

const isLeafIn = (row: TreeRow, state: TaskState): boolean =>
  row.type === 'task' && row.task.state === state && (row.shows === 'none' || row.task.children.length === 0);

const within = (value: number, most: number): number => Math.max(0, Math.min(most, value));

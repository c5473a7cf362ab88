// The tree of tasks as indented rows. A large tree shows running and failed tasks first.
import { formatDuration } from '../../core/view/chart/format.ts';
import { TASK_STATES, type TaskState } from '../../core/view/run/stage.ts';
import { STATE_SIGNS } from '../../core/view/text/status-text.ts';
import type { TaskStatus } from '../../core/view/run/task-tree.ts';
import { reasonOf } from '../../core/view/run/reason-text.ts';
import { column, quoted, widest, type Piece } from '../../core/view/text/styled-text.ts';
import { rowOf, type Screen } from './pieces.ts';

interface Row {
  readonly task: TaskStatus;
  readonly depth: number;
}

const NAME_COLUMNS_MAX = 44;
const STAGE_COLUMNS_MIN = 9;
const STAGE_COLUMNS_MAX = 16;
const TIME_COLUMNS_MAX = 12;

export function treeLines(screen: Screen, tasks: readonly TaskStatus[], rowsMax: number): readonly string[] {
  const rows = rowsOf(tasks, 0);
  const shown = chosen(rows, rowsMax);
  const columns = widest(shown.map(labelOf), NAME_COLUMNS_MAX);
  const stages = shown.map(({ task: { stage } }) => stage);
  const stageColumns = Math.max(STAGE_COLUMNS_MIN, widest(stages, STAGE_COLUMNS_MAX));
  const timeColumns = widest(shown.map(timeOf), TIME_COLUMNS_MAX);
  const isShown = new Set(shown);
  const left = countsOf(rows.filter((row) => !isShown.has(row)));
  return [
    ...shown.map((row) => rowOf(screen, rowPieces(row, { columns, stageColumns, timeColumns }))),
    ...(left === '' ? [] : [rowOf(screen, ['  ', ['quiet', `… and ${left}`]])]),
  ];
}

const rowsOf = (tasks: readonly TaskStatus[], depth: number): readonly Row[] =>
  tasks.flatMap((task) => [{ task, depth }, ...rowsOf(task.children, depth + 1)]);

const labelOf = ({ task, depth }: Row): string => `${'  '.repeat(depth)}${task.id}`;

/** Tasks of interest first, then the others as far as there is room; all in the order of the plan. */
function chosen(rows: readonly Row[], rowsMax: number): readonly Row[] {
  if (rows.length <= rowsMax) return rows;
  const isWorthALook = ({ task }: Row): boolean => task.state === 'running' || task.state === 'failed';
  const first = rows.filter(isWorthALook).slice(0, rowsMax);
  const rest = rows.filter((row) => !isWorthALook(row)).slice(0, rowsMax - first.length);
  const kept = new Set([...first, ...rest]);
  return rows.filter((row) => kept.has(row));
}

function countsOf(rows: readonly Row[]): string {
  const counts = new Map<TaskState, number>();
  for (const { task } of rows) counts.set(task.state, (counts.get(task.state) ?? 0) + 1);
  return TASK_STATES.flatMap((state) => (counts.has(state) ? [`${counts.get(state)} ${state}`] : [])).join(', ');
}

const timeOf = ({ task: { elapsedMs } }: Row): string => (elapsedMs === undefined ? '' : formatDuration(elapsedMs));

interface Widths {
  readonly columns: number;
  readonly stageColumns: number;
  readonly timeColumns: number;
}

function rowPieces(row: Row, { columns, stageColumns, timeColumns }: Widths): readonly Piece[] {
  const { state, stage, reason, cause, isHeld, attempts, type } = row.task;
  const pieces: Piece[] = ['  ', STATE_SIGNS[state], ` ${fitLabel(row, columns)}  ${stage.padEnd(stageColumns)}`];
  if (timeColumns > 0) pieces.push(` ${column(timeOf(row), timeColumns)}`);
  if (attempts > 1 && type === 'work') pieces.push(['quiet', `  ${attempts} attempts`]);
  if (isHeld) pieces.push(['warn', '  held']);
  if (reason !== undefined && reason !== 'failed') pieces.push(['quiet', `  ${quoted(reasonOf(reason, cause))}`]);
  return pieces;
}

const fitLabel = ({ task, depth }: Row, columns: number): string =>
  `${'  '.repeat(depth)}${column(task.id, Math.max(1, columns - 2 * depth))}`;

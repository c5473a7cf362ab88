// The status of a run as text: running tasks, questions, failures, spending, and the tree of tasks.
import { sandboxesText } from '../../core/engine/events/event-fields.ts';
import { columnsOf } from '../../core/view/draw/text-width.ts';
import type { Status } from '../../core/view/run/run-status.ts';
import { firstOf } from '../../core/view/text/count-text.ts';
import {
  countPieces,
  failureRows,
  headPieces,
  isUnwanted,
  poolPieces,
  questionRows,
  backoffPieces,
  spendText,
  workRows,
  STATE_SIGNS,
  type PointedRow,
} from '../../core/view/text/status-text.ts';
import { column, quoted, widest, type TextRow, type Piece } from '../../core/view/text/styled-text.ts';
import { columnsOfPieces, rowOf, type RowScreen } from './rows.ts';
import { formatDuration } from '../../core/view/chart/format.ts';
import { TASK_STATES, type TaskState } from '../../core/view/run/stage.ts';
import type { TaskStatus } from '../../core/view/run/task-tree.ts';
import { reasonOf } from '../../core/view/run/reason-text.ts';

export interface StatusText {
  readonly run: string;
  readonly status: Status;
  /** It has not ended and has no coordinator. */
  readonly isLeft: boolean;
  /** The ETA; undefined when unknown. */
  readonly left?: string | undefined;
  /** Tasks of the tree that are shown at most. */
  readonly rowsMax: number;
}

const SHOWN_MAX = 20;

export function statusLines(screen: RowScreen, { run, status, isLeft, left, rowsMax }: StatusText): readonly string[] {
  return [
    rowOf(screen, [['strong', run], '  ', ...headPieces(status, isLeft), ...(left === undefined ? [] : [`, ${left}`])]),
    rowOf(screen, ['  ', ...countPieces(status)]),
    ...spendLines(screen, status),
    ...sandboxLines(screen, status),
    ...section(screen, 'Running', workRows(status.running).map(alone)),
    ...section(screen, 'Waits for a person', pointedEntries(questionRows(status), screen.width)),
    ...section(
      screen,
      'Pools',
      [...status.pools.map(poolPieces(status)), ...status.backingOff.map(backoffPieces(status))].map(alone),
    ),
    ...section(screen, 'Failed', pointedEntries(failureRows(status), screen.width)),
    rowOf(screen, [['strong', 'Tasks']]),
    ...treeLines(screen, status.tasks, rowsMax),
  ];
}

/** Every status of a run without isolation shows it. */
function sandboxLines(screen: RowScreen, { sandboxes }: Status): readonly string[] {
  if (sandboxes === undefined) return [];
  const text = `sandboxes: ${sandboxesText(sandboxes)}`;
  return [rowOf(screen, ['  ', isUnwanted(sandboxes) ? ['warn', text] : text])];
}

const alone = (row: TextRow): Entry => [row];

function spendLines(screen: RowScreen, status: Status): readonly string[] {
  const text = spendText(status);
  return text === '' ? [] : [rowOf(screen, ['  spent ', text])];
}

/** One entry: a row, or two where one is too narrow. */
type Entry = readonly TextRow[];

function section(screen: RowScreen, title: string, entries: readonly Entry[]): readonly string[] {
  if (entries.length === 0) return [];
  const { shown, more } = firstOf(entries, SHOWN_MAX);
  return [
    rowOf(screen, [['strong', title]]),
    ...shown.flat().map((pieces) => rowOf(screen, ['  ', ...pieces])),
    ...(more === 0 ? [] : [rowOf(screen, ['  ', ['quiet', `… and ${more} more`]])]),
  ];
}

/** Of the rows of a section. */
const INDENT = 2;

/** The commands that help follow the entry, or go below it where there is no room: half a command is useless. */
export function pointedEntries(rows: readonly PointedRow[], width: number): readonly Entry[] {
  return rows.map(({ row, pointers }): Entry => {
    if (pointers === '') return [row];
    return INDENT + columnsOfPieces(row) + 2 + columnsOf(pointers) <= width
      ? [[...row, ['quiet', `  ${pointers}`]]]
      : [row, [['quiet', `  ${pointers}`]]];
  });
}

interface Row {
  readonly task: TaskStatus;
  readonly depth: number;
}

const NAME_COLUMNS_MAX = 44;
const STAGE_COLUMNS_MIN = 9;
const STAGE_COLUMNS_MAX = 16;
const TIME_COLUMNS_MAX = 12;

/** The tree of tasks as indented rows. A large tree shows running and failed tasks first. */
function treeLines(screen: RowScreen, tasks: readonly TaskStatus[], rowsMax: number): readonly string[] {
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

function rowPieces(row: Row, { columns, stageColumns, timeColumns }: Widths): TextRow {
  const { state, stage, reason, cause, isPaused, attempts, type } = row.task;
  const pieces: Piece[] = ['  ', STATE_SIGNS[state], ` ${fitLabel(row, columns)}  ${stage.padEnd(stageColumns)}`];
  if (timeColumns > 0) pieces.push(` ${column(timeOf(row), timeColumns)}`);
  if (attempts > 1 && type === 'work') pieces.push(['quiet', `  ${attempts} attempts`]);
  if (isPaused) pieces.push(['warn', '  paused']);
  if (reason !== undefined && reason !== 'failed') pieces.push(['quiet', `  ${quoted(reasonOf(reason, cause))}`]);
  return pieces;
}

const fitLabel = ({ task, depth }: Row, columns: number): string =>
  `${'  '.repeat(depth)}${column(task.id, Math.max(1, columns - 2 * depth))}`;

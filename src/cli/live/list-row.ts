// One row of the task list: sign, name, state, duration and cost; on a wide list also the activity, question or wait.
import { formatDuration } from '../../core/view/chart/format.ts';
import { columnsOf, fitColumns } from '../../core/view/draw/text-width.ts';
import type { OpenQuestion } from '../../core/view/run/open-question.ts';
import { reasonOf } from '../../core/view/run/reason-text.ts';
import type { RunningClaim, FailureStatus } from '../../core/view/run/run-status.ts';
import type { TaskStatus } from '../../core/view/run/task-tree.ts';
import { barOf, quoted, widest, type Style, type Piece, type TextRow } from '../../core/view/text/styled-text.ts';
import { placeText } from '../../core/view/text/place-text.ts';
import { taskFailureText } from '../../core/view/text/run-names.ts';
import { placeStyle } from '../../core/view/text/status-text.ts';
import { holdersText, waitText } from '../../core/view/text/short-wait.ts';
import { fitPieces } from '../text/rows.ts';
import { listGroupOf, type ListGroup } from './list-order.ts';
import type { ListRow } from './task-list.ts';
import { wholeSeconds, type ViewModel } from './view-model.ts';

/** Data about tasks beside their rows, by path. */
export interface TaskDetails {
  readonly running: ReadonlyMap<string, readonly RunningClaim[]>;
  readonly questions: ReadonlyMap<string, OpenQuestion>;
  readonly failures: ReadonlyMap<string, FailureStatus>;
  readonly critical: ReadonlySet<string>;
}

export function taskDetailsOf({ status, eta }: ViewModel): TaskDetails {
  return {
    running: Map.groupBy(status.running, ({ task }) => task),
    questions: new Map(status.questions.map((question) => [question.task, question])),
    failures: new Map(status.failures.map((failure) => [failure.task, failure])),
    critical: new Set(status.stage === 'ended' ? [] : eta?.chain),
  };
}

const SIGN_COLUMNS = 3;
const NAME_SHARE = 0.38;
const NAME_COLUMNS_MIN = 8;
const TIME_COLUMNS = 7;
const COST_COLUMNS = 7;
/** Narrower lists leave the cost out, and then the time. */
const COST_FROM_WIDTH = 48;
const TIME_FROM_WIDTH = 34;
/** Wider lists have a column for the activity of a task. */
const DETAIL_FROM_WIDTH = 76;
const STATE_COLUMNS_MIN = 20;
const STATE_COLUMNS_MAX = 34;
const STATE_SHARE = 0.45;

/** The columns of the list; 0 leaves one out. */
export interface ListColumns {
  readonly name: number;
  readonly state: number;
  readonly time: number;
  readonly cost: number;
  readonly detail: number;
}

/** The same for all rows of the list, in sight or not. */
export function columnsFor(rows: readonly ListRow[], view: ViewModel, width: number): ListColumns {
  const labels = rows.map((row) => labelOf(row, view));
  const name = Math.max(NAME_COLUMNS_MIN, widest(labels, Math.floor(width * NAME_SHARE)) + 2);
  const time = width < TIME_FROM_WIDTH ? 0 : TIME_COLUMNS;
  const cost = width < COST_FROM_WIDTH ? 0 : COST_COLUMNS;
  const left = Math.max(0, width - SIGN_COLUMNS - name - 1 - time - cost);
  const state =
    width < DETAIL_FROM_WIDTH
      ? left
      : Math.min(left, Math.max(STATE_COLUMNS_MIN, Math.min(STATE_COLUMNS_MAX, Math.floor(left * STATE_SHARE))));
  return { name, state, time, cost, detail: Math.max(0, left - state - 2) };
}

export function headingRow({ name, state, time, cost, detail }: ListColumns): TextRow {
  const cells = [' '.repeat(SIGN_COLUMNS), 'task'.padEnd(name), ' ', 'state'.padEnd(state).slice(0, state)];
  const more = detail === 0 ? '' : '  doing, asking or waiting for';
  return [
    [
      'quiet',
      `${cells.join('')}${'time'.padStart(time).slice(0, time)}${cost === 0 ? '' : 'cost'.padStart(cost)}${more}`,
    ],
  ];
}

/** Without the tree around it a task goes by its whole path. */
function labelOf(row: ListRow, { focus }: ViewModel): string {
  if (row.type !== 'task') return '';
  const { id, task, children } = row.task;
  const fold = children.length === 0 ? '' : row.shows === 'all' ? ' ▾' : ' ▸';
  return `${'  '.repeat(row.depth)}${quoted(focus.filter === '' ? id : task)}${fold}`;
}

/** Colour is never alone: each state has its sign and its word. */
const SIGNS: Readonly<Record<TaskStatus['state'] | 'asks', readonly [Style, string]>> = {
  asks: ['warn', '?'],
  running: ['running', '●'],
  failed: ['bad', '✗'],
  pending: ['quiet', '◌'],
  completed: ['good', '✓'],
  cancelled: ['warn', '–'],
  skipped: ['quiet', '↷'],
};

const STYLE_OF: Readonly<Record<ListGroup, Style>> = {
  asks: 'warn',
  running: 'running',
  failed: 'bad',
  waiting: 'quiet',
  ended: 'quiet',
};

export const signOf = (task: TaskStatus, known: TaskDetails): readonly [Style, string] =>
  SIGNS[listGroupOf(task, (path) => known.questions.has(path)) === 'asks' ? 'asks' : task.state];

/** The ETA is slightly old: tasks that have ended since are not critical any more. */
export const isOnCriticalPath = ({ task, state }: TaskStatus, { critical }: TaskDetails): boolean =>
  (state === 'pending' || state === 'running') && critical.has(task);

interface Drawing {
  readonly view: ViewModel;
  readonly known: TaskDetails;
  readonly columns: ListColumns;
  readonly isChosen: boolean;
}

export function rowPieces(row: ListRow, drawing: Drawing): TextRow {
  const { view, known, columns, isChosen } = drawing;
  const mark: Piece = isChosen ? ['strong', '▸'] : ' ';
  if (row.type === 'said') return [' '.repeat(SIGN_COLUMNS + 2 * row.depth + 1), ['bad', saidBy(row.task, drawing)]];
  if (row.type === 'ended') {
    const text = `${endedText(row.tasks)} ${row.shows === 'all' ? '▾' : '▸'}`;
    return [mark, SIGNS.completed, ' ', isChosen ? ['chosen', text] : ['quiet', text]];
  }
  const { task } = row;
  const star = isOnCriticalPath(task, known) ? ' ★' : '  ';
  const name = fitColumns(labelOf(row, view), columns.name - 2);
  const state = statePieces(task, drawing);
  return [
    mark,
    signOf(task, known),
    ' ',
    isChosen ? ['chosen', name] : task.children.length > 0 ? ['strong', name] : name,
    ['warn', star],
    ' ',
    ...fitPieces(state, columns.state),
    ...timePieces(task, columns),
    ...(columns.detail === 0 ? [] : ['  ', ...fitPieces(detailPieces(task, drawing), columns.detail)]),
  ];
}

function timePieces({ elapsedMs, usd }: TaskStatus, { time, cost }: ListColumns): TextRow {
  const elapsed = elapsedMs === undefined ? '' : formatDuration(wholeSeconds(elapsedMs));
  const money = usd === 0 ? '' : usd < 0.01 ? '<0.01' : usd.toFixed(2);
  return [
    ...(time === 0 ? [] : [elapsed.padStart(time)]),
    ...(cost === 0 ? [] : [['quiet', money.padStart(cost)] as const]),
  ];
}

/** The state of a task, in a few words. */
function statePieces(task: TaskStatus, { view, known, columns }: Drawing): TextRow {
  if (task.isPaused) return [['warn', 'paused']];
  const group = listGroupOf(task, (path) => known.questions.has(path));
  const style = STYLE_OF[group];
  if (task.children.length > 0) return [[style, task.stage === 'waiting' ? waitText(task, view) : insideText(task)]];
  if (group === 'asks') return [[style, task.stage === 'conflicted' ? 'conflict, asks you' : 'asks you']];
  const [work] = known.running.get(task.task) ?? [];
  if (group === 'running' && work !== undefined) return workPieces(task, work, columns.state);
  if (group === 'failed') return [[style, shortReason(task)]];
  if (group === 'running' || group === 'waiting') return [[style, waitText(task, view)]];
  return [[task.state === 'cancelled' ? 'warn' : style, task.reason === undefined ? task.stage : endText(task)]];
}

const endText = ({ stage, reason, cause }: TaskStatus): string =>
  reason === 'need' ? `${stage}: needs ${cause ?? 'a failed task'}` : stage;

const shortReason = ({ reason, stage }: TaskStatus): string =>
  reason === undefined || reason === 'failed' ? stage : quoted(reasonOf(reason, undefined).replace(/^its? /u, ''));

const BAR_COLUMNS_MAX = 10;
const BAR_COLUMNS_MIN = 4;

/** A running task: the step or the stage, the attempt, and the progress against its estimate. */
function workPieces({ stage }: TaskStatus, work: RunningClaim, columns: number): TextRow {
  const { estimateMs, elapsedMs, isStopping, step, type, attempt, place } = work;
  if (isStopping) return [['warn', 'stopping']];
  if (place?.type === 'waiting') return [[placeStyle(place), placeText(place)]];
  const what = type === 'step' && step !== undefined && step !== 'main' ? step : stage;
  const text = `${quoted(what)}${attempt > 1 ? ` #${attempt}` : ''}`;
  const pieces: Piece[] = [['running', text]];
  if (estimateMs === undefined || estimateMs <= 0) return pieces;
  const share = `${Math.min(999, Math.round((elapsedMs / estimateMs) * 100))}%`;
  const bar = Math.min(BAR_COLUMNS_MAX, columns - columnsOf(text) - share.length - 3);
  if (bar >= BAR_COLUMNS_MIN) pieces.push(' ', ['running', barOf(elapsedMs / estimateMs, bar)], ` ${share}`);
  return pieces;
}

/** The activity, question or wait of a task, where the list is wide enough. */
function detailPieces(task: TaskStatus, { view, known }: Drawing): TextRow {
  const question = known.questions.get(task.task);
  if (question !== undefined) return [['warn', quoted(question.text)]];
  const works = known.running.get(task.task) ?? [];
  const doing = works.flatMap((work) => [hostOf(work) ?? [], view.doing(work) ?? []].flat());
  if (doing.length > 0) return [['quiet', doing.map(quoted).join('  ')]];
  if (task.state === 'pending' || task.state === 'running') return [['quiet', holdersText(task, view)]];
  // The last message of a failed task is in the row below.
  const isSaid = task.reason === undefined || task.state === 'failed';
  return isSaid ? [] : [['quiet', quoted(reasonOf(task.reason, task.cause))]];
}

const hostOf = ({ place }: RunningClaim): string | undefined =>
  place?.type === 'placed' ? placeText(place) : undefined;

/** The last message of a failed task: of its check, where that failed. */
function saidBy(task: TaskStatus, { known }: Drawing): string {
  const failure = known.failures.get(task.task);
  if (failure === undefined) return '';
  // The row above says already that the check failed.
  const isCheck = task.reason === 'check' || task.reason === 'baseline';
  return quoted(isCheck ? (failure.said ?? '') : taskFailureText(failure));
}

/** `2 of 3`, and the error. */
function insideText({ children }: TaskStatus): string {
  const leaves = children.flatMap(leavesOf);
  const done = leaves.filter(({ state }) => state === 'completed' || state === 'skipped').length;
  const failed = leaves.filter(({ state }) => state === 'failed').length;
  return `${done} of ${leaves.length}${failed === 0 ? '' : `, ${failed} failed`}`;
}

function endedText(tasks: readonly TaskStatus[]): string {
  const leaves = tasks.flatMap(leavesOf);
  const counts = Map.groupBy(leaves, ({ state }) => state);
  const words = { completed: 'done', cancelled: 'cancelled', skipped: 'skipped' } as const;
  return (['completed', 'cancelled', 'skipped'] as const)
    .flatMap((state) => (counts.has(state) ? [`${counts.get(state)?.length ?? 0} ${words[state]}`] : []))
    .join(' · ');
}

const leavesOf = (task: TaskStatus): readonly TaskStatus[] =>
  task.children.length === 0 ? [task] : task.children.flatMap(leavesOf);

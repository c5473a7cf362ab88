// One row of the live view's list: where a task stands, for how long, and what it does, waits for or died of.
import { taskAt } from '../../core/engine/facts.ts';
import { formatDuration, formatMoney } from '../../core/view/chart/format.ts';
import { fitColumns } from '../../core/view/draw/text-width.ts';
import { explainTask } from '../../core/view/run/explain-task.ts';
import type { Wait } from '../../core/view/run/wait.ts';
import { reasonOf } from '../../core/view/run/reason-text.ts';
import { TASK_STATES } from '../../core/view/run/stage.ts';
import type { OpenQuestion } from '../../core/view/run/open-question.ts';
import type { AtWork, FailureStatus } from '../../core/view/run/status.ts';
import type { TaskStatus } from '../../core/view/run/task-tree.ts';
import { failureText, nameOf } from '../text/names.ts';
import { barOf, quoted, widest, type Piece } from '../text/pieces.ts';
import { SIGNS } from '../text/task-tree-text.ts';
import { waitPieces } from '../text/wait-text.ts';
import type { ViewModel } from './view-model.ts';
import { wholeSeconds } from './whole-seconds.ts';
import type { TreeRow } from './tree-rows.ts';

type Row = readonly Piece[];

/** What is known of tasks beside their rows, by path. */
export interface Known {
  readonly atWork: ReadonlyMap<string, readonly AtWork[]>;
  readonly questions: ReadonlyMap<string, OpenQuestion>;
  readonly failures: ReadonlyMap<string, FailureStatus>;
}

export function knownOf({ status }: ViewModel): Known {
  return {
    atWork: Map.groupBy(status.atWork, ({ task }) => task),
    questions: new Map(status.questions.map((question) => [question.task, question])),
    failures: new Map(status.failures.map((failure) => [failure.task, failure])),
  };
}

const NAME_SHARE = 0.4;
const NAME_COLUMNS_MIN = 8;
const STAGE_COLUMNS = 10;
const TIME_COLUMNS = 7;
const BAR_COLUMNS = 8;
/** Screens from this width on have room for a bar beside what a worker does. */
const BAR_FROM_WIDTH = 110;

/** How wide names are, the same for all rows of the list, in sight or not. */
export const nameColumns = (rows: readonly TreeRow[], look: ViewModel): number =>
  Math.max(
    NAME_COLUMNS_MIN,
    widest(
      rows.map((row) => labelOf(row, look)),
      Math.floor(look.width * NAME_SHARE),
    ),
  );

/** Without the tree around it a task goes by its whole path. */
function labelOf(row: TreeRow, { focus }: ViewModel): string {
  if (row.type === 'neighbours') return '';
  const { id, task } = row.task;
  return `${'  '.repeat(row.depth)}${quoted(focus.filter === '' ? id : task)}${row.shows === 'all' ? '' : ' …'}`;
}

interface Drawing {
  readonly look: ViewModel;
  readonly known: Known;
  readonly columns: number;
  readonly isChosen: boolean;
}

export function rowPieces(row: TreeRow, { look, known, columns, isChosen }: Drawing): Row {
  const mark: Piece = isChosen ? ['strong', '▸'] : ' ';
  if (row.type === 'neighbours') return [mark, ['quiet', '… '], ['quiet', insideWords(row.tasks)]];
  const { task } = row;
  const name = fitColumns(labelOf(row, look), columns);
  return [
    mark,
    SIGNS[task.state],
    ' ',
    isChosen ? ['chosen', name] : task.children.length > 0 ? ['strong', name] : name,
    ` ${stageWord(task).padEnd(STAGE_COLUMNS)}`,
    (task.elapsedMs === undefined ? '' : formatDuration(wholeSeconds(task.elapsedMs))).padStart(TIME_COLUMNS),
    '  ',
    ...restPieces(task, row.shows !== 'all', { look, known }),
  ];
}

/** A subplan stands where the tasks in it do. */
const stageWord = ({ stage, children, state }: TaskStatus): string =>
  children.length > 0 && stage === 'open' ? state : stage;

type About = Pick<Drawing, 'look' | 'known'>;

const insidePieces = ({ children }: TaskStatus): Row => [['quiet', `${insideWords(children)}  `]];

function restPieces(task: TaskStatus, isFolded: boolean, about: About): Row {
  if (task.children.length > 0)
    return [...heldPieces(task), ...(isFolded ? insidePieces(task) : []), ...whyPieces(task)];
  return [...heldPieces(task), ...attemptPieces(task), ...statePieces(task, about)];
}

const heldPieces = ({ isHeld }: TaskStatus): Row => (isHeld ? [['warn', 'held  ']] : []);

function attemptPieces({ attempts, usd, type }: TaskStatus): Row {
  const pieces: Piece[] = [];
  if (attempts > 1 && type === 'work') pieces.push(['quiet', `attempt ${attempts}  `]);
  if (usd > 0) pieces.push(['quiet', `${formatMoney(usd)}  `]);
  return pieces;
}

function statePieces(task: TaskStatus, { look, known }: About): Row {
  const question = known.questions.get(task.task);
  if (question !== undefined) return [['warn', `? ${quoted(question.text)}`]];
  const works = known.atWork.get(task.task) ?? [];
  if (works.length > 0) return works.flatMap((work, at) => [...(at === 0 ? [] : ['  ']), ...workPieces(work, look)]);
  const failure = known.failures.get(task.task);
  if (failure !== undefined) return [['bad', quoted(failureText(failure))]];
  if (task.state === 'pending' || task.state === 'running') return waitingPieces(task, look);
  return whyPieces(task);
}

const whyPieces = ({ reason, cause }: TaskStatus): Row =>
  reason === undefined ? [] : [['quiet', quoted(reasonOf(reason, cause))]];

/** What somebody at work does: how far by the estimate, which step, and the last that was heard. */
function workPieces(work: AtWork, look: ViewModel): Row {
  const { estimateMs, elapsedMs, isStopping, step, type } = work;
  const pieces: Piece[] = [];
  if (estimateMs !== undefined && estimateMs > 0 && look.width >= BAR_FROM_WIDTH)
    pieces.push(barOf(elapsedMs / estimateMs, BAR_COLUMNS), ['quiet', ` of ${formatDuration(estimateMs)}  `]);
  if (isStopping) pieces.push(['warn', 'is being stopped  ']);
  if (type === 'step' && step !== undefined && step !== 'main') pieces.push(['strong', `${step}  `]);
  const doing = look.doing(work);
  if (doing !== undefined) pieces.push(['quiet', quoted(doing)]);
  return pieces;
}

const NEEDS_SHOWN_MAX = 4;

/** The nearest thing that a task waits for. Only rows in sight are asked. */
function waitingPieces(task: TaskStatus, { state, now }: ViewModel): Row {
  const index = state.compiled.indexOf.get(task.task);
  if (index === undefined) return [];
  const compiled = taskAt(state, index);
  if (task.stage === 'waiting') {
    const left = compiled.needs.filter((need) => state.tasks[need]?.ended === undefined);
    const names = left.slice(0, NEEDS_SHOWN_MAX).map((need) => quoted(taskAt(state, need).task.path));
    const more = left.length - names.length;
    return names.length === 0 ? [] : [['quiet', `needs ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`]];
  }
  const given = { inputs: state.run.inputs, env: {} };
  const [wait] = explainTask(state, compiled, { now, given, expected: undefined }).waits;
  return wait === undefined || wait.type === 'nothing' ? [] : [['quiet', quoted(waitWords(wait, now))]];
}

/** In one line, with the first of those who hold what it waits for. */
function waitWords(wait: Wait, now: number): string {
  const [first = []] = waitPieces({ ...wait, who: '' }, now);
  const text = first.map((piece) => (typeof piece === 'string' ? piece : piece[1])).join('');
  const holders = 'holders' in wait ? wait.holders : [];
  const more = holders.length - NEEDS_SHOWN_MAX;
  const names = [...holders.slice(0, NEEDS_SHOWN_MAX).map(nameOf), ...(more > 0 ? [`${more} more`] : [])];
  return `${text} ${names.join(', ')}`;
}

/** How many tasks stand where: `3 completed · 4 pending`. */
function insideWords(tasks: readonly TaskStatus[]): string {
  const leaves = tasks.flatMap(leavesOf);
  const counts = Map.groupBy(leaves, ({ state }) => state);
  return TASK_STATES.toReversed()
    .flatMap((state) => (counts.has(state) ? [`${counts.get(state)?.length ?? 0} ${state}`] : []))
    .join(' · ');
}

const leavesOf = (task: TaskStatus): readonly TaskStatus[] =>
  task.children.length === 0 ? [task] : task.children.flatMap(leavesOf);

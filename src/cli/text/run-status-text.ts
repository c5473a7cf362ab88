// The status of a run as text: running tasks, questions, failures, spending, and the tree of tasks.
import type { Range } from '../../core/simulate/range.ts';
import { formatCount, formatDuration, formatMoment, formatMoney } from '../../core/view/chart/format.ts';
import { sandboxesText } from '../../core/engine/events/event-fields.ts';
import type { SandboxBackend } from '../../core/protocol/sandbox-backend.ts';
import { columnsOf } from '../../core/view/draw/text-width.ts';
import type { AtWork, FailureStatus, PoolStatus, Status } from '../../core/view/run/run-status.ts';
import type { TaskState } from '../../core/view/run/stage.ts';
import type { Style } from '../terminal/terminal.ts';
import { answersTo, failureText, nameOf } from './names.ts';
import { barOf, column, quoted, rowOf, widest, type Piece, type Screen } from './pieces.ts';
import { firstOf, plural } from './rows.ts';
import { treeLines } from './task-tree-text.ts';

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
const NAME_COLUMNS_MAX = 40;

export function statusLines(screen: Screen, { run, status, isLeft, left, rowsMax }: StatusText): readonly string[] {
  return [
    rowOf(screen, [['strong', run], '  ', ...headPieces(status, isLeft), ...(left === undefined ? [] : [`, ${left}`])]),
    rowOf(screen, ['  ', ...countPieces(status)]),
    ...spendLines(screen, status),
    ...sandboxLines(screen, status),
    ...section(screen, 'Running', workRows(status.atWork).map(alone)),
    ...section(screen, 'Waits for a person', questionEntries(status, screen.width)),
    ...section(
      screen,
      'Pools',
      [...status.pools.map(poolPieces(status)), ...status.resting.map(restPieces(status))].map(alone),
    ),
    ...section(screen, 'Failed', failureEntries(status, screen.width)),
    rowOf(screen, [['strong', 'Tasks']]),
    ...treeLines(screen, status.tasks, rowsMax),
  ];
}

/** Every status of a run without isolation shows it. */
function sandboxLines(screen: Screen, { sandboxes }: Status): readonly string[] {
  if (sandboxes === undefined) return [];
  const text = `sandboxes: ${sandboxesText(sandboxes)}`;
  return [rowOf(screen, ['  ', isUnwanted(sandboxes) ? ['warn', text] : text])];
}

/** Not isolated, though the plan does not ask for that. */
export const isUnwanted = ({ isolation, why }: SandboxBackend): boolean => isolation === 'none' && why !== 'plan';

/** `about 18m left (14m – 26m)`, the same on every screen. */
export function leftText({ low, likely, high }: Range, now: number): string {
  const [least, about, most] = [low, likely, high].map((at) => formatMoment(roughly(Math.max(0, at - now))));
  return least === most ? `about ${about ?? ''} left` : `about ${about ?? ''} left (${least ?? ''} – ${most ?? ''})`;
}

/** Whole seconds below a minute, tens of them below ten minutes, then whole minutes: more is not known. */
function roughly(ms: number): number {
  const grain = ms < 60_000 ? 1_000 : ms < 600_000 ? 10_000 : 60_000;
  return Math.max(1, Math.round(ms / grain)) * grain;
}

const alone = (row: Row): Entry => [row];

const STAGE_WORDS = { new: 'has not begun', going: 'running' } as const;

export function headPieces(status: Status, isLeft: boolean): readonly Piece[] {
  const { stage, counts, held, pausedFor } = status;
  const style: Style = stage === 'paused' || isLeft || counts.failed > 0 ? 'warn' : 'good';
  const pieces: Piece[] = [[style, headText(status, isLeft)]];
  if (pausedFor !== undefined) pieces.push(['warn', `, because ${quoted(pausedFor)}`]);
  if (held.length > 0) pieces.push(`, held: ${held.join(', ')}`);
  return pieces;
}

function headText({ stage, elapsedMs }: Status, isLeft: boolean): string {
  const time = formatDuration(elapsedMs);
  if (stage === 'ended') return `ended after ${time}`;
  if (stage === 'paused') return `paused, ${time} since its start`;
  return isLeft && stage === 'going'
    ? `not running (no coordinator), started ${time} ago`
    : `${STAGE_WORDS[stage]} for ${time}`;
}

const STATE_STYLES: Readonly<Record<TaskState, Style | undefined>> = {
  completed: 'good',
  running: undefined,
  pending: 'quiet',
  failed: 'bad',
  cancelled: 'warn',
  skipped: 'quiet',
};

const ORDER: readonly TaskState[] = ['completed', 'running', 'pending', 'failed', 'cancelled', 'skipped'];

/** `3 of 6 tasks completed · 1 running · …`, without the states that no task is in. */
export function countPieces({ counts, total }: Status): readonly Piece[] {
  const pieces: Piece[] = [['good', `${counts.completed} of ${plural(total, 'task')} completed`]];
  for (const state of ORDER.slice(1)) {
    const style = STATE_STYLES[state];
    const text = `${counts[state]} ${state}`;
    if (counts[state] > 0) pieces.push(' · ', style === undefined ? text : [style, text]);
  }
  return pieces;
}

/** The spending against the budget; empty without spending and without a budget. */
export function spendText({ spend: { spent, reserved, ceiling, running } }: Status): string {
  const parts = (['usd', 'tokens'] as const).flatMap((part) => {
    const format = part === 'usd' ? formatMoney : (count: number) => `${formatCount(count)} tokens`;
    const limit = ceiling[part];
    if (spent[part] === 0 && reserved[part] === 0 && limit === undefined) return [];
    const of = limit === undefined ? '' : ` of ${format(limit)}`;
    const soFar = running[part] === 0 ? '' : `, ${format(running[part])} of it spent`;
    const aside = reserved[part] === 0 ? '' : ` (${format(reserved[part])} reserved${soFar})`;
    return [`${format(spent[part])}${of}${aside}`];
  });
  return parts.join(', ');
}

function spendLines(screen: Screen, status: Status): readonly string[] {
  const text = spendText(status);
  return text === '' ? [] : [rowOf(screen, ['  spent ', text])];
}

type Row = readonly Piece[];
/** One entry: a row, or two where one is too narrow. */
type Entry = readonly Row[];

function section(screen: Screen, title: string, entries: readonly Entry[]): readonly string[] {
  if (entries.length === 0) return [];
  const { shown, more } = firstOf(entries, SHOWN_MAX);
  return [
    rowOf(screen, [['strong', title]]),
    ...shown.flat().map((pieces) => rowOf(screen, ['  ', ...pieces])),
    ...(more === 0 ? [] : [rowOf(screen, ['  ', ['quiet', `… and ${more} more`]])]),
  ];
}

/** A row for each running task: name, duration, attempt, and progress against its estimate. */
export function workRows(atWork: readonly AtWork[]): readonly (readonly Piece[])[] {
  const columns = widest(atWork.map(nameOf), NAME_COLUMNS_MAX);
  return atWork.map((work) => {
    const pieces: Piece[] = [
      column(nameOf(work), columns),
      '  ',
      formatDuration(work.elapsedMs).padStart(TIME_COLUMNS),
    ];
    if (work.estimateMs !== undefined && work.estimateMs > 0)
      pieces.push('  ', barOf(work.elapsedMs / work.estimateMs, BAR_COLUMNS), ` of ${formatDuration(work.estimateMs)}`);
    if (work.spent?.usd !== undefined && work.spent.usd > 0) pieces.push(`  ${formatMoney(work.spent.usd)}`);
    if (work.attempt > 1) pieces.push(['quiet', `  attempt ${work.attempt}`]);
    if (work.isStopping) pieces.push(['warn', '  is being stopped']);
    return pieces;
  });
}

const TIME_COLUMNS = 7;
const BAR_COLUMNS = 10;

export function questionEntries({ questions }: Status, width: number): readonly Entry[] {
  const columns = widest(questions.map(nameOf), NAME_COLUMNS_MAX);
  return questions.map((question) =>
    withPointers(
      width,
      [['warn', column(nameOf(question), columns)], `  ${quoted(question.text)}`],
      answersTo(question).join(' · '),
    ),
  );
}

/** The commands that help follow the entry, or go below it where there is no room: half a command is useless. */
function withPointers(width: number, pieces: Row, pointers: string): Entry {
  const columns = pieces.reduce((sum, piece) => sum + columnsOf(typeof piece === 'string' ? piece : piece[1]), 0);
  if (pointers === '') return [pieces];
  return INDENT + columns + 2 + columnsOf(pointers) <= width
    ? [[...pieces, ['quiet', `  ${pointers}`]]]
    : [pieces, [['quiet', `  ${pointers}`]]];
}

/** Of the rows of a section. */
const INDENT = 2;

/** How many tokens of a pool are held, or until when it is closed. */
export const poolPieces =
  ({ startedAt, elapsedMs }: Status) =>
  ({ name, size, held, closedUntil, width }: PoolStatus): readonly Piece[] => {
    const leftMs = closedUntil === undefined ? 0 : closedUntil - startedAt - elapsedMs;
    if (closedUntil !== undefined)
      return [name, '  ', ['warn', `closed for ${formatDuration(Math.max(0, leftMs))}: its account may not ask more`]];
    const bar = [name, '  ', barOf(held / size, Math.min(size, BAR_COLUMNS)), ` ${held} of ${size}`];
    return width === undefined ? bar : [...bar, ['warn', `, at most ${width} for now: its provider is overloaded`]];
  };

/** An agent without a pool whose account backs off. */
const restPieces =
  ({ startedAt, elapsedMs }: Status) =>
  ({ agent, until }: Status['resting'][number]): readonly Piece[] => {
    const leftMs = Math.max(0, until - startedAt - elapsedMs);
    return [agent, '  ', ['warn', `rests for ${formatDuration(leftMs)}: its account may not ask more`]];
  };

/** Failed tasks, with the reason and the commands for details: the output, and the page of the reason. */
export function failureEntries({ failures }: Status, width: number): readonly Entry[] {
  const columns = widest(failures.map(nameOf), NAME_COLUMNS_MAX);
  return failures.map((failure) => {
    const tries = (failure.attempt ?? 0) > 1 ? `  after ${failure.attempt} attempts` : '';
    const said: Row = [
      ['bad', column(nameOf(failure), columns)],
      `  ${quoted(failureText(failure))}`,
      ['quiet', tries],
    ];
    return withPointers(width, said, pointersTo(failure).join(' · '));
  });
}

function pointersTo({ task, attempt = 0, reason }: FailureStatus): readonly string[] {
  if (reason === 'check' || reason === 'baseline')
    return [`heddle logs ${task} --step check`, `heddle help reasons/${reason}`];
  return [
    // A task that never started has no output.
    ...(attempt > 0 ? [`heddle logs ${task}`] : []),
    ...(reason === undefined || reason === 'failed' ? [] : [`heddle help reasons/${reason}`]),
  ];
}

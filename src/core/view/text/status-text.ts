// The status of a run in words: its stage, counts, spending and time left, and a row for each running task, question, pool
// and failure.
import { formatCount, formatDuration, formatMoment, formatMoney } from '../chart/format.ts';
import type { SandboxBackend } from '../../protocol/sandbox-backend.ts';
import type { ExpectedEnd } from '../../simulate/simulate-on.ts';
import type { RunningClaim, FailureStatus, PoolStatus, Status } from '../run/run-status.ts';
import type { TaskState } from '../run/stage.ts';
import type { ClaimPlace } from '../run/claim-place.ts';
import { plural } from './count-text.ts';
import { placeText } from './place-text.ts';
import { answersTo, taskFailureText, nameOf } from './run-names.ts';
import { barOf, column, quoted, widest, type Piece, type Style, type TextRow } from './styled-text.ts';

const NAME_COLUMNS_MAX = 40;
const TIME_COLUMNS = 7;
const BAR_COLUMNS = 10;

/** Not isolated, though the plan does not ask for that. */
export const isUnwanted = ({ isolation, why }: SandboxBackend): boolean => isolation === 'none' && why !== 'plan';

/**
 * `about 18m left (14m – 26m)`, the same on every screen. The time that a person takes is not in it, so a run that can only
 * wait for one says for what.
 */
export function leftText({ at, endAt: { low, likely, high } }: Left, now: number, status: Waiting): string {
  const once = onceText(status);
  // While all waits for a person, the time that passes brings the end no nearer.
  const from = once === '' ? now : at;
  const [least, about, most] = [low, likely, high].map((end) => formatMoment(roughly(Math.max(0, end - from))));
  const range = least === most ? '' : ` (${least ?? ''} – ${most ?? ''})`;
  return `about ${about ?? ''} left${range}${once}`;
}

type Left = Pick<ExpectedEnd, 'at' | 'endAt'>;

type Waiting = Pick<Status, 'stage' | 'running' | 'questions' | 'paused'>;

function onceText({ stage, running, questions, paused }: Waiting): string {
  if (stage === 'paused') return ' once resumed';
  if (running.length > 0) return '';
  if (questions.length > 0) return ' once answered';
  return paused.length > 0 ? ` once ${paused.join(', ')} ${paused.length === 1 ? 'is' : 'are'} resumed` : '';
}

/** Whole seconds below a minute, tens of them below ten minutes, then whole minutes: more is not known. */
function roughly(ms: number): number {
  const grain = ms < 60_000 ? 1_000 : ms < 600_000 ? 10_000 : 60_000;
  return Math.max(1, Math.round(ms / grain)) * grain;
}

const STAGE_WORDS = { new: 'has not begun', going: 'running' } as const;

export function headPieces(status: Status, isLeft: boolean): TextRow {
  const { stage, counts, paused, pausedFor } = status;
  const style: Style = stage === 'paused' || isLeft || counts.failed > 0 ? 'warn' : 'good';
  const pieces: Piece[] = [[style, headText(status, isLeft)]];
  if (pausedFor !== undefined) pieces.push(['warn', `, because ${quoted(pausedFor)}`]);
  if (paused.length > 0) pieces.push(`, paused tasks: ${paused.join(', ')}`);
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

/** A sign for each state of a task, in every list of tasks. */
export const STATE_SIGNS: Readonly<Record<TaskState, readonly [Style, string]>> = {
  completed: ['good', '✓'],
  running: ['strong', '●'],
  pending: ['quiet', '·'],
  failed: ['bad', '✗'],
  cancelled: ['warn', '–'],
  skipped: ['quiet', '↷'],
};

const STATE_STYLES: Readonly<Record<TaskState, Style | undefined>> = {
  completed: 'good',
  running: undefined,
  pending: 'quiet',
  failed: 'bad',
  cancelled: 'warn',
  skipped: 'quiet',
};

/** How many tasks wait for an answer of a person, which `counts` has among the running ones. */
export const askingCount = ({ questions }: Status): number => new Set(questions.map(({ task }) => task)).size;

/** `3 of 6 tasks completed · 1 running · 1 asks you · …`, without the states that no task is in. */
export function countPieces(status: Status): TextRow {
  const { counts, total } = status;
  const asking = askingCount(status);
  const parts: readonly (readonly [Style | undefined, number, string])[] = [
    [STATE_STYLES.running, Math.max(0, counts.running - asking), 'running'],
    ['warn', asking, asking === 1 ? 'asks you' : 'ask you'],
    ...(['pending', 'failed', 'cancelled', 'skipped'] as const).map(
      (state) => [STATE_STYLES[state], counts[state], state] as const,
    ),
  ];
  const pieces: Piece[] = [['good', `${counts.completed.toLocaleString('en')} of ${plural(total, 'task')} completed`]];
  for (const [style, count, word] of parts) {
    const text = `${count.toLocaleString('en')} ${word}`;
    if (count > 0) pieces.push(' · ', style === undefined ? text : [style, text]);
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

/** A row for each running task: name, duration, attempt, and progress against its estimate. */
export function workRows(running: readonly RunningClaim[]): readonly TextRow[] {
  const columns = widest(running.map(nameOf), NAME_COLUMNS_MAX);
  return running.map((work) => {
    const pieces: Piece[] = [
      column(nameOf(work), columns),
      '  ',
      formatDuration(work.elapsedMs).padStart(TIME_COLUMNS),
    ];
    if (work.estimateMs !== undefined && work.estimateMs > 0)
      pieces.push('  ', barOf(work.elapsedMs / work.estimateMs, BAR_COLUMNS), ` of ${formatDuration(work.estimateMs)}`);
    if (work.spent?.usd !== undefined && work.spent.usd > 0) pieces.push(`  ${formatMoney(work.spent.usd)}`);
    if (work.attempt > 1) pieces.push(['quiet', `  attempt ${work.attempt}`]);
    if (work.place !== undefined) pieces.push([placeStyle(work.place), `  ${placeText(work.place)}`]);
    if (work.isStopping) pieces.push(['warn', '  is being stopped']);
    return pieces;
  });
}

/** A host that is missing keeps work from going on; room comes by itself. */
export const placeStyle = (place: ClaimPlace): Style =>
  place.type === 'waiting' && place.why !== 'room' ? 'warn' : 'quiet';

/** A row, and the commands that help with it. */
export interface PointedRow {
  readonly row: TextRow;
  readonly pointers: string;
}

export function questionRows({ questions }: Status): readonly PointedRow[] {
  const columns = widest(questions.map(nameOf), NAME_COLUMNS_MAX);
  return questions.map((question) => ({
    row: [['warn', column(nameOf(question), columns)], `  ${quoted(question.text)}`],
    pointers: answersTo(question).join(' · '),
  }));
}

/** How many tokens of a pool are held, or until when it is closed. */
export const poolPieces =
  ({ startedAt, elapsedMs }: Status) =>
  ({ name, size, held, closedUntil, effectiveLimit }: PoolStatus): TextRow => {
    const leftMs = closedUntil === undefined ? 0 : closedUntil - startedAt - elapsedMs;
    if (closedUntil !== undefined)
      return [name, '  ', ['warn', `closed for ${formatDuration(Math.max(0, leftMs))}: its account is at its limit`]];
    const bar = [name, '  ', barOf(held / size, Math.min(size, BAR_COLUMNS)), ` ${held} of ${size}`];
    return effectiveLimit === undefined
      ? bar
      : [...bar, ['warn', `, at most ${effectiveLimit} for now: its provider is overloaded`]];
  };

/** An agent without a pool whose account backs off. */
export const backoffPieces =
  ({ startedAt, elapsedMs }: Status) =>
  ({ agent, until }: Status['backingOff'][number]): TextRow => {
    const leftMs = Math.max(0, until - startedAt - elapsedMs);
    return [agent, '  ', ['warn', `backs off for ${formatDuration(leftMs)}: its account is at its limit`]];
  };

/** Failed tasks, with the reason and the commands for details: the output, and the page of the reason. */
export function failureRows({ failures }: Status): readonly PointedRow[] {
  const columns = widest(failures.map(nameOf), NAME_COLUMNS_MAX);
  return failures.map((failure) => {
    const tries = (failure.attempt ?? 0) > 1 ? `  after ${failure.attempt} attempts` : '';
    return {
      row: [['bad', column(nameOf(failure), columns)], `  ${quoted(taskFailureText(failure))}`, ['quiet', tries]],
      pointers: pointersTo(failure).join(' · '),
    };
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

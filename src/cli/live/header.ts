// The header of the live view: the run, its duration, ETA, progress and spending; where there is room, its pools and the
// current merge.
import { formatCount, formatMoney } from '../../core/view/chart/format.ts';
import type { Status } from '../../core/view/run/run-status.ts';
import { sandboxesText } from '../../core/engine/events/event-fields.ts';
import { taskAt } from '../../core/engine/facts.ts';
import { quoted, type TextRow } from '../../core/view/text/styled-text.ts';
import { columnsOfPieces, spreadPieces } from '../text/rows.ts';
import { askingCount, headPieces, isUnwanted, leftText, poolPieces } from '../../core/view/text/status-text.ts';
import { wholeSeconds, type ViewModel } from './view-model.ts';

/** The rows of the header; a low screen drops them from the end. */
export function headerRows(view: ViewModel): readonly TextRow[] {
  const { status, coordinator, record, width } = view;
  const isLeft = coordinator === 'gone' && status.stage !== 'ended';
  const left: TextRow = [
    ' ',
    ['strong', quoted(record.run)],
    '  ',
    ...headPieces({ ...status, elapsedMs: wholeSeconds(status.elapsedMs) }, isLeft),
    ...leftPieces(view),
  ];
  const sandboxes = sandboxPieces(status);
  const asks = asksPieces(status);
  const beside: TextRow = [...sandboxes, ...(asks.length === 0 ? [' '] : ['   ', ...asks])];
  const isBeside = columnsOfPieces(left) + columnsOfPieces(beside) + 2 <= width;
  const progress = progressPieces(view);
  const money = moneyPieces(status);
  const hasRoom = columnsOfPieces(progress) + columnsOfPieces(money) + 2 <= width;
  return [
    spreadPieces(left, isBeside && sandboxes.length > 0 ? beside : asks, width),
    spreadPieces(progress, money, width),
    ...(isLeft
      ? [[['warn', ` Not running: no coordinator. heddle resume ${record.run} goes on.`]] satisfies TextRow]
      : []),
    ...(isBeside || sandboxes.length === 0 ? [] : [[' ', ...sandboxes]]),
    ...[[...(hasRoom ? [] : [' ', ...money, ' ']), ...slotPieces(view)], mergeRow(view)].filter(
      (row) => row.length > 0,
    ),
  ];
}

/** The kind of the run's sandboxes; missing isolation is highlighted. */
const sandboxPieces = ({ sandboxes }: Status): TextRow =>
  sandboxes === undefined
    ? []
    : [isUnwanted(sandboxes) ? ['warn', sandboxesText(sandboxes)] : ['quiet', shortText(sandboxes)]];

const shortText = ({ tree, isolation }: NonNullable<Status['sandboxes']>): string =>
  `${isolation === 'os' ? 'isolated' : 'not isolated'} · ${tree}`;

/** The ETA, as far as it is known. */
function leftPieces({ eta, status, now }: ViewModel): TextRow {
  if (eta === undefined || status.stage === 'ended') return [];
  return [['quiet', `, ${leftText(eta, now, status)}`]];
}

const asksPieces = ({ questions }: Status): TextRow =>
  questions.length === 0 ? [] : [['warn', `${questions.length} ${questions.length === 1 ? 'asks' : 'ask'} you `]];

const BAR_COLUMNS_MAX = 40;
const BAR_SHARE = 0.25;

function progressPieces({ status, width }: ViewModel): TextRow {
  const columns = Math.min(BAR_COLUMNS_MAX, Math.floor(width * BAR_SHARE));
  return [' ', ...barPieces(status, columns), '  ', ...countPieces(status)];
}

const BAR = [
  ['completed', 'good', '█'],
  ['failed', 'bad', '▒'],
  ['running', 'running', '▓'],
] as const;

/** Segments for done, failed and running; the rest waits or is cancelled. */
function barPieces({ counts, total }: Status, columns: number): TextRow {
  let left = columns;
  const parts = BAR.flatMap(([state, style, sign]): TextRow => {
    const share = Math.round((counts[state] / Math.max(1, total)) * columns);
    // A segment that is not empty is visible.
    const cells = Math.min(left, counts[state] === 0 ? 0 : Math.max(1, share));
    left -= cells;
    return cells === 0 ? [] : [[style, sign.repeat(cells)]];
  });
  return left === 0 ? parts : [...parts, ['quiet', '░'.repeat(left)]];
}

/** `9 done · 4 running · 1 failed · 7 waiting`, without the states that no task is in. */
function countPieces(status: Status): TextRow {
  const { counts, total } = status;
  const asking = askingCount(status);
  const parts = [
    ['good', counts.completed, 'done'],
    ['running', Math.max(0, counts.running - asking), 'running'],
    ['warn', asking, asking === 1 ? 'asks you' : 'ask you'],
    ['bad', counts.failed, 'failed'],
    ['quiet', counts.pending, 'waiting'],
    ['warn', counts.cancelled, 'cancelled'],
    ['quiet', counts.skipped, 'skipped'],
  ] as const;
  const shown = parts.filter(([, count]) => count > 0);
  return shown.length === 0
    ? [['quiet', `${total} tasks`]]
    : shown.flatMap(([style, count, word], at): TextRow => [
        at === 0 ? '' : ' · ',
        [style, `${count.toLocaleString('en')} ${word}`],
      ]);
}

/** Spent so far, with the cost of running turns, + reserved, of the ceiling. */
function moneyPieces({ spend: { spent, reserved, ceiling, running } }: Status): TextRow {
  const parts = (['usd', 'tokens'] as const).flatMap((part) => {
    const format = part === 'usd' ? formatMoney : formatCount;
    const limit = ceiling[part];
    // Tokens matter where they have a ceiling.
    if (limit === undefined && (part === 'tokens' || (spent[part] === 0 && reserved[part] === 0))) return [];
    const left = Math.max(0, reserved[part] - running[part]);
    const more = left === 0 ? '' : ` + ${format(left)}`;
    return [
      `${format(spent[part] + running[part])}${more}${limit === undefined ? '' : ` of ${format(limit)}`}${part === 'tokens' ? ' tokens' : ''}`,
    ];
  });
  return parts.length === 0 ? [] : [`${parts.join(', ')} `];
}

function slotPieces({ status, state }: ViewModel): TextRow {
  const { cap, pools, backingOff } = status;
  if (status.stage === 'ended') return [];
  const policy = state.order.policy === 'serial' ? ', one at a time' : '';
  const ofPools = pools.flatMap((pool) => ['   ', ...poolPieces(status)(pool)]);
  const waiting = backingOff.flatMap(({ agent }): TextRow => [['warn', `   ${quoted(agent)} backs off`]]);
  if (ofPools.length + backingOff.length === 0 && policy === '') return [];
  return [['quiet', ' slots '], `${cap.held} of ${cap.size}${policy}`, ...ofPools, ...waiting];
}

const QUEUE_SHOWN_MAX = 6;

function mergeRow({ state }: ViewModel): TextRow {
  const pathOf = (task: number): string => quoted(taskAt(state, task).task.path);
  const merging = [...state.claims.values()].flatMap(({ work, task }) => (work === 'merge' ? [pathOf(task)] : []));
  const claimed = new Set(merging);
  const queued = [...state.queue].map(pathOf).filter((path) => !claimed.has(path));
  if (merging.length + queued.length === 0) return [];
  return [
    ['quiet', ' merging '],
    merging.length === 0 ? 'nothing' : listed(merging),
    ...(queued.length === 0 ? [] : ([['quiet', `, ${queued.length} queued: ${listed(queued)}`]] satisfies TextRow)),
  ];
}

function listed(paths: readonly string[]): string {
  const more = paths.length - QUEUE_SHOWN_MAX;
  return [...paths.slice(0, QUEUE_SHOWN_MAX), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

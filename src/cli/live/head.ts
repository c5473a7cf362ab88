// The head of the live view: the run, how far it is, what it has spent, its pools, what merges, and how long it takes.
import type { Status } from '../../core/view/run/status.ts';
import { taskAt } from '../../core/engine/facts.ts';
import { barOf, quoted, type Piece } from '../text/pieces.ts';
import { countPieces, headPieces, leftText, poolPieces, spendText } from '../text/run-status-text.ts';
import { wholeSeconds } from './whole-seconds.ts';
import type { ViewModel } from './view-model.ts';

type Row = readonly Piece[];

const BAR_COLUMNS_MAX = 40;
const BAR_SHARE = 0.25;
const SPEND_BAR_COLUMNS = 10;

/** The rows of the head, those to be left out first on a low screen at the end. */
export function headRows(look: ViewModel): readonly Row[] {
  const { status, coordinator, record } = look;
  const isLeft = coordinator === 'gone' && status.stage !== 'ended';
  return [
    [
      ['strong', record.run],
      '  ',
      ...headPieces({ ...status, elapsedMs: wholeSeconds(status.elapsedMs) }, isLeft),
      ...leftPieces(look),
    ],
    progressRow(look),
    ...(isLeft ? [[['warn', `Not running: no coordinator. heddle resume ${record.run} goes on.`]] satisfies Row] : []),
    ...[poolRow(look), spendRow(status), mergeRow(look), pathRow(look)].filter((row) => row.length > 0),
  ];
}

/** How long it still takes, as far as anybody can say. */
function leftPieces({ eta, status, now }: ViewModel): readonly Piece[] {
  if (eta === undefined || status.stage === 'ended') return [];
  const isWaiting = status.stage === 'paused' || (status.atWork.length === 0 && status.questions.length > 0);
  const when = status.stage === 'paused' ? ' once resumed' : isWaiting ? ' once answered' : '';
  return [['quiet', `, ${leftText(eta.endAt, now)}${when}`]];
}

function progressRow({ status, width }: ViewModel): Row {
  const { counts, total } = status;
  const ended = total - counts.pending - counts.running;
  const columns = Math.min(BAR_COLUMNS_MAX, Math.floor(width * BAR_SHARE));
  return [barOf(total === 0 ? 1 : ended / total, columns), '  ', ...countPieces(status)];
}

function poolRow({ status, state }: ViewModel): Row {
  const { cap, pools, resting } = status;
  const policy = state.order.policy === 'serial' ? ', one at a time' : '';
  const of = status.stage === 'ended' ? [] : [`${cap.held} of ${cap.size}${policy}`];
  const slots: readonly Piece[] = of.length === 0 ? [] : [['quiet', 'running '], ...of];
  const ofPools = status.stage === 'ended' ? [] : pools.flatMap((pool) => ['   ', ...poolPieces(status)(pool)]);
  const asleep = resting.flatMap(({ agent }): readonly Piece[] => [['warn', `   ${agent} rests`]]);
  return [...slots, ...ofPools, ...asleep];
}

function spendRow(status: Status): Row {
  const text = spendText(status);
  if (text === '') return [];
  const { spent, ceiling, reserved } = status.spend;
  const bar =
    ceiling.usd === undefined || ceiling.usd === 0
      ? []
      : ['  ', barOf((spent.usd + reserved.usd) / ceiling.usd, SPEND_BAR_COLUMNS)];
  return [['quiet', 'spent '], text, ...bar];
}

const QUEUE_SHOWN_MAX = 6;

function mergeRow({ state }: ViewModel): Row {
  const pathOf = (task: number): string => quoted(taskAt(state, task).task.path);
  const merging = [...state.claims.values()].flatMap(({ work, task }) => (work === 'merge' ? [pathOf(task)] : []));
  const claimed = new Set(merging);
  const queued = [...state.queue].map(pathOf).filter((path) => !claimed.has(path));
  if (merging.length + queued.length === 0) return [];
  return [
    ['quiet', 'merging '],
    merging.length === 0 ? 'nothing' : listed(merging),
    ...(queued.length === 0 ? [] : ([['quiet', `, ${queued.length} queued: ${listed(queued)}`]] satisfies Row)),
  ];
}

function listed(paths: readonly string[]): string {
  const more = paths.length - QUEUE_SHOWN_MAX;
  return [...paths.slice(0, QUEUE_SHOWN_MAX), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

function pathRow({ eta, status }: ViewModel): Row {
  if (eta === undefined || eta.chain.length === 0 || status.stage === 'ended') return [];
  return [['quiet', 'critical path '], eta.chain.map(quoted).join(' › ')];
}

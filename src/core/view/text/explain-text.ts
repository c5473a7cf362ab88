// Why a task is not done, in sentences: its state, each wait with its holder and expected end, the running tasks behind
// its needs, and its ETA.
import { formatMoment } from '../chart/format.ts';
import type { Explanation } from '../run/explain-task.ts';
import type { RunningClaim } from '../run/run-status.ts';
import { reasonOf } from '../run/reason-text.ts';
import { firstOf } from './count-text.ts';
import { awaitedHost, placeReason, placeText } from './place-text.ts';
import { taskFailureText, nameOf } from './run-names.ts';
import { column, quoted, widest, type Piece, type TextRow } from './styled-text.ts';
import { inWords, waitPieces } from './wait-text.ts';

const SHOWN_MAX = 12;
const NAME_COLUMNS_MAX = 40;

/** Sentences; those below a sentence belong to it and are indented. */
export function explanationRows(explanation: Explanation, { now }: { readonly now: number }): readonly TextRow[] {
  const { waits, running } = explanation;
  return [
    [['strong', explanation.task], ' ', ...standing(explanation)],
    ...remedyRows(explanation),
    ...running.map((work): TextRow => [
      `  ${nameOf(work)} ${doingText(work)} for ${formatMoment(work.elapsedMs)}`,
      work.place?.type === 'placed' ? ` ${placeText(work.place)}` : '',
      work.attempt > 1 ? `, attempt ${work.attempt}` : '',
      work.isStopping ? ', and is being stopped' : inWords(', expected to end', work.expectedAt, now),
      work.place === undefined ? '' : `: ${placeReason(work.place)}`,
    ]),
    ...waits.flatMap((wait) => waitPieces(wait, now).map((pieces): TextRow => ['  ', ...pieces])),
    ...behindRows(explanation, now),
    ...expectedRows(explanation, now),
  ];
}

const doingText = ({ place }: RunningClaim): string =>
  place?.type === 'waiting' ? `has been waiting for ${awaitedHost(place)}` : 'has been running';

function standing({ state, stage, ended, failure, run }: Explanation): TextRow {
  if (ended !== undefined) {
    const because = failure === undefined ? reasonOf(ended.reason, ended.cause) : taskFailureText(failure);
    const how = ended.ending === 'done' ? 'is' : ended.ending === 'failed' ? 'has' : 'was';
    return [`${how} ${stage}`, because === '' || because === stage ? '.' : `: ${quoted(because).replace(/\.$/, '')}.`];
  }
  const paused: readonly Piece[] = run === 'paused' ? [['warn', ' The run is paused.']] : [];
  return [`is ${state}${stage === 'working' ? '' : ` (${stage})`}.`, ...paused];
}

/** The remedies for a bad ending are documented with its reason. */
function remedyRows({ ended }: Explanation): readonly TextRow[] {
  if (ended?.reason === undefined || ended.ending === 'done') return [];
  return [[['quiet', `  heddle help reasons/${ended.reason} says what can be done.`]]];
}

/** The needs that are not waiting themselves: they take the time. */
function behindRows({ behind, behindMore }: Explanation, now: number): readonly TextRow[] {
  const moving = behind.filter(({ stage }) => stage !== 'waiting' && stage !== 'open');
  const waiting = behind.filter(({ stage }) => stage === 'waiting').length + behindMore;
  if (behind.length === 0) return [];
  const { shown, more } = firstOf(moving, SHOWN_MAX);
  const columns = widest(
    shown.map(({ task }) => task),
    NAME_COLUMNS_MAX,
  );
  const rest = [
    more === 0 ? '' : `${more} more under way`,
    waiting === 0 ? '' : `${waiting} that ${waiting === 1 ? 'waits' : 'wait'}`,
  ];
  const left = rest.filter((part) => part !== '').join(', ');
  return [
    ['Before it can end, these must'],
    ...shown.map(({ task, stage, expectedAt }): TextRow => [
      `  ${column(task, columns)}  ${stage}${inWords(', expected to end', expectedAt, now)}`,
    ]),
    ...(left === '' ? [] : [['  ', ['quiet', moving.length === 0 ? left : `… and ${left}`]] satisfies TextRow]),
  ];
}

function expectedRows({ expected, state }: Explanation, now: number): readonly TextRow[] {
  if (expected?.endAt === undefined) return [];
  const start = state === 'pending' ? inWords('to start', expected.startAt, now) : '';
  const end = inWords('to end', expected.endAt, now);
  const said = [start, end].filter((part) => part !== '').join(', ');
  return [[`Expected ${said}; people are taken to answer at once.`]];
}

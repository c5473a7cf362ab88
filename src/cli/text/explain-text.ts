// Why a task is not done, in sentences: its state, each wait with its holder and expected end, the running tasks behind
// its needs, and its ETA.
import { formatMoment } from '../../core/view/chart/format.ts';
import type { Explanation } from '../../core/view/run/explain-task.ts';
import { reasonOf } from '../../core/view/run/reason-text.ts';
import { failureText, nameOf } from './names.ts';
import { column, foldedRow, quoted, rowOf, widest, type Piece, type Screen } from './pieces.ts';
import { firstOf } from './rows.ts';
import { inWords, waitPieces } from './wait-text.ts';

const SHOWN_MAX = 12;
const NAME_COLUMNS_MAX = 40;

export function explanationLines(
  screen: Screen,
  explanation: Explanation,
  { now }: { readonly now: number },
): readonly string[] {
  const { waits, atWork } = explanation;
  return [
    ...foldedRow(screen, [['strong', explanation.task], ' ', ...standing(explanation)]),
    ...remedyLines(screen, explanation),
    ...atWork.flatMap((work) =>
      foldedRow(screen, [
        `  ${nameOf(work)} has been running for ${formatMoment(work.elapsedMs)}`,
        work.attempt > 1 ? `, attempt ${work.attempt}` : '',
        work.isStopping ? ', and is being stopped' : inWords(', expected to end', work.expectedAt, now),
      ]),
    ),
    ...waits.flatMap((wait) => waitPieces(wait, now).flatMap((pieces) => foldedRow(screen, ['  ', ...pieces]))),
    ...behindLines(screen, explanation, now),
    ...expectedLines(screen, explanation, now),
  ];
}

function standing({ state, stage, ended, failure, run }: Explanation): readonly Piece[] {
  if (ended !== undefined) {
    const because = failure === undefined ? reasonOf(ended.reason, ended.cause) : failureText(failure);
    const how = ended.ending === 'done' ? 'is' : ended.ending === 'failed' ? 'has' : 'was';
    return [`${how} ${stage}`, because === '' || because === stage ? '.' : `: ${quoted(because).replace(/\.$/, '')}.`];
  }
  const paused: readonly Piece[] = run === 'paused' ? [['warn', ' The run is paused.']] : [];
  return [`is ${state}${stage === 'working' ? '' : ` (${stage})`}.`, ...paused];
}

/** The remedies for a bad ending are documented with its reason. */
function remedyLines(screen: Screen, { ended }: Explanation): readonly string[] {
  if (ended?.reason === undefined || ended.ending === 'done') return [];
  return foldedRow(screen, [['quiet', `  heddle help reasons/${ended.reason} says what can be done.`]]);
}

/** The needs that are not waiting themselves: they take the time. */
function behindLines(screen: Screen, { behind, behindMore }: Explanation, now: number): readonly string[] {
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
    rowOf(screen, ['Before it can end, these must']),
    ...shown.map(({ task, stage, expectedAt }) =>
      rowOf(screen, [`  ${column(task, columns)}  ${stage}${inWords(', expected to end', expectedAt, now)}`]),
    ),
    ...(left === '' ? [] : [rowOf(screen, ['  ', ['quiet', moving.length === 0 ? left : `… and ${left}`]])]),
  ];
}

function expectedLines(screen: Screen, { expected, state }: Explanation, now: number): readonly string[] {
  if (expected?.endAt === undefined) return [];
  const start = state === 'pending' ? inWords('to start', expected.startAt, now) : '';
  const end = inWords('to end', expected.endAt, now);
  const said = [start, end].filter((part) => part !== '').join(', ');
  return foldedRow(screen, [`Expected ${said}; people are taken to answer at once.`]);
}

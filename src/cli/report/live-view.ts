// What a person at a terminal sees of a run that goes on: a few rows that are painted over again and again.
//
// V1. No more rows than the screen is high and none wider than it, so that painting over them works.
import type { Status } from '../../core/view/run/status.ts';
import { barOf, rowOf, type Piece, type Screen } from './run/pieces.ts';
import {
  countPieces,
  failureRows,
  headPieces,
  poolPieces,
  questionRows,
  spendText,
  workRows,
} from './run-status-text.ts';

export interface LiveScreen extends Screen {
  readonly height: number;
}

const BAR_SHARE = 0.3;
const QUESTIONS_MAX = 3;
const FAILURES_MAX = 3;
/** The header, the row under it, and one free so that the cursor has a place to stand. */
const HEADER_ROWS = 3;

export function liveView(status: Status, { run, screen }: { run: string; screen: LiveScreen }): readonly string[] {
  const write = (pieces: readonly Piece[]): string => rowOf(screen, pieces);
  const room = Math.max(0, screen.height - HEADER_ROWS);
  const questions = boundedTo(questionRows(status), Math.min(QUESTIONS_MAX, room));
  const failures = boundedTo(failureRows(status).toReversed(), Math.min(FAILURES_MAX, room - questions.length));
  const pools = poolRow(status);
  const forPools = pools.length > 0 && room - questions.length - failures.length > 1 ? 1 : 0;
  const forWork = Math.max(0, room - questions.length - failures.length - forPools);
  return [
    write([['strong', run], '  ', ...headPieces(status), spentPiece(status)]),
    write([progressBar(status, screen), '  ', ...countPieces(status)]),
    ...(forPools === 1 ? [write([['quiet', 'pools '], ...pools])] : []),
    ...boundedTo(workRows(status.atWork), forWork).map((pieces) => write(['  ', ...pieces])),
    ...questions.map((pieces) => write([['warn', '? '], ...pieces])),
    ...failures.map((pieces) => write([['bad', '✗ '], ...pieces])),
  ].slice(0, Math.max(1, screen.height - 1));
}

function spentPiece(status: Status): string {
  const text = spendText(status);
  return text === '' ? '' : `  ${text}`;
}

/** The share of tasks that have ended, however they did. */
function progressBar({ counts, total }: Status, { width }: Screen): string {
  const ended = total - counts.pending - counts.running;
  return barOf(total === 0 ? 1 : ended / total, Math.floor(width * BAR_SHARE));
}

function poolRow(status: Status): readonly Piece[] {
  const busy = status.pools.filter(({ held, closedUntil }) => held > 0 || closedUntil !== undefined);
  return busy.flatMap((pool, at) => [...(at === 0 ? [] : ['   ']), ...poolPieces(status)(pool)]);
}

/** The first rows, and in the last place how many there are besides. */
function boundedTo(rows: readonly (readonly Piece[])[], most: number): readonly (readonly Piece[])[] {
  if (rows.length <= most) return rows;
  if (most <= 0) return [];
  return [...rows.slice(0, most - 1), [['quiet', `… and ${rows.length - most + 1} more`]]];
}

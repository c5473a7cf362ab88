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
  restPieces,
  spendText,
  workRows,
  type PointedRow,
} from '../../core/view/text/status-text.ts';
import type { TextRow } from '../../core/view/text/styled-text.ts';
import { columnsOfPieces, rowOf, type Screen } from './pieces.ts';
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

export function statusLines(screen: Screen, { run, status, isLeft, left, rowsMax }: StatusText): readonly string[] {
  return [
    rowOf(screen, [['strong', run], '  ', ...headPieces(status, isLeft), ...(left === undefined ? [] : [`, ${left}`])]),
    rowOf(screen, ['  ', ...countPieces(status)]),
    ...spendLines(screen, status),
    ...sandboxLines(screen, status),
    ...section(screen, 'Running', workRows(status.atWork).map(alone)),
    ...section(screen, 'Waits for a person', pointedEntries(questionRows(status), screen.width)),
    ...section(
      screen,
      'Pools',
      [...status.pools.map(poolPieces(status)), ...status.resting.map(restPieces(status))].map(alone),
    ),
    ...section(screen, 'Failed', pointedEntries(failureRows(status), screen.width)),
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

const alone = (row: TextRow): Entry => [row];

function spendLines(screen: Screen, status: Status): readonly string[] {
  const text = spendText(status);
  return text === '' ? [] : [rowOf(screen, ['  spent ', text])];
}

/** One entry: a row, or two where one is too narrow. */
type Entry = readonly TextRow[];

function section(screen: Screen, title: string, entries: readonly Entry[]): readonly string[] {
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

// What a person at a terminal sees of a run: rows of styled pieces, from the run as it stands, the moment, the size of the
// screen and what the person has chosen.
//
// V1. No more rows than the screen is high less one, and what is wider than it is cut where it is written: a frame never
//     scrolls the screen.
// V2. Nothing that a plan, an agent or a program wrote steers the terminal: all of it is quoted here.
// V3. Only rows in sight are made, however many tasks there are.
import { quoted, type Piece } from '../text/pieces.ts';
import type { Focus, Mode } from './focus.ts';
import { footHeight, footRows } from './foot.ts';
import { headRows } from './head.ts';
import { helpRows } from './key-text.ts';
import type { ViewModel } from './view-model.ts';
import { knownOf, nameColumns, rowPieces } from './row-text.ts';
import { treeRows, type TreeRow } from './tree-rows.ts';
import { windowOn, type Window } from './window.ts';

type Row = readonly Piece[];

export interface LiveRows {
  readonly rows: readonly Row[];
  /** What to go on with: where the list stands is known only once it is drawn. */
  readonly focus: Focus;
  /** The whole list, in sight or not, for the keys that move through it. */
  readonly list: readonly TreeRow[];
  /** How many rows of it are in sight. */
  readonly room: number;
}

/** The head may take this share of the screen. */
const HEAD_SHARE = 0.4;
const HEAD_ROWS_MIN = 1;
/** Higher screens have a row to spare under the head. */
const AIRED_FROM_HEIGHT = 12;

export function liveRows(look: ViewModel): LiveRows {
  const { focus, height, status } = look;
  const most = Math.max(1, height - 1);
  const head = headRows(look).slice(0, headHeight(focus.mode, most));
  const air: readonly Row[] = height >= AIRED_FROM_HEIGHT ? [[]] : [];
  const room = Math.max(0, most - head.length - air.length - footHeight(look));
  const list = treeRows(status.tasks, focus, room);
  const window = windowOn(list, focus, Math.max(1, room));
  const body = bodyOf(look, { list, window, room });
  const rows = [...head, ...air, ...body, ...footRows(look, list[window.chosen])].slice(0, most);
  return { rows, focus: { ...focus, line: window.line, mode: settled(look, room) }, list, room };
}

/** Pages to read need the room more. */
function headHeight({ type }: Mode, most: number): number {
  const isPage = type === 'help' || type === 'log';
  return isPage ? HEAD_ROWS_MIN : Math.max(HEAD_ROWS_MIN, Math.floor(most * HEAD_SHARE));
}

/** Of an output one can go back to its start and no further. */
function settled({ focus, outputOf }: ViewModel, room: number): Mode {
  const { mode } = focus;
  if (mode.type !== 'log') return mode;
  return { ...mode, back: Math.min(mode.back, Math.max(0, outputOf(mode.task).length - room + 1)) };
}

interface List {
  readonly list: readonly TreeRow[];
  readonly room: number;
  readonly window: Window;
}

function bodyOf(look: ViewModel, { list, window, room }: List): readonly Row[] {
  const { mode } = look.focus;
  if (mode.type === 'help') return filled(helpRows().slice(0, room), room);
  if (mode.type === 'log') return filled(logRows(look, { task: mode.task, back: mode.back, room }), room);
  const known = knownOf(look);
  const columns = nameColumns(list, look);
  const shown = list
    .slice(window.top, window.top + room)
    .map((row, at) => rowPieces(row, { look, known, columns, isChosen: window.top + at === window.chosen }));
  return filled(
    shown.length === 0 && look.focus.filter !== '' ? [[['quiet', '  No task is like that.']]] : shown,
    room,
  );
}

/** The foot stays at the foot. */
const filled = (rows: readonly Row[], room: number): readonly Row[] => [
  ...rows,
  ...Array.from({ length: Math.max(0, room - rows.length) }, (): Row => []),
];

interface Log {
  readonly task: string;
  readonly back: number;
  readonly room: number;
}

function logRows(look: ViewModel, { task, back, room }: Log): readonly Row[] {
  const lines = look.outputOf(task);
  const end = Math.max(Math.min(lines.length, room - 1), lines.length - back);
  const title: Row = [
    ['strong', quoted(task)],
    ['quiet', `  what it prints${back > 0 ? `, ${lines.length - end} lines before its end` : ''}  esc goes back`],
  ];
  const shown = lines.slice(Math.max(0, end - room + 1), end).map((line): Row => [quotedLine(line)]);
  return [title, ...(shown.length === 0 ? [[['quiet', '  It has printed nothing yet.']] satisfies Row] : shown)];
}

/** The spaces that a line begins with are part of what it says. */
const quotedLine = (line: string): string =>
  `${' '.repeat(line.length - line.replace(/^[ \t]+/, '').length)}${quoted(line)}`;

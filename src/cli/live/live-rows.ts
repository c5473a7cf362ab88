// The rows of the live view, made of styled pieces: a function of the run's state, the time, the size of the screen and
// the focus.
//
// live-rows/V1. No more rows than the screen is high less one, and none wider than the screen: a view never scrolls it.
// live-rows/V2. Nothing that a plan, an agent or a program wrote steers the terminal: see rows/Q1.
// live-rows/V3. Only rows in sight are made, however many tasks there are.
import type { TextRow } from '../../core/view/text/styled-text.ts';
import { fitPieces } from '../text/rows.ts';
import type { TaskStatus } from '../../core/view/run/task-tree.ts';
import type { Focus, FocusMode } from './focus.ts';
import { footerRows, helpRows } from './footer.ts';
import { headerRows } from './header.ts';
import { columnsFor, headingRow, taskDetailsOf, rowPieces } from './list-row.ts';
import { pageRows, paneRows } from './pane.ts';
import { planRows } from './plan-page.ts';
import { questionPage } from './question-page.ts';
import { listTasks, subjectOf, windowOn, type ListRow } from './task-list.ts';
import type { ViewModel } from './view-model.ts';

export interface LiveRows {
  readonly rows: readonly TextRow[];
  /** The focus for the next view: positions of list and pane are known only after the layout. */
  readonly focus: Focus;
  /** The whole list, in sight or not, for the keys that move through it. */
  readonly list: readonly ListRow[];
  /** The rows of the body: how far a page goes. */
  readonly room: number;
  /** The task that the pane shows. */
  readonly subject: TaskStatus | undefined;
}

/** The header may take this share of the screen. */
const HEADER_SHARE = 0.3;
/** Higher screens have rows to spare for lines around the body, and for the heading of the list. */
const LINES_FROM_HEIGHT = 14;
const HEADING_FROM_HEIGHT = 18;
/** From this width on the pane is beside the list. */
const PANE_FROM_WIDTH = 100;
const LIST_SHARE = 0.42;
const LIST_WIDTH_MIN = 48;
const LIST_WIDTH_MAX = 84;

export function liveRows(view: ViewModel): LiveRows {
  const { focus, height, width, status } = view;
  const most = Math.max(1, height - 1);
  const header = headerRows(view).slice(0, isPage(focus.mode) ? 1 : Math.max(1, Math.floor(most * HEADER_SHARE)));
  const footer = footerRows(view);
  const hasLines = height >= LINES_FROM_HEIGHT;
  const room = Math.max(0, most - header.length - footer.length - (hasLines ? 2 : 0));
  const asking = new Set(status.questions.map(({ task }) => task));
  const listRoom = Math.max(1, height >= HEADING_FROM_HEIGHT ? room - 1 : room);
  const { rows: list, placed } = listTasks(status.tasks, { focus, room: listRoom, asks: (path) => asking.has(path) });
  const body = bodyOf({ ...view, focus: { ...focus, placed } }, { list, room, listRoom });
  const split = body.splitAt;
  const rows = [
    ...header,
    ...(hasLines ? [line(width, split, '┬')] : []),
    ...body.rows,
    ...(hasLines ? [line(width, split, '┴')] : []),
    ...footer,
  ];
  return { rows: rows.slice(0, most), focus: body.focus, list, room, subject: subjectOf(list, focus) };
}

const isPage = ({ type }: FocusMode): boolean => type === 'help' || type === 'plan';

const line = (width: number, splitAt: number | undefined, cross: string): TextRow => [
  [
    'quiet',
    splitAt === undefined
      ? '─'.repeat(width)
      : `${'─'.repeat(splitAt)}${cross}${'─'.repeat(Math.max(0, width - splitAt - 1))}`,
  ],
];

interface BodyRoom {
  readonly list: readonly ListRow[];
  readonly room: number;
  /** The rows of the list without its heading. */
  readonly listRoom: number;
}

interface Body {
  readonly rows: readonly TextRow[];
  readonly focus: Focus;
  /** The column of the line between list and pane. */
  readonly splitAt: number | undefined;
}

function bodyOf(view: ViewModel, given: BodyRoom): Body {
  const { focus, width } = view;
  const { mode } = focus;
  const { room, list } = given;
  if (mode.type === 'help' || mode.type === 'plan') {
    const whole = mode.type === 'help' ? helpRows() : planRows(view, taskDetailsOf(view));
    const { rows, top } = pageRows(whole, mode.top, room);
    return { rows: filled(rows, room), focus: { ...focus, mode: { ...mode, top } }, splitAt: undefined };
  }
  const isSplit = width >= PANE_FROM_WIDTH;
  const listWidth = isSplit
    ? Math.max(LIST_WIDTH_MIN, Math.min(LIST_WIDTH_MAX, Math.floor(width * LIST_SHARE)))
    : width;
  const paneWidth = isSplit ? width - listWidth - 2 : width;
  const isAsked = mode.type === 'question' || mode.type === 'answer';
  const hasList = isSplit || !(isAsked || mode.type === 'pane' || mode.type === 'search');
  const { rows: listed, focus: moved } = hasList ? listRows(view, given, listWidth) : { rows: [], focus };
  if (isSplit || !hasList) {
    const beside = sideRows({ ...view, focus: moved }, subjectOf(list, focus), { width: paneWidth, room });
    const side = filled(beside.rows, room);
    if (!isSplit) return { rows: side, focus: beside.focus, splitAt: undefined };
    const rows = filled(listed, room).map((row, at): TextRow => [
      ...fitPieces(row, listWidth),
      ['quiet', '│'],
      ' ',
      ...(side[at] ?? []),
    ]);
    return { rows, focus: beside.focus, splitAt: listWidth };
  }
  return {
    rows: filled(listed, room),
    focus: { ...moved, pane: { ...moved.pane, move: undefined } },
    splitAt: undefined,
  };
}

function sideRows(
  view: ViewModel,
  task: TaskStatus | undefined,
  size: { readonly width: number; readonly room: number },
): { readonly rows: readonly TextRow[]; readonly focus: Focus } {
  const { focus } = view;
  if (focus.mode.type === 'question' || focus.mode.type === 'answer') {
    const { rows, mode } = questionPage(view, focus.mode, size);
    return { rows, focus: { ...focus, mode } };
  }
  const { rows, pane } = paneRows(view, task, size);
  return { rows, focus: { ...focus, pane } };
}

function listRows(
  view: ViewModel,
  { list, room, listRoom }: BodyRoom,
  width: number,
): { readonly rows: readonly TextRow[]; readonly focus: Focus } {
  const { focus } = view;
  const window = windowOn(list, focus, listRoom);
  const known = taskDetailsOf(view);
  const columns = columnsFor(list, view, width);
  const shown = list
    .slice(window.top, window.top + listRoom)
    .map((row, at) => rowPieces(row, { view, known, columns, isChosen: window.top + at === window.chosen }));
  const none = shown.length === 0 && focus.filter !== '';
  const heading = listRoom < room ? [headingRow(columns)] : [];
  const rows = [...heading, ...(none ? [[['quiet', '   No task is like that.']] satisfies TextRow] : shown)];
  return { rows, focus: { ...focus, line: window.line } };
}

/** The footer stays at the foot. */
const filled = (rows: readonly TextRow[], room: number): readonly TextRow[] => [
  ...rows.slice(0, room),
  ...Array.from({ length: Math.max(0, room - rows.length) }, (): TextRow => []),
];

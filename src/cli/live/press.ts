// The effect of a key: on the focus, and as a request to the world outside.
//
// press/K1. A key that ends work for good asks for confirmation first.
// press/K2. Pasted text never counts as command keys.
// press/K3. A question is answered only after all of it was visible.
import type { Status } from '../../core/view/run/run-status.ts';
import type { TaskStatus } from '../../core/view/run/task-tree.ts';
import { LIST, PANE, type Focus, type Key, type PaneMove, type Pane, type Pressed, type Wish } from './focus.ts';
import { keysFor, questionOf } from './question-page.ts';
import { indexOfChosen, move, toggleFold, type ListRow } from './task-list.ts';
import { typeText } from './type-text.ts';

export interface Board {
  readonly focus: Focus;
  readonly list: readonly ListRow[];
  /** The rows that a page goes. */
  readonly room: number;
  /** The task that the pane shows. */
  readonly subject: TaskStatus | undefined;
  readonly status: Status;
  readonly run: string;
  /** Whether this process coordinates the run. */
  readonly isOurs: boolean;
}

export function pressKey(board: Board, key: Key): Pressed {
  const { focus } = board;
  if (key === 'ctrl-c') return { focus, wish: { type: 'interrupt' } };
  if (key === 'ctrl-z') return { focus, wish: { type: 'suspend' } };
  switch (focus.mode.type) {
    case 'help':
    case 'plan':
      return onPage(board, key);
    case 'confirm':
      return confirm(focus, focus.mode.wish, key);
    case 'filter':
    case 'search':
    case 'answer':
      return typeText(focus, key);
    case 'question':
      return onQuestion(board, key);
    case 'pane':
      return inPane(board, key);
    case 'list':
      return inList(board, key);
  }
}

const typedIn = (key: Key): string => (typeof key === 'object' && 'typed' in key ? key.typed : '');

const isPasted = (key: Key): boolean => typeof key === 'object' && 'pasted' in key;

function confirm(focus: Focus, wish: Wish, key: Key): Pressed {
  const listed = { ...focus, mode: LIST };
  return typedIn(key) === 'y' ? { focus: listed, wish } : { focus: listed, says: 'Nothing was done.' };
}

/** How many rows down a key goes. */
function stepOf(key: Key, room: number): number {
  switch (key) {
    case 'up':
      return -1;
    case 'down':
      return 1;
    case 'pageup':
      return -room;
    case 'pagedown':
      return room;
    case 'home':
      return -Infinity;
    case 'end':
      return Infinity;
    case 'left':
    case 'right':
    case 'enter':
    case 'escape':
    case 'backspace':
    case 'tab':
    case 'ctrl-c':
    case 'ctrl-z':
      return 0;
  }
  return typedIn(key) === 'j' ? 1 : typedIn(key) === 'k' ? -1 : 0;
}

/** Arrows scroll the page, and any other key leaves it. */
function onPage({ focus, room }: Board, key: Key): Pressed {
  const { mode } = focus;
  if ((mode.type !== 'help' && mode.type !== 'plan') || isPasted(key)) return { focus };
  const by = stepOf(key, room);
  if (by === 0) return { focus: { ...focus, mode: LIST } };
  return { focus: { ...focus, mode: { ...mode, top: Math.max(0, Math.min(Number.MAX_SAFE_INTEGER, mode.top + by)) } } };
}

/** The keys of a question. Until its end has been visible, the answering keys scroll. */
function onQuestion({ focus, room, status }: Board, key: Key): Pressed {
  const { mode } = focus;
  const question = mode.type === 'question' ? questionOf(status.questions, mode) : undefined;
  if (mode.type !== 'question' || question === undefined) return { focus: { ...focus, mode: LIST } };
  const scrolled = (by: number): Focus => ({
    ...focus,
    mode: { ...mode, top: Math.max(0, Math.min(Number.MAX_SAFE_INTEGER, mode.top + by)) },
  });
  if (key === 'escape' || typedIn(key) === 'q') return { focus: { ...focus, mode: LIST } };
  const by = stepOf(key, Math.max(1, room - 6));
  if (by !== 0) return { focus: scrolled(by) };
  const pressed = keysFor(question).find((each) => each.key === (key === 'enter' ? 'enter' : typedIn(key)));
  if (pressed === undefined) return { focus };
  if (!mode.isRead) return { focus: scrolled(Math.max(1, room - 6)), says: 'Read on first: this is not its end.' };
  const { does } = pressed;
  const { task, step } = mode;
  if (does.type === 'write') return { focus: { ...focus, mode: { type: 'answer', task, step, text: does.text } } };
  const wish: Wish = { type: 'command', command: does.command };
  return does.asksFirst === undefined ? { focus: { ...focus, mode: LIST }, wish } : asked(focus, does.asksFirst, wish);
}

const asked = (focus: Focus, question: string, wish: Wish): Pressed => ({
  focus: { ...focus, mode: { type: 'confirm', question, wish } },
});

const moved = (focus: Focus, by: PaneMove): Pressed => ({ focus: { ...focus, pane: { ...focus.pane, move: by } } });

function inPane(board: Board, key: Key): Pressed {
  const { focus, room } = board;
  const by = stepOf(key, Math.max(1, room - 2));
  if (by !== 0) return moved(focus, { type: 'rows', by });
  const { attemptsBack } = focus.pane;
  switch (key) {
    case 'escape':
    case 'enter':
    case 'tab':
      return { focus: { ...focus, mode: LIST, pane: { ...focus.pane, search: '' } } };
    case 'left':
    case 'right': {
      const back = Math.max(0, attemptsBack + (key === 'left' ? 1 : -1));
      return { focus: { ...focus, pane: { ...focus.pane, shows: 'output', attemptsBack: back, top: undefined } } };
    }
  }
  const typed = typedIn(key);
  if (typed === '/') return { focus: { ...focus, mode: { type: 'search' }, pane: { ...focus.pane, search: '' } } };
  if (typed === 'n') return moved(focus, { type: 'match', by: 1 });
  if (typed === 'N') return moved(focus, { type: 'match', by: -1 });
  if (typed === 'q') return { focus: { ...focus, mode: LIST } };
  // Other keys work as in the list, and the focus stays in the pane.
  return typed === '' || typed === ' ' ? { focus } : typedInList(board, typed);
}

function inList(board: Board, key: Key): Pressed {
  const { focus, list, room } = board;
  const by = stepOf(key, room);
  if (by !== 0) return { focus: move(focus, list, by) };
  const row = focus.chosen === undefined ? undefined : list[indexOfChosen(list, focus.chosen)];
  if (key === 'escape') return { focus: { ...focus, chosen: undefined, line: 0, filter: '', pane: PANE } };
  if (key === 'enter' || key === 'tab' || key === 'right')
    return key === 'enter' && isFolding(row) ? folded(focus, row) : toPane(board);
  const typed = typedIn(key);
  if (typed === ' ') return row === undefined ? { focus } : folded(focus, row);
  return typedInList(board, typed);
}

const isFolding = (row: ListRow | undefined): row is ListRow =>
  row?.type === 'ended' || (row?.type === 'task' && row.task.children.length > 0);

const folded = (focus: Focus, row: ListRow): Pressed => ({ focus: toggleFold(focus, row) });

/** Going to the pane chooses the followed task. */
function toPane({ focus, subject }: Board): Pressed {
  if (subject === undefined) return { focus };
  return { focus: { ...focus, chosen: focus.chosen ?? subject.task, mode: { type: 'pane' } } };
}

function typedInList(board: Board, typed: string): Pressed {
  const { focus, status, run } = board;
  const all = { tasks: [] };
  switch (typed) {
    case '?':
      return { focus: { ...focus, mode: { type: 'help', top: 0 } } };
    case 'g':
      return { focus: { ...focus, mode: { type: 'plan', top: 0 } } };
    case '/':
      return { focus: { ...focus, mode: { type: 'filter' } } };
    case 'p':
      return {
        focus,
        wish: { type: 'command', command: { type: status.stage === 'paused' ? 'resume' : 'pause', ...all } },
      };
    case 's':
      return asked(focus, `Stop ${run}? Running steps are asked to end.`, {
        type: 'command',
        command: { type: 'stop', ...all },
      });
    case 'q':
      return leave(board);
    case 'a':
      return openQuestion(board);
    case 'e':
    case 't':
    case 'l':
      return show(board, typed === 'e' ? 'why' : typed === 't' ? 'turns' : 'output');
    case 'd':
      return board.subject === undefined ? { focus } : { focus, wish: { type: 'diff', task: board.subject.task } };
    case 'x':
    case 'r':
      return withChosen(board, typed);
  }
  return { focus };
}

function leave({ focus, isOurs, run }: Board): Pressed {
  if (!isOurs) return { focus, wish: { type: 'leave' } };
  const question = `This process coordinates the run, so leaving stops it; heddle resume ${run} goes on. Stop it?`;
  return asked(focus, question, { type: 'interrupt' });
}

/** The same key again goes back to the output. */
function show(board: Board, what: Pane['shows']): Pressed {
  const { focus, subject } = board;
  if (subject === undefined) return { focus };
  const isBack = focus.pane.shows === what && focus.mode.type === 'pane';
  const shows = isBack ? 'output' : what;
  return toPane({ ...board, focus: { ...focus, pane: { ...PANE, shows } } });
}

function withChosen({ focus, list }: Board, typed: 'x' | 'r'): Pressed {
  const row = focus.chosen === undefined ? undefined : list[indexOfChosen(list, focus.chosen)];
  if (row === undefined) return { focus, says: 'Choose a task first, with the arrow keys.' };
  if (row.type !== 'task') return { focus, says: 'These are several. Unfold them with enter, and choose one.' };
  const { task } = row.task;
  if (typed === 'r') return { focus, wish: { type: 'command', command: { type: 'retry', tasks: [task] } } };
  return asked(focus, `Cancel ${task} for good?`, { type: 'command', command: { type: 'cancel', tasks: [task] } });
}

/** The question of the chosen task, or the only one that is open. */
function openQuestion({ focus, status }: Board): Pressed {
  const { questions } = status;
  const chosen = questions.filter(({ task }) => task === focus.chosen);
  const [question, another] = chosen.length > 0 ? chosen : questions;
  if (question === undefined) return { focus, says: 'Nothing waits for an answer.' };
  if (another !== undefined && chosen.length === 0) return { focus, says: 'Several ask. Choose the one you mean.' };
  const { task, step } = question;
  return { focus: { ...focus, chosen: task, mode: { type: 'question', task, step, top: 0, isRead: false } } };
}

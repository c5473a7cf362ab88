// What a key does: to what the person has chosen, and what it asks of the world outside.
//
// K1. What ends something for good is asked about first.
// K2. What is pasted is never taken for keys that do something.
import type { Status } from '../../core/view/run/status.ts';
import { FOCUS, LIST, type Focus, type Wish } from './focus.ts';
import { move, unfold } from './move.ts';
import type { Key, Pressed } from './pressed.ts';
import { typeText } from './type-text.ts';
import { indexOfChosen, type TreeRow } from './tree-rows.ts';

export interface Board {
  readonly focus: Focus;
  readonly list: readonly TreeRow[];
  /** Rows of the list that are in sight. */
  readonly room: number;
  readonly status: Status;
  readonly run: string;
  /** Whether this process carries the run out. */
  readonly isOurs: boolean;
}

export function press(board: Board, key: Key): Pressed {
  const { focus } = board;
  if (key === 'ctrl-c') return { focus, wish: { type: 'interrupt' } };
  if (key === 'ctrl-z') return { focus, wish: { type: 'suspend' } };
  switch (focus.mode.type) {
    case 'help':
      return { focus: { ...focus, mode: LIST } };
    case 'confirm':
      return confirm(focus, focus.mode.wish, key);
    case 'filter':
    case 'answer':
      return typeText(focus, key);
    case 'log':
      return readLog(board, key);
    case 'list':
      return inList(board, key);
  }
}

const typedIn = (key: Key): string => (typeof key === 'object' && 'typed' in key ? key.typed : '');

function confirm(focus: Focus, wish: Wish, key: Key): Pressed {
  const listed = { ...focus, mode: LIST };
  return typedIn(key) === 'y' ? { focus: listed, wish } : { focus: listed, says: 'Nothing was done.' };
}

function readLog({ focus, room }: Board, key: Key): Pressed {
  if (focus.mode.type !== 'log') return { focus };
  const { mode } = focus;
  const typed = typedIn(key);
  if (key === 'escape' || typed === 'q' || typed === 'l') return { focus: { ...focus, mode: LIST } };
  const by = stepOf(key, room);
  const back = by === Infinity ? 0 : Math.max(0, mode.back - by);
  return { focus: { ...focus, mode: { ...mode, back } } };
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
    case 'enter':
    case 'escape':
    case 'backspace':
    case 'ctrl-c':
    case 'ctrl-z':
      return 0;
  }
  return typedIn(key) === 'j' ? 1 : typedIn(key) === 'k' ? -1 : 0;
}

function inList(board: Board, key: Key): Pressed {
  const { focus, list, room } = board;
  const by = stepOf(key, room);
  if (by !== 0) return { focus: move(focus, list, by) };
  if (key === 'enter') return { focus: unfold(focus, list) };
  if (key === 'escape') return { focus: { ...FOCUS, folds: focus.folds } };
  return inListTyped(board, typedIn(key));
}

function inListTyped(board: Board, typed: string): Pressed {
  const { focus, status, run } = board;
  const all = { tasks: [] };
  switch (typed) {
    case '?':
      return { focus: { ...focus, mode: { type: 'help' } } };
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
    case 'x':
      return answerWith(board, typed === 'a' ? 'approve' : 'reject');
    case 'c':
    case 'r':
    case 'l':
    case 'd':
      return withChosen(board, typed);
  }
  return { focus };
}

const asked = (focus: Focus, question: string, wish: Wish): Pressed => ({
  focus: { ...focus, mode: { type: 'confirm', question, wish } },
});

function leave({ focus, isOurs, run }: Board): Pressed {
  if (!isOurs) return { focus, wish: { type: 'leave' } };
  const question = `This process runs it, so leaving stops the run; heddle resume ${run} goes on. Stop it?`;
  return asked(focus, question, { type: 'interrupt' });
}

function withChosen({ focus, list }: Board, typed: 'c' | 'r' | 'l' | 'd'): Pressed {
  const row = focus.chosen === undefined ? undefined : list[indexOfChosen(list, focus.chosen)];
  if (row === undefined) return { focus, says: 'Choose a task first, with the arrow keys.' };
  if (row.type === 'neighbours') return { focus, says: 'These are several. Unfold them with enter, and choose one.' };
  const { task } = row.task;
  switch (typed) {
    case 'c':
      return asked(focus, `Cancel ${task} for good?`, { type: 'command', command: { type: 'cancel', tasks: [task] } });
    case 'r':
      return { focus, wish: { type: 'command', command: { type: 'retry', tasks: [task] } } };
    case 'l':
      return { focus: { ...focus, mode: { type: 'log', task, back: 0 } } };
    case 'd':
      return { focus, wish: { type: 'diff', task } };
  }
}

/** The question of the chosen task, or the only one that is open. */
function answerWith({ focus, status }: Board, type: 'approve' | 'reject'): Pressed {
  const { questions } = status;
  const chosen = questions.filter(({ task }) => task === focus.chosen);
  const [question, another] = chosen.length > 0 ? chosen : questions;
  if (question === undefined) return { focus, says: 'Nothing waits for an answer.' };
  if (another !== undefined && chosen.length === 0) return { focus, says: 'Several ask. Choose the one you mean.' };
  const { task, step, answers, permission } = question;
  if (type === 'reject') return asked(focus, `Reject ${task}?`, { type: 'command', command: { type, task, step } });
  // What is allowed is read before it is said, and may be made an always, or have words added.
  if (permission !== undefined && type === 'approve')
    return { focus: { ...focus, mode: { type: 'answer', task, step, text: 'yes' } } };
  if (answers.includes('answer')) return { focus: { ...focus, mode: { type: 'answer', task, step, text: '' } } };
  return { focus, wish: { type: 'command', command: { type, task, step } } };
}

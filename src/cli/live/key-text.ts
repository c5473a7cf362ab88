// The keys of the live view in words: the row at the foot, and the page of help.
import type { Piece } from '../../core/view/text/styled-text.ts';
import type { ViewModel } from './view-model.ts';

type Row = readonly Piece[];

export type KeyWord = readonly [key: string, word: string];

export const keyPieces = (keys: readonly KeyWord[]): Row =>
  keys.flatMap(([key, word], at): Row => [...(at === 0 ? [] : ['  ']), ['strong', key], ['quiet', ` ${word}`]]);

const columnsOfKey = ([key, word]: KeyWord): number => key.length + word.length + 3;

/** The keys for quitting and for help. */
const ALWAYS: readonly KeyWord[] = [
  ['q', 'leave'],
  ['?', 'keys'],
];

/** The first of them that there is room for. */
function fitting(keys: readonly KeyWord[], width: number): readonly KeyWord[] {
  let room = width - 1 - ALWAYS.reduce((sum, key) => sum + columnsOfKey(key), 0);
  return keys.filter((key) => {
    room -= columnsOfKey(key);
    return room >= 0;
  });
}

/** The keys that have an effect in the run's current state, the likeliest first. */
export function keyRow({ status, focus, width }: ViewModel): Row {
  if (focus.mode.type === 'pane') return [' ', ...keyPieces([...fitting(PANE_KEYS, width), ...ALWAYS])];
  const isPaused = status.stage === 'paused';
  const goesOn = status.stage !== 'ended';
  const keys: KeyWord[] = [
    ['↑↓', 'task'],
    ['⏎', 'output'],
  ];
  if (status.questions.length > 0) keys.push(['a', 'answer']);
  keys.push(['d', 'diff'], ['t', 'turns'], ['e', 'why'], ['r', 'retry']);
  if (goesOn) keys.push(['x', 'cancel'], ['p', isPaused ? 'resume' : 'pause']);
  keys.push(['/', 'filter'], ['g', 'plan']);
  if (goesOn) keys.push(['s', 'stop']);
  return [' ', ...keyPieces([...fitting(keys, width), ...ALWAYS])];
}

const PANE_KEYS: readonly KeyWord[] = [
  ['esc', 'list'],
  ['↑↓', 'scroll'],
  ['/', 'search'],
  ['n N', 'next, previous'],
  ['←→', 'attempt'],
  ['end', 'follow'],
  ['t', 'turns'],
  ['e', 'why'],
];

const HELP: readonly (readonly [keys: string, words: string])[] = [
  ['↑ ↓  j k', 'choose a task; page up and down, home and end go further'],
  ['⏎  tab', 'go to the output of the task; on a subplan, fold or unfold it'],
  ['space', 'fold or unfold a subplan, or the tasks that have ended'],
  ['/', 'show only tasks with these words in their path or state'],
  ['esc', 'back; clear the selection and the filter, follow the first task'],
  ['e', 'why a task waits: for which tokens, who holds them, until when'],
  ['t', 'what the agents of the task were told, and said'],
  ['d', 'what the task has changed, in your pager'],
  ['g', 'the plan with its states'],
  ['a', 'read the question in full, and answer it'],
  ['r', 'retry the task, and all that it held up'],
  ['x', 'cancel the task for good'],
  ['p', 'pause the run, or let it go on'],
  ['s', 'stop the run; heddle resume goes on'],
  ['q', 'leave; a run that another process coordinates goes on'],
  ['Ctrl-C', 'in the process that coordinates the run: stop it; twice, at once. Else leave'],
  ['', ''],
  ['In output', ''],
  ['↑ ↓', 'scroll; it stays there, and end follows again'],
  ['/', 'search; n and N go to the next and the previous place'],
  ['← →', 'the attempt before, the attempt after'],
  ['esc', 'back to the list'],
];

const KEY_COLUMNS = 11;

export const helpRows = (): readonly Row[] => [
  ...HELP.map(([keys, words]): Row => [' ', ['strong', keys.padEnd(KEY_COLUMNS)], words]),
  [],
  [['quiet', ' ★ is the critical path: the tasks that decide when the run ends.']],
  [['quiet', ' Each key does what the command of that name does, as heddle pause or heddle retry.']],
  [['quiet', ' Arrows scroll, any other key goes back.']],
];

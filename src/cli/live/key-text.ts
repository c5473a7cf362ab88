// The keys of the live view in words: the row at the foot, and the page of help.
import type { Piece } from '../text/pieces.ts';
import type { ViewModel } from './view-model.ts';

type Row = readonly Piece[];

type KeyWord = readonly [key: string, word: string];

const said = (keys: readonly KeyWord[]): Row =>
  keys.flatMap(([key, word], at): Row => [...(at === 0 ? [] : ['  ']), ['strong', key], ['quiet', ` ${word}`]]);

const columnsOfKey = ([key, word]: KeyWord): number => key.length + word.length + 3;

/** The way out and the way to all the others. */
const ALWAYS: readonly KeyWord[] = [
  ['q', 'leave'],
  ['?', 'help'],
];

/** The first of them that there is room for. */
function fitting(keys: readonly KeyWord[], width: number): readonly KeyWord[] {
  let room = width - ALWAYS.reduce((sum, key) => sum + columnsOfKey(key), 0);
  return keys.filter((key) => {
    room -= columnsOfKey(key);
    return room >= 0;
  });
}

/** Those that mean something as the run stands, the likeliest first. */
export function keyRow({ status, focus, width }: ViewModel): Row {
  const isPaused = status.stage === 'paused';
  const goesOn = status.stage !== 'ended';
  const keys: KeyWord[] = [['↑↓', 'choose']];
  if (status.questions.length > 0) keys.push(['a', 'approve'], ['x', 'reject']);
  if (focus.chosen !== undefined) {
    keys.push(['l', 'log'], ['d', 'diff']);
    if (goesOn) keys.push(['c', 'cancel']);
    keys.push(['r', 'retry']);
  }
  if (goesOn) keys.push(['p', isPaused ? 'resume' : 'pause'], ['s', 'stop']);
  keys.push(['/', 'filter']);
  return said([...fitting(keys, width), ...ALWAYS]);
}

const HELP: readonly (readonly [keys: string, words: string])[] = [
  ['↑ ↓  j k', 'choose a task; page up and down, home and end go further'],
  ['enter', 'fold or unfold what is chosen'],
  ['/', 'show only tasks with these words in their path or state'],
  ['esc', 'clear the selection and the filter, follow running tasks'],
  ['l', 'follow what the chosen task prints'],
  ['d', 'show what the chosen task has changed, in your pager'],
  ['a', 'approve, or answer an agent that asks'],
  ['x', 'reject'],
  ['r', 'retry the chosen task, and all that it held up'],
  ['c', 'cancel the chosen task for good'],
  ['p', 'pause the run, or let it go on'],
  ['s', 'stop the run; heddle resume goes on'],
  ['q', 'leave; a run that another process coordinates goes on'],
  ['Ctrl-C', 'in the process that runs it: stop the run; twice, at once. Else leave'],
];

const KEY_COLUMNS = 10;

export const helpRows = (): readonly Row[] => [
  ...HELP.map(([keys, words]): Row => ['  ', ['strong', keys.padEnd(KEY_COLUMNS)], words]),
  [['quiet', 'Each does what the command of that name does, as heddle pause or heddle retry.']],
  [['quiet', 'Any key goes back.']],
];

// The footer of the live view: typed text or a question, messages, the next question, and the keys.
import { quoted, type TextRow } from '../../core/view/text/styled-text.ts';
import { spreadPieces } from '../text/rows.ts';
import { nameOf } from '../../core/view/text/run-names.ts';
import type { ViewModel } from './view-model.ts';

const KEYS_FROM_HEIGHT = 6;

const hasKeyRow = ({ height, hasKeys }: ViewModel): boolean => hasKeys && height >= KEYS_FROM_HEIGHT;

export const footerRows = (view: ViewModel): readonly TextRow[] => [
  saidRow(view),
  ...(hasKeyRow(view) ? [keyRow(view)] : []),
];

/** Typed text and questions come before messages. */
function saidRow(view: ViewModel): TextRow {
  const { focus, message } = view;
  const { mode } = focus;
  switch (mode.type) {
    case 'filter':
      return [['strong', ` /${typedText(focus.filter)}`], '▏', ['quiet', '  enter keeps it, esc drops it']];
    case 'search':
      return [['strong', ` /${typedText(focus.pane.search)}`], '▏', ['quiet', '  enter searches, esc drops it']];
    case 'confirm':
      return [['warn', ` ${quoted(mode.question)}`], ['strong', '  y'], ' yes, any other key no'];
    case 'answer':
    case 'question':
    case 'list':
    case 'pane':
    case 'help':
    case 'plan':
  }
  if (message !== undefined) return [['warn', ` ${quoted(message)}`]];
  if (focus.filter !== '')
    return [
      ['strong', ` /${quoted(focus.filter)}`],
      ['quiet', '  esc drops it'],
    ];
  return nextQuestion(view);
}

/** A trailing space is part of the typed text. */
const typedText = (text: string): string => `${quoted(text)}${text.endsWith(' ') ? ' ' : ''}`;

/** The question that `a` opens: that of the chosen task, or the oldest. */
function nextQuestion({ status, focus, coordinator, width }: ViewModel): TextRow {
  if (status.stage === 'ended') return coordinator === 'here' ? [] : [['quiet', ' The run has ended.']];
  if (focus.mode.type !== 'list' && focus.mode.type !== 'pane') return [];
  const question = status.questions.find(({ task }) => task === focus.chosen) ?? status.questions[0];
  if (question === undefined) return [];
  const help: TextRow = [
    ['strong', 'a'],
    ['quiet', ' answer '],
  ];
  const text = `${nameOf(question)} asks: ${question.text}`;
  const shown = spreadPieces([['warn', ` ${quoted(text)}`]], help, width);
  // A long question is cut here; `a` shows all of it.
  return shown.length > 2 ? shown : [...spreadCut(quoted(text), width), ...help];
}

const HELP_COLUMNS = 10;

const spreadCut = (text: string, width: number): TextRow => [
  ['warn', ` ${text.slice(0, Math.max(0, width - HELP_COLUMNS - 3))}… `],
];

export type KeyWord = readonly [key: string, word: string];

export const keyPieces = (keys: readonly KeyWord[]): TextRow =>
  keys.flatMap(([key, word], at): TextRow => [...(at === 0 ? [] : ['  ']), ['strong', key], ['quiet', ` ${word}`]]);

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

/** The keys that have an effect in this mode. */
function keyRow(view: ViewModel): TextRow {
  switch (view.focus.mode.type) {
    case 'list':
      return listKeyRow(view);
    case 'pane':
      return [' ', ...keyPieces([...fitting(PANE_KEYS, view.width), ...ALWAYS])];
    case 'question':
    case 'help':
    case 'plan':
      return [' ', ...keyPieces(PAGE_KEYS)];
    // These have their keys beside what is typed.
    case 'answer':
    case 'confirm':
    case 'filter':
    case 'search':
      return [];
  }
}

/** The keys that have an effect in the run's current state, the likeliest first. */
function listKeyRow({ status, width }: ViewModel): TextRow {
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

const PAGE_KEYS: readonly KeyWord[] = [
  ['↑↓', 'scroll'],
  ['esc', 'back'],
];

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

export const helpRows = (): readonly TextRow[] => [
  ...HELP.map(([keys, words]): TextRow => [' ', ['strong', keys.padEnd(KEY_COLUMNS)], words]),
  [],
  [['quiet', ' ★ is the critical path: the tasks that decide when the run ends.']],
  [['quiet', ' Each key does what the command of that name does, as heddle pause or heddle retry.']],
  [['quiet', ' Arrows scroll, any other key goes back.']],
];

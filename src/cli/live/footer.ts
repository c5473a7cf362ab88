// The footer of the live view: typed text or a question, messages, the next question, and the keys.
import { quoted, type Piece } from '../../core/view/text/styled-text.ts';
import { spreadPieces } from '../text/pieces.ts';
import { nameOf } from '../../core/view/text/run-names.ts';
import { keyRow } from './key-text.ts';
import type { ViewModel } from './view-model.ts';

type Row = readonly Piece[];

const KEYS_FROM_HEIGHT = 6;

const hasKeyRow = ({ height, hasKeys }: ViewModel): boolean => hasKeys && height >= KEYS_FROM_HEIGHT;

export const footerRows = (view: ViewModel): readonly Row[] => [
  saidRow(view),
  ...(hasKeyRow(view) ? [keyRow(view)] : []),
];

/** Typed text and questions come before messages. */
function saidRow(view: ViewModel): Row {
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
function nextQuestion({ status, focus, coordinator, width }: ViewModel): Row {
  if (status.stage === 'ended') return coordinator === 'here' ? [] : [['quiet', ' The run has ended.']];
  if (focus.mode.type === 'question' || focus.mode.type === 'answer') return [];
  const question = status.questions.find(({ task }) => task === focus.chosen) ?? status.questions[0];
  if (question === undefined) return [];
  const help: Row = [
    ['strong', 'a'],
    ['quiet', ' answer '],
  ];
  const text = `${nameOf(question)} asks: ${question.text}`;
  const shown = spreadPieces([['warn', ` ${quoted(text)}`]], help, width);
  // A long question is cut here; `a` shows all of it.
  return shown.length > 2 ? shown : [...spreadCut(quoted(text), width), ...help];
}

const HELP_COLUMNS = 10;

const spreadCut = (text: string, width: number): Row => [
  ['warn', ` ${text.slice(0, Math.max(0, width - HELP_COLUMNS - 3))}… `],
];

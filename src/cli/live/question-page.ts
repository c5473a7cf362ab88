// A question in full, and how it can be answered.
//
// question-page/Q1. Nothing is answered before the end of the question was in sight.
import type { Command } from '../../core/engine/command.ts';
import type { OpenQuestion } from '../../core/view/run/open-question.ts';
import { formatMoment } from '../../core/view/chart/format.ts';
import { answersTo, nameOf } from '../../core/view/text/run-names.ts';
import { quoted, type TextRow } from '../../core/view/text/styled-text.ts';
import type { QuestionRef, FocusMode } from './focus.ts';
import { keyPieces, type KeyWord } from './footer.ts';
import { pageRows, proseLines } from './pane.ts';
import type { ViewModel } from './view-model.ts';

type QuestionMode = Extract<FocusMode, { type: 'question' | 'answer' }>;

export const questionOf = (questions: readonly OpenQuestion[], { task, step }: QuestionRef): OpenQuestion | undefined =>
  questions.find((each) => each.task === task && each.step === step);

const ROOM_FOR_TITLE = 5;

export interface QuestionPage {
  readonly rows: readonly TextRow[];
  readonly mode: FocusMode;
}

export function questionPage(
  view: ViewModel,
  mode: QuestionMode,
  { width, room }: { readonly width: number; readonly room: number },
): QuestionPage {
  const question = questionOf(view.status.questions, mode);
  // Another person has answered it.
  if (question === undefined) return { rows: [[['quiet', ' It is answered.']]], mode: { type: 'list' } };
  const until = question.until === undefined ? '' : `, within ${formatMoment(Math.max(0, question.until - view.now))}`;
  const title: TextRow = [
    ['warn', ` ${quoted(nameOf(question))} asks you`],
    ['quiet', until],
  ];
  const below = mode.type === 'answer' ? inputRows(mode.text, width) : keyRows(question, width);
  // On a low screen the question itself matters most.
  const above = room < below.length + ROOM_FOR_TITLE ? [] : [title, []];
  const textRoom = Math.max(1, room - below.length - above.length - (above.length === 0 ? 0 : 1));
  const lines = textLines(question, width - 2).map((line): TextRow => [` ${line}`]);
  const { rows, top } = pageRows(lines, mode.type === 'question' ? mode.top : lines.length, textRoom);
  const left = lines.length - top - rows.length;
  const more: TextRow = left > 0 ? [['warn', ` ${left} more ↓`]] : [];
  return {
    rows: [...above, ...rows, ...(above.length === 0 ? [] : [more]), ...below],
    mode: mode.type === 'question' ? { ...mode, top, isRead: mode.isRead || (room > 0 && left <= 0) } : mode,
  };
}

/** Of a permission, the whole argument that the tool would get. */
function textLines({ text, permission }: OpenQuestion, width: number): readonly string[] {
  const about = permission?.about ?? '';
  return [
    ...proseLines(text, width),
    ...(permission === undefined || text.includes(about) ? [] : ['', ...proseLines(about, width)]),
  ];
}

/** The end of the typed text is visible. */
function inputRows(text: string, width: number): readonly TextRow[] {
  const lines = proseLines(`${text}▏`, width - 4);
  return [
    ...lines.slice(-3).map((line, at): TextRow => [['strong', at === 0 ? ' › ' : '   '], line]),
    [
      ' ',
      ...keyPieces([
        ['enter', 'send'],
        ['esc', 'back'],
      ]),
    ],
  ];
}

function keyRows(question: OpenQuestion, width: number): readonly TextRow[] {
  const byHand = question.answers.includes('merge') ? answersTo(question).slice(0, 1) : [];
  const hint = byHand.flatMap((command) => proseLines(`To resolve it by hand: ${command}`, width - 2));
  return [
    ...hint.map((line): TextRow => [['quiet', ` ${line}`]]),
    [' ', ...keyPieces([...keysFor(question).map(({ key, word }): KeyWord => [key, word]), ['esc', 'later']])],
  ];
}

export interface AnswerKey {
  readonly key: string;
  readonly word: string;
  readonly does:
    | { readonly type: 'command'; readonly command: Command; readonly asksFirst?: string }
    /** Lets the person write. */
    | { readonly type: 'write'; readonly text: string };
}

/** The keys that answer a question. */
export function keysFor({ task, step, answers, permission }: OpenQuestion): readonly AnswerKey[] {
  const command = (type: 'approve' | 'reject'): Command => ({ type, task, step });
  const say = (text: string): Command => ({ type: 'answer', task, step, text });
  const reject = { type: 'command', command: command('reject'), asksFirst: `Reject ${task}?` } as const;
  const keys: AnswerKey[] = [];
  if (permission !== undefined) {
    keys.push({ key: 'y', word: 'yes', does: { type: 'command', command: say('yes') } });
    keys.push({ key: 'n', word: 'no', does: { type: 'command', command: say('no') } });
    keys.push({ key: 'v', word: 'always', does: { type: 'command', command: say('always') } });
    keys.push({ key: 'enter', word: 'write', does: { type: 'write', text: 'yes' } });
  } else if (answers.includes('answer')) {
    keys.push({ key: 'enter', word: 'write an answer', does: { type: 'write', text: '' } });
    keys.push({ key: 'n', word: 'reject', does: reject });
  } else if (answers.includes('merge')) {
    keys.push({ key: 'n', word: 'reject', does: reject });
  } else {
    keys.push({ key: 'y', word: 'approve', does: { type: 'command', command: command('approve') } });
    keys.push({ key: 'n', word: 'reject', does: reject });
  }
  if (answers.includes('retry'))
    keys.push({ key: 'r', word: 'retry', does: { type: 'command', command: { type: 'retry', tasks: [task] } } });
  return keys;
}

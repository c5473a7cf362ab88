// The pane beside the task list: the output of a task, why it waits, or the prompts and messages of its agents.
//
// pane/P1. A pane that was scrolled stays where it is while more is printed; one at the end follows the end.
import { factsOf, taskAt } from '../../core/engine/facts.ts';
import { formatDuration, formatMoney } from '../../core/view/chart/format.ts';
import { explainTask } from '../../core/view/run/explain-task.ts';
import type { TaskStatus } from '../../core/view/run/task-tree.ts';
import { explanationRows } from '../../core/view/text/explain-text.ts';
import { taskFailureText } from '../../core/view/text/run-names.ts';
import { quoted, type TextRow } from '../../core/view/text/styled-text.ts';
import { foldedRow, foundPieces, spreadPieces, wrapWords } from '../text/rows.ts';
import { terminalText } from '../terminal/terminal-text.ts';
import type { Pane } from './focus.ts';
import type { OutputLine, AttemptOutput, ViewModel } from './view-model.ts';

export interface PaneRows {
  readonly rows: readonly TextRow[];
  /** The pane with its move made. */
  readonly pane: Pane;
}

export interface PaneRoom {
  readonly width: number;
  readonly room: number;
}

/** A row of the text, with its position. */
interface PlacedRow {
  readonly at: number;
  readonly pieces: TextRow;
  readonly text: string;
}

interface Text {
  readonly title: string;
  readonly rows: readonly PlacedRow[];
  /** Whether it is read from its end. */
  readonly follows: boolean;
  /** A note about hidden content. */
  readonly note: string;
  /** Of an output, how many attempts were made after its own. */
  readonly later?: number;
}

export function paneRows(view: ViewModel, task: TaskStatus | undefined, { width, room }: PaneRoom): PaneRows {
  const { pane } = view.focus;
  if (room <= 0) return { rows: [], pane };
  if (task === undefined) return { rows: [[['quiet', 'No task is chosen.']]], pane: { ...pane, move: undefined } };
  const text = textOf(view, task, width);
  // An explanation has both in it.
  const above = text.follows ? [...questionRows(view, task, width), ...failureRows(view, { task, text, width })] : [];
  const head = above.slice(0, Math.floor(room / 2));
  const shown = Math.max(1, room - 1 - head.length);
  const top = topOf(text, pane, shown);
  const isAtEnd = top >= text.rows.length - shown;
  const settled: Pane = {
    ...pane,
    // No further back than to the first attempt.
    attemptsBack: text.later ?? pane.attemptsBack,
    move: undefined,
    // A pane at its end follows; a pane that does not follow starts at its start.
    top: (text.follows && isAtEnd) || (!text.follows && top === 0) ? undefined : text.rows[top]?.at,
  };
  const left = text.rows.length - top - shown;
  const isRunning = task.state === 'running';
  const where = whereOf(text, { search: pane.search, isAtEnd, isRunning, left });
  const isKeyed = view.focus.mode.type === 'pane' || view.focus.mode.type === 'search';
  const title = spreadPieces([[isKeyed ? 'chosen' : 'strong', text.title]], [['quiet', where]], width);
  const body = text.rows.slice(top, top + shown).map(({ pieces }) => foundPieces(pieces, pane.search));
  return { rows: [title, ...head, ...body], pane: settled };
}

interface Where {
  readonly search: string;
  readonly isAtEnd: boolean;
  readonly isRunning: boolean;
  /** Rows below the visible ones. */
  readonly left: number;
}

function whereOf({ rows, follows, note }: Text, { search, isAtEnd, isRunning, left }: Where): string {
  if (search !== '') return `/${quoted(search)}: ${rows.filter((row) => hasWords(row, search)).length} found`;
  if (!isAtEnd) return `${left} more ↓`;
  return follows && isRunning ? '▸ following' : note;
}

/** Search ignores case. */
const hasWords = ({ text }: PlacedRow, words: string): boolean => text.toLowerCase().includes(words.toLowerCase());

/** The first row in sight. */
function topOf({ rows, follows }: Text, { top, move, search }: Pane, shown: number): number {
  const last = Math.max(0, rows.length - shown);
  const start = follows ? last : 0;
  const from =
    top === undefined
      ? start
      : Math.max(
          0,
          rows.findLastIndex(({ at }) => at <= top),
        );
  if (move?.type === 'rows') return Math.max(0, Math.min(last, from + move.by));
  if (move?.type === 'match' && search !== '') {
    const match = (isIn: (at: number) => boolean): number =>
      move.by > 0
        ? rows.findIndex((row, at) => isIn(at) && hasWords(row, search))
        : rows.findLastIndex((row, at) => isIn(at) && hasWords(row, search));
    const next = match((at) => (move.by > 0 ? at > from : at < from));
    // Beyond the last place comes the first.
    const found = next === -1 ? match(() => true) : next;
    return Math.min(last, found === -1 ? from : found);
  }
  return Math.min(last, from);
}

function textOf(view: ViewModel, task: TaskStatus, width: number): Text {
  const { shows, attemptsBack } = view.focus.pane;
  if (shows === 'turns') return turnsText(view, task, width);
  const output = shows === 'output' ? view.outputOf(task.task, attemptsBack) : undefined;
  return output === undefined ? whyText(view, task, width) : outputText(task, output, width);
}

/** Rows of one line have positions between its own and the next. */
const ROWS_OF_LINE_MAX = 1 << 20;

/** A long output is wrapped once, and not again until it grows. */
const wrapped = new WeakMap<readonly OutputLine[], { readonly width: number; readonly rows: readonly PlacedRow[] }>();

function wrappedRows(lines: readonly OutputLine[], width: number): readonly PlacedRow[] {
  const known = wrapped.get(lines);
  if (known?.width === width) return known.rows;
  const rows = lines.flatMap(({ at, text }) =>
    // Words are looked for in the whole line.
    wrapWords(text, width).map((part, row): PlacedRow => {
      return { at: at + row / ROWS_OF_LINE_MAX, pieces: [part], text: row === 0 ? text : '' };
    }),
  );
  wrapped.set(lines, { width, rows });
  return rows;
}

function outputText({ task, state }: TaskStatus, output: AttemptOutput, width: number): Text {
  const rows = wrappedRows(output.lines, width);
  const step = output.step === 'main' ? '' : ` › ${output.step}`;
  const agent = output.agent === undefined ? '' : `, ${output.agent}`;
  const others = output.earlier + output.later > 0 ? ' ←→' : '';
  return {
    title: quoted(`${task}${step}, attempt ${output.attempt}${agent}${others}`),
    rows:
      rows.length === 0
        ? [aside(state === 'running' ? 'It has printed nothing yet.' : 'It has printed nothing.')]
        : rows,
    follows: true,
    note: output.isCut ? `heddle logs ${task} has all` : '',
    later: output.later,
  };
}

const aside = (text: string): PlacedRow => ({ at: 0, pieces: [['quiet', text]], text });

function whyText({ state, now, eta }: ViewModel, { task }: TaskStatus, width: number): Text {
  const index = state.compiled.indexOf.get(task);
  const given = { inputs: state.run.inputs, env: {} };
  if (index === undefined) return prose(`${task} › why`, []);
  const explanation = explainTask(state, taskAt(state, index), { now, given, expected: eta });
  const lines = explanationRows(explanation, { now }).flatMap((row) => foldedRow({ width, colour: false }, row));
  return prose(`${task} › why`, lines);
}

const prose = (title: string, lines: readonly string[]): Text => ({
  title: quoted(title),
  rows: lines.map((text, at) => ({ at, pieces: [text], text })),
  follows: false,
  note: '',
});

function turnsText(view: ViewModel, { task }: TaskStatus, width: number): Text {
  const turns = view.turnsOf(task).flatMap((turn) => {
    const who = turn.agent === null ? '' : ` by ${turn.agent}`;
    const took = turn.completed_at === null ? '' : ` after ${formatDuration(turn.completed_at - turn.launched_at)}`;
    const cost = turn.usd === null || turn.usd === 0 ? '' : ` for ${formatMoney(turn.usd)}`;
    const head = `${turn.step} #${turn.attempt}${who}: ${turn.verdict ?? 'running'}${took}${cost}`;
    const said = (before: string, text: string | null): readonly string[] =>
      text === null ? [] : proseLines(text, width - before.length).map((line) => `${before}${line}`);
    return [head, ...said('> ', turn.prompt), ...said('  ', turn.response), ''];
  });
  return prose(`${task} › turns`, turns.length === 0 ? ['No step of it has begun.'] : turns);
}

/** Text of several paragraphs, by words. */
export const proseLines = (text: string, width: number): readonly string[] =>
  terminalText(text.trimEnd(), { colour: false })
    .split('\n')
    .flatMap((line) => wrapWords(line, Math.max(1, width)));

/** The question of a task, above its output. */
function questionRows({ status }: ViewModel, { task }: TaskStatus, width: number): readonly TextRow[] {
  const question = status.questions.find((each) => each.task === task);
  if (question === undefined) return [];
  return [...proseLines(`? ${question.text}`, width).map((line): TextRow => [['warn', line]]), []];
}

interface Failing {
  readonly task: TaskStatus;
  /** The output below. */
  readonly text: Text;
  readonly width: number;
}

/** Why a task failed, or why its agent has it again, above its output. */
function failureRows(view: ViewModel, { task, text, width }: Failing): readonly TextRow[] {
  const failure = view.status.failures.find((each) => each.task === task.task);
  const check = checkLines(view, { task, text, width });
  if (failure === undefined && check.length === 0) return [];
  const head = failure === undefined ? '! Its check failed, and it is tried again.' : `✗ ${taskFailureText(failure)}`;
  const style = failure === undefined ? 'warn' : 'bad';
  return [
    ...proseLines(head, width).map((line): TextRow => [[style, line]]),
    ...check.map((line): TextRow => [['quiet', line]]),
    [],
  ];
}

const CHECK_LINES_MAX = 10;
const CHECK_INDENT = '  ';

/** The end of what a failed check printed, unless the output below has it: merge checks belong to no attempt. */
function checkLines({ state }: ViewModel, { task, text, width }: Failing): readonly string[] {
  const index = state.compiled.indexOf.get(task.task);
  const printed = index === undefined ? undefined : factsOf(state, index).failedCheck;
  if (printed === undefined || printed.trim() === '') return [];
  const lines = proseLines(printed, width - CHECK_INDENT.length);
  const last = lines.at(-1) ?? '';
  if (text.rows.some((row) => row.text.trimEnd() === last.trimEnd())) return [];
  return lines.slice(-CHECK_LINES_MAX).map((line) => `${CHECK_INDENT}${line}`);
}

/** A page of prose in the place of the list, from a row on. */
export function pageRows(
  rows: readonly TextRow[],
  top: number,
  room: number,
): { readonly rows: readonly TextRow[]; readonly top: number } {
  const from = Math.max(0, Math.min(top, rows.length - room));
  return { rows: rows.slice(from, from + room), top: from };
}

// The effect of an amendment, as an aligned table.
import type { PlanNote, TaskChange } from '../../core/engine/plan-changes.ts';
import type { AmendmentPreview } from '../../app/run/amend-run.ts';
import { amendRefusalText } from '../../core/view/text/command-reply-text.ts';
import { changeText, planNoteText, stillFailedText } from '../../core/view/text/amendment-text.ts';
import { columnsOf } from '../../core/view/draw/text-width.ts';
import { column, quoted, widest, type Piece, type Style } from '../../core/view/text/styled-text.ts';
import { foldedRow, rowOf, type RowScreen } from './rows.ts';
import type { Terminal } from '../terminal/terminal.ts';

const VERBS = ['keep', 'restart', 'add', 'cancel'] as const satisfies TaskChange['does'][];
const STYLES: Readonly<Record<TaskChange['does'], Style>> = {
  keep: 'quiet',
  restart: 'warn',
  add: 'good',
  cancel: 'bad',
};
const VERB_COLUMNS = 7;
const NAME_COLUMNS_MAX = 60;
/** Of the screen, the most that names take; why something happens is worth more. */
const NAME_SHARE = 0.35;
const GAP = '  ';
/** Beyond this many, unchanged tasks are only counted. */
const KEPT_MAX = 12;

export function amendmentLines(
  terminal: Pick<Terminal, 'width' | 'colour'>,
  shown: AmendmentPreview,
): readonly string[] {
  const { tasks, plan, refused, run } = shown;
  const { width, colour } = terminal;
  const screen = { width, colour };
  if (shown.isSame) return [`${run} follows this plan already; there is nothing to amend.`];
  const lines = [...taskLines(screen, tasks)];
  for (const { part, before, after, note } of plan) {
    const change = `${part}: ${before} → ${after}`;
    lines.push(rowOf(screen, [['strong', 'plan'.padEnd(VERB_COLUMNS)], GAP, change, noteOf(note)]));
  }
  lines.push('', countsOf(tasks));
  if (refused.length === 0)
    lines.push(...foldedRow(screen, [['warn', stillFailedText(run, shown.stillFailed)]]).filter((line) => line !== ''));
  for (const reason of refused)
    lines.push(...foldedRow(screen, [['bad', `refused: ${quoted(amendRefusalText(reason))}.`]]));
  return lines;
}

function* taskLines(screen: RowScreen, tasks: readonly TaskChange[]): Generator<string, void> {
  const kept = tasks.filter(({ isTouched }) => !isTouched);
  const isLong = kept.length > KEPT_MAX;
  const shownTasks = tasks.filter(({ isTouched }) => !isLong || isTouched);
  const most = Math.min(NAME_COLUMNS_MAX, Math.floor(screen.width * NAME_SHARE));
  const names = widest(
    shownTasks.map(({ task }) => task),
    most,
  );
  const room = screen.width - VERB_COLUMNS - names - 2 * GAP.length;
  for (const change of shownTasks) {
    const { does, task } = change;
    const [first = '', ...rest] = folded(quoted(changeText(change)), room);
    yield rowOf(screen, [[STYLES[does], does.padEnd(VERB_COLUMNS)], GAP, column(task, names), GAP, ['quiet', first]]);
    for (const line of rest) yield rowOf(screen, [' '.repeat(screen.width - room), ['quiet', line]]);
  }
  if (isLong)
    yield rowOf(screen, [['quiet', `${'keep'.padEnd(VERB_COLUMNS)}${GAP}${kept.length} tasks as they stand`]]);
}

/** A text in lines of so many columns, broken between words. */
function folded(text: string, columns: number): readonly string[] {
  const lines: string[] = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && columnsOf(longer) > columns) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

const noteOf = (note: PlanNote | undefined): Piece => ['quiet', note === undefined ? '' : `  (${planNoteText(note)})`];

function countsOf(tasks: readonly TaskChange[]): string {
  return VERBS.map((verb) => `${verb} ${tasks.filter(({ does }) => does === verb).length}`).join(', ');
}

// The effect of an amendment, as an aligned table.
import type { ChangeCause, PlanNote, TaskChange } from '../../core/engine/plan-changes.ts';
import type { AmendmentPreview } from '../../app/run/amend-run.ts';
import { listed, refusalText } from './command-reply-text.ts';
import { columnsOf } from '../../core/view/draw/text-width.ts';
import { column, foldedRow, quoted, rowOf, widest, type Piece, type Screen } from './pieces.ts';
import type { Style, Terminal } from '../terminal/terminal.ts';

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
    lines.push(...foldedRow(screen, [['warn', failedWords(shown)]]).filter((line) => line !== ''));
  for (const reason of refused) lines.push(...foldedRow(screen, [['bad', `refused: ${quoted(refusalText(reason))}.`]]));
  return lines;
}

function* taskLines(screen: Screen, tasks: readonly TaskChange[]): Generator<string, void> {
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

/** Of more, the whole run is named. */
const RETRIED_MAX = 4;

/** A raised budget resets no failed task, nor does any other change to the plan around a task. */
export function failedWords({ run, stillFailed }: Pick<AmendmentPreview, 'run' | 'stillFailed'>): string {
  const count = stillFailed.length;
  if (count === 0) return '';
  const named = count > RETRIED_MAX ? '' : ` ${stillFailed.join(' ')}`;
  const who = count === 1 ? 'One task stays' : `${count} tasks stay`;
  return `${who} failed; heddle retry ${run}${named} runs ${count === 1 ? 'it' : 'them'} again.`;
}

const noteOf = (note: PlanNote | undefined): Piece => ['quiet', note === undefined ? '' : `  (${planNoteText(note)})`];

function planNoteText(note: PlanNote): string {
  switch (note.type) {
    case 'drains':
      return `${note.held} are held now; it drains to ${note.to}`;
    case 'spent':
      return `${note.spent} is spent already, so no agent starts any more`;
  }
}

/** The state of a task, and the reason for the effect on it. */
function changeText({ does, because, standing }: TaskChange): string {
  const stands = standingText(standing, does === 'keep' ? 'goes on' : 'is stopped');
  switch (because?.type) {
    case undefined:
      return stands;
    case 'added':
      return neededText(because.needs);
    case 'removed':
      return `gone from the plan; ${stands}`;
    case 'reopened':
      return 'open again for what changes in it';
    case 'reassigned':
      return standingText(standing, 'is begun again by another agent');
    case 'redefined':
    case 'used':
    case 'around':
      return does === 'keep' ? `not begun; ${causeText(because)}` : `${causeText(because)}; ${stands}`;
  }
}

function causeText(because: Extract<ChangeCause, { type: 'redefined' | 'used' | 'around' }>): string {
  switch (because.type) {
    case 'redefined':
      return `its ${listed(because.parts)} changed`;
    case 'used':
      return `it went on from ${because.by}, which begins anew`;
    case 'around':
      return `${because.by} around it begins anew`;
  }
}

/** `meets` is the effect on running work. */
function standingText(standing: TaskChange['standing'], meets: string): string {
  switch (standing?.type) {
    case undefined:
      return '';
    case 'ended': {
      const { ending, reason } = standing;
      return reason === undefined || reason === ending ? ending : `${ending} (${reason})`;
    }
    case 'not begun':
      return 'not begun';
    case 'running':
      return `its work ${meets}`;
    case 'begun':
      return 'begun, nothing running';
  }
}

function neededText(needs: readonly string[]): string {
  if (needs.length === 0) return 'can start at once';
  return needs.length > 3
    ? `needs ${needs.slice(0, 2).join(', ')} and ${needs.length - 2} more`
    : `needs ${needs.join(', ')}`;
}

function countsOf(tasks: readonly TaskChange[]): string {
  return VERBS.map((verb) => `${verb} ${tasks.filter(({ does }) => does === verb).length}`).join(', ');
}

// What an amendment would do, as an aligned table.
import type { Expected } from '../../../core/engine/command.ts';
import type { PlanChange, TaskChange } from '../../../core/engine/amend/changes.ts';
import type { State } from '../../../core/engine/state.ts';
import { column, foldedRow, quoted, rowOf, widest, type Piece } from '../../report/run/pieces.ts';
import { plural } from '../../report/rows.ts';
import type { Style, Terminal } from '../../terminal.ts';

/** All that is known of an amendment when it is shown. */
export interface Shown {
  readonly run: string;
  readonly stage: State['run']['stage'];
  readonly isAtWork: boolean;
  /** Of the log that it was computed from. */
  readonly position: number;
  readonly text: string;
  /** The run follows exactly this plan already. */
  readonly isSame: boolean;
  readonly expects: Expected;
  readonly tasks: readonly TaskChange[];
  readonly plan: readonly PlanChange[];
  /** Why it cannot be done, in sentences without full stops. */
  readonly refused: readonly string[];
}

export const isNothing = ({ isSame }: Shown): boolean => isSame;

const VERBS = ['keep', 'restart', 'add', 'cancel'] as const satisfies TaskChange['does'][];
const STYLES: Readonly<Record<TaskChange['does'], Style>> = {
  keep: 'quiet',
  restart: 'warn',
  add: 'good',
  cancel: 'bad',
};
const VERB_COLUMNS = 7;
const NAME_COLUMNS_MAX = 40;
/** Tasks that are kept as they are say little, so beyond this many they are only counted. */
const KEPT_MAX = 12;

export function amendmentLines(terminal: Terminal, shown: Shown): readonly string[] {
  const { tasks, plan, refused, run } = shown;
  const { width, colour } = terminal;
  const screen = { width, colour };
  const lines = isNothing(shown) ? [`${run} follows this plan already; there is nothing to amend.`] : [];
  const kept = tasks.filter(({ does }) => does === 'keep');
  const isLong = kept.length > KEPT_MAX;
  const listed = isNothing(shown) ? [] : tasks.filter(({ does }) => !isLong || does !== 'keep');
  const names = widest(
    listed.map(({ task }) => task),
    NAME_COLUMNS_MAX,
  );
  for (const { does, task, why } of listed) {
    const pieces: Piece[] = [
      [STYLES[does], does.padEnd(VERB_COLUMNS)],
      '  ',
      column(task, names),
      '  ',
      ['quiet', quoted(why)],
    ];
    lines.push(rowOf(screen, pieces));
  }
  if (isLong && !isNothing(shown))
    lines.push(rowOf(screen, [['quiet', `keep     ${plural(kept.length, 'task')} as they stand`]]));
  for (const { part, before, after, note } of plan)
    lines.push(
      rowOf(screen, [['strong', 'plan'.padEnd(VERB_COLUMNS)], '  ', `${part}: ${before} → ${after}`, noteOf(note)]),
    );
  if (!isNothing(shown)) lines.push('', countsOf(tasks));
  for (const reason of refused) lines.push(...foldedRow(screen, [['bad', `refused: ${quoted(reason)}.`]]));
  return lines;
}

const noteOf = (note: string | undefined): Piece => ['quiet', note === undefined ? '' : `  (${note})`];

function countsOf(tasks: readonly TaskChange[]): string {
  return VERBS.map((verb) => `${verb} ${tasks.filter(({ does }) => does === verb).length}`).join(', ');
}

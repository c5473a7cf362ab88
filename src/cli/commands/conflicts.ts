import { EXIT, type ExitCode } from '../terminal/exit-code.ts';
import { forecastConflicts, type ConflictForecast } from '../../app/git/forecast-conflicts.ts';
import { openRunInGit } from '../../app/git/open-run.ts';
import { firstOf, plural } from '../../core/view/text/count-text.ts';
import { aligned, listedWithin } from '../text/rows.ts';
import { chooseRun, openProject } from '../../app/open-project.ts';
import { paint, type Terminal } from '../terminal/terminal.ts';

const ROWS_MAX = 40;

/** `heddle conflicts`: the tasks that will conflict, before they are merged. */
export async function conflicts(
  terminal: Terminal,
  named: string | undefined,
  { json }: { readonly json: boolean },
): Promise<ExitCode> {
  const open = openProject('read');
  const record = chooseRun(open.store, named);
  const inGit = await openRunInGit(open, record, { settings: {}, repairs: false });
  open.store.close();
  const foreseen = await forecastConflicts(inGit);
  const { run } = record;
  terminal.out(
    json ? JSON.stringify({ run, ...foreseen }, undefined, 2) : linesFor(terminal, run, foreseen).join('\n'),
  );
  return EXIT.done;
}

function linesFor(terminal: Terminal, run: string, foreseen: ConflictForecast): readonly string[] {
  const { tasks, unknown, conflicts: pairs, overlaps, untried } = foreseen;
  const { shown, more } = firstOf(pairs, ROWS_MAX);
  const rows = shown.map(({ one, other, paths, kinds }) => [
    `${one} and ${other}`,
    `${listedWithin(paths, terminal.width / 2)} (${kinds.join(', ')})`,
  ]);
  const found =
    pairs.length === 0
      ? [`${run}: no conflict is foreseen between ${plural(tasks.length, 'task')} with work committed.`]
      : [paint(terminal, 'strong', `${run}: ${plural(pairs.length, 'conflict')} foreseen`), ...aligned(rows)];
  return [
    ...found,
    ...(more > 0 ? [`  … and ${more} more; --json has them all`] : []),
    ...(overlaps.length > 0 ? [`${plural(overlaps.length, 'pair')} more touch the same files and fit together.`] : []),
    ...(untried.length > 0 ? [`${plural(untried.length, 'pair')} touch the same files and were not tried.`] : []),
    ...(unknown.length > 0 ? [`Nothing is known yet of ${listedWithin(unknown, terminal.width)}.`] : []),
  ];
}

// What a person is told about a salvaged store.
import type { KeptRun } from './keep-trusted.ts';

export interface Salvaged {
  readonly home: string;
  readonly file: string;
  readonly salvaged: string;
  /** Whether SQLite could read every row. */
  readonly isAll: boolean;
  readonly runs: readonly (KeptRun & { readonly witnessed: number | undefined })[];
}

const TOLD_MAX = 5;

export function reportOf({ home, file, salvaged, runs, isAll }: Salvaged): string {
  const cut = runs.filter(
    ({ kept, beyond, witnessed, hasRecord }) => !hasRecord || beyond > 0 || kept < (witnessed ?? 0),
  );
  const whole = runs.length - cut.length;
  const parts = [
    ...cut.slice(0, TOLD_MAX).map(sentenceOf),
    ...(cut.length > TOLD_MAX ? [`${cut.length - TOLD_MAX} more runs were cut short.`] : []),
    ...(whole > 0 ? [`${counted(whole, 'run')} ${whole === 1 ? 'is' : 'are'} whole.`] : []),
  ];
  return `What can be trusted was copied to ${salvaged}: ${parts.join(' ')} The damaged file was left as it is. To go on with the copy: ${commands({ home, file, salvaged })}, then resume the run with \`heddle resume\`.${isAll ? '' : ` SQLite could not read all of it; more may be left: ${recovering(home, file)}`}`;
}

function sentenceOf({ run, kept, beyond, witnessed, hasRecord }: Salvaged['runs'][number]): string {
  if (!hasRecord) return `The run ${run} lost its plan, so its ${counted(beyond, 'event')} could not be kept.`;
  const of = witnessed === undefined || witnessed <= kept ? '' : ` of ${witnessed}`;
  const behind =
    beyond === 0 ? '' : `, and ${counted(beyond, 'row')} behind the break ${beyond === 1 ? 'was' : 'were'} left out`;
  return `Of the run ${run}, ${kept}${of} events were salvaged${behind}.`;
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const commands = ({ home, file, salvaged }: Pick<Salvaged, 'home' | 'file' | 'salvaged'>): string =>
  `\`mkdir -p ${quoted(`${home}/damaged`)} && mv ${quoted(file)}* ${quoted(`${home}/damaged`)} && mv ${quoted(salvaged)} ${quoted(file)}\``;

/** How to get at what SQLite itself cannot read; a store that was recovered is checked and salvaged like any other. */
export function recovering(home: string, file: string): string {
  const recovered = `${home}/store-recovered.sqlite`;
  return `\`sqlite3 ${quoted(file)} .recover | sqlite3 ${quoted(recovered)}\`, then ${commands({ home, file, salvaged: recovered })}. It takes a sqlite3 that has .recover, such as the one of sqlite.org.`;
}

/** So that it can be pasted into a shell whatever the folder is called. */
const quoted = (path: string): string => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`);

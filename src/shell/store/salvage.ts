// Copies the trustworthy part of a damaged store into a new store beside it, and reports what was kept and what was
// not.
//
// salvage/V1. The damaged files are only copied: SQLite, which may write to any file it opens, reads the copy as far as
//     it can, and the checksums decide which rows to trust. For rows that SQLite cannot read, the message names
//     `.recover`.
// salvage/V2. Of each run the events up to the first broken link are kept, and none behind it.
// salvage/V3. The salvaged store records the high-water marks of its shortened runs, so that it does not count as
//     shortened itself.
// Limit: another process may write while the file is read, and then less is kept. When that matters, end it first.
// Limit: reading the file releases this process's locks on it. After a salvage, stop using the damaged store.
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Connection, PATIENCE_MS } from './connection.ts';
import { readHighWaterMark, markText, markedRuns } from './high-water-mark.ts';
import { bringUp } from './schema.ts';
import { storeErrorOf } from './store-error.ts';
import { SUFFIXES, freeName, settle } from './store-files.ts';
import { gather, keepTrusted, type KeptRun } from './trusted-rows.ts';

export interface Damaged {
  readonly home: string;
  readonly file: string;
  readonly now: number;
}

/** Sentences for a person: the saved part, its place, and how to continue with it. */
export function salvage(damaged: Damaged): string {
  try {
    return earlierReport(damaged) ?? salvageOnce(damaged);
  } catch (error) {
    return `Nothing of it could be salvaged: ${storeErrorOf(error, damaged.file).message}`;
  }
}

function salvageOnce(damaged: Damaged): string {
  const { home, file } = damaged;
  const name = freeName(home, 'store-salvaged');
  if (name === undefined)
    return `There are so many salvaged stores in ${home} that no more are made. Use one of them, and delete the others.`;
  const work = mkdtempSync(join(home, 'salvaging-'));
  try {
    const { runs: kept, isAll } = keepReadable(damaged, work);
    if (kept.length === 0)
      return `Nothing of a run could be read from it. Put a good copy in its place, or try to recover it: ${recovering(home, file)}`;
    const salvaged = join(home, name);
    renameSync(join(work, 'salvaged.sqlite'), salvaged);
    settle(home, salvaged);
    const runs = kept.map((run) => ({ ...run, marked: readHighWaterMark(home, run.run)?.position }));
    const report = reportOf({ home, file, salvaged, runs, isAll });
    writeFileSync(`${salvaged}.json`, JSON.stringify({ of: fingerprint(file), report }));
    return report;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

interface Readable {
  readonly runs: readonly KeptRun[];
  readonly isAll: boolean;
}

/** Makes `salvaged.sqlite` in the working folder. */
function keepReadable({ home, file, now }: Damaged, work: string): Readable {
  const copy = join(work, 'damaged.sqlite');
  for (const suffix of ['', SUFFIXES.log])
    if (existsSync(`${file}${suffix}`)) copyFileSync(`${file}${suffix}`, `${copy}${suffix}`);
  const gathered = gather(copy);
  const into = new Connection(join(work, 'salvaged.sqlite'), { mode: 'write', patienceMs: PATIENCE_MS });
  try {
    bringUp(into);
    const runs = into.transaction(() => {
      const kept = keepTrusted(into, gathered);
      noteMarks({ home, into, now, runs: kept });
      return kept;
    });
    // A single file, so that a rename moves all of it.
    into.exec('PRAGMA journal_mode = DELETE');
    return { runs, isAll: gathered.isAll };
  } finally {
    into.close();
  }
}

interface Noting {
  readonly home: string;
  readonly into: Connection;
  readonly now: number;
  readonly runs: readonly KeptRun[];
}

function noteMarks({ home, into, now, runs }: Noting): void {
  for (const run of markedRuns(home)) {
    const mark = readHighWaterMark(home, run);
    const kept = runs.find((one) => one.run === run)?.kept ?? 0;
    if (mark === undefined) continue;
    into.change('INSERT INTO salvages (run, at, kept, mark) VALUES (?, ?, ?, ?)', run, now, kept, markText(mark));
  }
}

/** Identifies the damaged files, so that salvaging the same files twice makes one copy. */
function fingerprint(file: string): string {
  const parts = [file, `${file}${SUFFIXES.log}`].map((path) => statSync(path, { throwIfNoEntry: false }));
  return parts.map((part) => (part === undefined || part.size === 0 ? '-' : `${part.size}:${part.mtimeMs}`)).join(' ');
}

function earlierReport({ home, file }: Damaged): string | undefined {
  const present = fingerprint(file);
  for (let number = 1; ; number += 1) {
    const salvaged = join(home, `store-salvaged-${number}.sqlite`);
    if (!existsSync(salvaged)) return undefined;
    const note = readNote(`${salvaged}.json`);
    if (note?.of === present) return note.report;
  }
}

function readNote(path: string): { readonly of: unknown; readonly report: string } | undefined {
  try {
    const note: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof note !== 'object' || note === null || !('of' in note) || !('report' in note)) return undefined;
    return typeof note.report === 'string' ? { of: note.of, report: note.report } : undefined;
  } catch {
    return undefined;
  }
}

export interface Salvaged {
  readonly home: string;
  readonly file: string;
  readonly salvaged: string;
  /** Whether SQLite could read every row. */
  readonly isAll: boolean;
  readonly runs: readonly (KeptRun & { readonly marked: number | undefined })[];
}

const TOLD_MAX = 5;

export function reportOf({ home, file, salvaged, runs, isAll }: Salvaged): string {
  const cut = runs.filter(({ kept, beyond, marked, hasRecord }) => !hasRecord || beyond > 0 || kept < (marked ?? 0));
  const whole = runs.length - cut.length;
  const parts = [
    ...cut.slice(0, TOLD_MAX).map(sentenceOf),
    ...(cut.length > TOLD_MAX ? [`${cut.length - TOLD_MAX} more runs were cut short.`] : []),
    ...(whole > 0 ? [`${counted(whole, 'run')} ${whole === 1 ? 'is' : 'are'} whole.`] : []),
  ];
  return `What can be trusted was copied to ${salvaged}: ${parts.join(' ')} The damaged file was left as it is. To go on with the copy: ${commands({ home, file, salvaged })}, then resume the run with \`heddle resume\`.${isAll ? '' : ` SQLite could not read all of it; more may be left: ${recovering(home, file)}`}`;
}

function sentenceOf({ run, kept, beyond, marked, hasRecord }: Salvaged['runs'][number]): string {
  if (!hasRecord) return `The run ${run} lost its plan, so its ${counted(beyond, 'event')} could not be kept.`;
  const of = marked === undefined || marked <= kept ? '' : ` of ${marked}`;
  const behind =
    beyond === 0 ? '' : `, and ${counted(beyond, 'row')} behind the break ${beyond === 1 ? 'was' : 'were'} left out`;
  return `Of the run ${run}, ${kept}${of} events were salvaged${behind}.`;
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const commands = ({ home, file, salvaged }: Pick<Salvaged, 'home' | 'file' | 'salvaged'>): string =>
  `\`mkdir -p ${quoted(`${home}/damaged`)} && mv ${quoted(file)}* ${quoted(`${home}/damaged`)} && mv ${quoted(salvaged)} ${quoted(file)}\``;

/** How to recover rows that SQLite itself cannot read; a recovered store is checked and salvaged like any other. */
export function recovering(home: string, file: string): string {
  const recovered = `${home}/store-recovered.sqlite`;
  return `\`sqlite3 ${quoted(file)} .recover | sqlite3 ${quoted(recovered)}\`, then ${commands({ home, file, salvaged: recovered })}. It takes a sqlite3 that has .recover, such as the one of sqlite.org.`;
}

/** Quoted for a shell. */
const quoted = (path: string): string => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`);

// Copies the trustworthy part of a damaged store into a new store beside it, and reports what was kept and what was
// not.
//
// salvage/V1. The damaged files are only copied: SQLite, which may write to any file it opens, reads the copy as far as
//     it can, and the checksums decide which rows to trust. Rows that SQLite cannot read are left to
//     `.recover` of sqlite3.
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
import { upgradeSchema } from './schema.ts';
import { storeErrorOf } from './store-error.ts';
import { SUFFIXES, freeName, settleFiles } from './store-files.ts';
import { gather, keepTrusted, type KeptRun } from './trusted-rows.ts';
import type { Salvage } from '../../core/protocol/store-failure.ts';

export interface Damaged {
  readonly home: string;
  readonly file: string;
  readonly now: number;
}

export function salvageStore(damaged: Damaged): Salvage {
  try {
    return earlierReport(damaged) ?? salvageOnce(damaged);
  } catch (error) {
    return { type: 'failed', failure: storeErrorOf(error, damaged.file).failure };
  }
}

function salvageOnce(damaged: Damaged): Salvage {
  const { home, file } = damaged;
  const name = freeName(home, 'store-salvaged');
  if (name === undefined) return { type: 'too-many', home };
  const work = mkdtempSync(join(home, 'salvaging-'));
  try {
    const { runs: kept, isAll } = keepReadable(damaged, work);
    if (kept.length === 0) return { type: 'nothing', home, file };
    const salvaged = join(home, name);
    renameSync(join(work, 'salvaged.sqlite'), salvaged);
    settleFiles(home, salvaged);
    const runs = kept.map((run) => ({ ...run, marked: readHighWaterMark(home, run.run)?.position }));
    const report: Salvage = { type: 'salvaged', home, file, salvaged, runs, isAll };
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
    upgradeSchema(into);
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

function earlierReport({ home, file }: Damaged): Salvage | undefined {
  const present = fingerprint(file);
  for (let number = 1; ; number += 1) {
    const salvaged = join(home, `store-salvaged-${number}.sqlite`);
    if (!existsSync(salvaged)) return undefined;
    const note = readNote(`${salvaged}.json`);
    if (note?.of === present) return note.report;
  }
}

function readNote(path: string): { readonly of: unknown; readonly report: Salvage } | undefined {
  try {
    const note: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof note !== 'object' || note === null || !('of' in note) || !('report' in note)) return undefined;
    // Only `salvageOnce` writes the file, and an object there is its report.
    return typeof note.report === 'object' ? { of: note.of, report: note.report as Salvage } : undefined;
  } catch {
    return undefined;
  }
}

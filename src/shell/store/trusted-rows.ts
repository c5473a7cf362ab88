// Reads the rows of a damaged store as far as SQLite can, and keeps the rows that the checksums prove.
import { DatabaseSync } from 'node:sqlite';
import { checkTie, chainRoot, type End, type TiedLink } from './chain.ts';
import { numberIn, textOfColumn, type Connection, type SqlRow } from './connection.ts';

export interface KeptRun {
  readonly run: string;
  readonly kept: number;
  /** Events after the broken link that can still be read. */
  readonly beyond: number;
  /** Without its record no event of a run can be trusted. */
  readonly hasRecord: boolean;
}

/** Runs inside the caller's transaction. */
export function keepTrusted(into: Connection, gathered: Gathered): readonly KeptRun[] {
  const kept = gathered.runs.map((found) => keepRun(into, gathered, found));
  const lost = [...gathered.events].filter(([run]) => !kept.some((one) => one.run === run));
  keepCommands(into, gathered);
  keepOwners(into, gathered);
  return [...kept, ...lost.map(([run, events]) => ({ run, kept: 0, beyond: events.size, hasRecord: false }))];
}

function keepRun(into: Connection, gathered: Gathered, found: FoundRun): KeptRun {
  const { run, slug, number, record } = found;
  const events = gathered.events.get(run) ?? new Map<number, TiedLink>();
  const chain = chainOf(events, found);
  into.change('INSERT INTO runs (run, slug, number, record) VALUES (?, ?, ?, ?)', run, slug, number, record);
  for (const { position, type, json, checksum } of chain) {
    into.change(INSERT_EVENT, run, position, type, json, checksum);
  }
  const kept = chain.length;
  return { run, kept, hasRecord: true, beyond: [...events.keys()].filter((position) => position >= kept).length };
}

const INSERT_EVENT = 'INSERT INTO events (run, position, type, json, checksum) VALUES (?, ?, ?, ?, ?)';

function chainOf(events: ReadonlyMap<number, TiedLink>, { run, record }: FoundRun): readonly TiedLink[] {
  const chain: TiedLink[] = [];
  let end: End = { position: 0, checksum: chainRoot(run, record) };
  for (;;) {
    const next = events.get(end.position);
    if (next === undefined || checkTie(next, end) !== undefined) return chain;
    chain.push(next);
    end = { position: next.position + 1, checksum: next.checksum };
  }
}

function keepCommands(into: Connection, { commands }: Gathered): void {
  for (const { id, run, json, at, answer } of commands) {
    into.change('INSERT INTO commands (id, run, json, at, answer) VALUES (?, ?, ?, ?, ?)', id, run, json, at, answer);
  }
}

function keepOwners(into: Connection, { owners }: Gathered): void {
  for (const { run, epoch, pid, startedAt, host, since, isGone } of owners) {
    into.change(
      'INSERT INTO owners (run, epoch, pid, started_at, host, since, is_gone) VALUES (?, ?, ?, ?, ?, ?, ?)',
      run,
      epoch,
      pid,
      startedAt,
      host,
      since,
      isGone,
    );
  }
}

export interface FoundRun {
  readonly run: string;
  readonly slug: string;
  readonly number: number;
  readonly record: string;
}
export interface FoundCommand {
  readonly id: number;
  readonly run: string;
  readonly json: string;
  readonly at: number;
  readonly answer: string | null;
}
export interface FoundOwner {
  readonly run: string;
  readonly epoch: number;
  readonly pid: number;
  readonly startedAt: string;
  readonly host: string;
  readonly since: number;
  readonly isGone: number;
}

export interface Gathered {
  /** In order of creation. */
  readonly runs: FoundRun[];
  /** By run and position. */
  readonly events: Map<string, Map<number, TiedLink>>;
  readonly commands: FoundCommand[];
  readonly owners: FoundOwner[];
  /** False when SQLite stopped before the end of a table. */
  readonly isAll: boolean;
}

/** Reads a copy of the damaged files: SQLite may write to any file it opens. */
export function gather(copy: string): Gathered {
  const found = { runs: [], events: new Map(), commands: [], owners: [] } satisfies Omit<Gathered, 'isAll'>;
  const database = new DatabaseSync(copy);
  try {
    const tables = Object.entries(READERS).map(([sql, keep]) => readTable(database, sql, (row) => keep(found, row)));
    return { ...found, isAll: tables.every((isAll) => isAll) };
  } finally {
    database.close();
  }
}

type Found = Omit<Gathered, 'isAll'>;

/** Queries and the readers of their rows. Tables are scanned in row order, not by their indices. */
const READERS: Readonly<Record<string, (found: Found, row: SqlRow) => void>> = {
  'SELECT run, slug, number, record FROM runs NOT INDEXED': ({ runs }, row) => {
    const [run, slug, record] = [textOfColumn(row, 'run'), textOfColumn(row, 'slug'), textOfColumn(row, 'record')];
    runs.push({ run, slug, number: numberIn(row, 'number'), record });
  },
  'SELECT run, position, type, json, checksum FROM events NOT INDEXED': ({ events }, row) => {
    const run = textOfColumn(row, 'run');
    const position = numberIn(row, 'position');
    const ofRun = events.get(run) ?? new Map<number, TiedLink>();
    events.set(run, ofRun);
    const [type, json, checksum] = [
      textOfColumn(row, 'type'),
      textOfColumn(row, 'json'),
      textOfColumn(row, 'checksum'),
    ];
    ofRun.set(position, { position, type, json, checksum });
  },
  'SELECT id, run, json, at, answer FROM commands NOT INDEXED': ({ commands }, row) => {
    const [id, at] = [numberIn(row, 'id'), numberIn(row, 'at')];
    const answer = row['answer'] === null ? null : textOfColumn(row, 'answer');
    commands.push({ id, run: textOfColumn(row, 'run'), json: textOfColumn(row, 'json'), at, answer });
  },
  'SELECT run, epoch, pid, started_at, host, since, is_gone FROM owners NOT INDEXED': ({ owners }, row) => {
    const [run, startedAt, host] = [
      textOfColumn(row, 'run'),
      textOfColumn(row, 'started_at'),
      textOfColumn(row, 'host'),
    ];
    const [epoch, pid, since] = [numberIn(row, 'epoch'), numberIn(row, 'pid'), numberIn(row, 'since')];
    owners.push({ run, epoch, pid, startedAt, host, since, isGone: numberIn(row, 'is_gone') });
  },
};

function readTable(database: DatabaseSync, sql: string, keep: (row: SqlRow) => void): boolean {
  try {
    for (const row of database.prepare(sql).iterate()) keep(row);
    return true;
  } catch {
    // `sqlite3 .recover` may read rows that SQLite cannot; the message recommends it.
    return false;
  }
}

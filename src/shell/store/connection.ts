// One connection to the store's file, and the settings under which a commit is durable.
//
// store/C1. When `transaction` returns, its writes survive a kill and a loss of power; when it throws, nothing was
//     written.
// store/C2. A statement is compiled once for each connection.
import { existsSync, statSync } from 'node:fs';
import { DatabaseSync, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { damaged } from './store-error.ts';

export type ConnectionMode = 'write' | 'read';
type Input = string | number | null;
export type SqlRow = Readonly<Record<string, SQLOutputValue>>;
export type Tuple = readonly SQLOutputValue[];

/** How long to wait for a lock that another process holds. */
export const PATIENCE_MS = 5_000;

/** Frames of the write-ahead file beyond which its size is given back after a checkpoint. */
const WAL_BYTES_KEPT = 16 * 1024 * 1024;

const DURABLE = `
  PRAGMA synchronous = FULL;
  PRAGMA fullfsync = ON;
  PRAGMA checkpoint_fullfsync = ON;
  PRAGMA journal_size_limit = ${WAL_BYTES_KEPT};
`;
const CAREFUL = `
  PRAGMA cell_size_check = ON;
  PRAGMA trusted_schema = OFF;
`;

export interface ConnectionSettings {
  readonly mode: ConnectionMode;
  readonly patienceMs: number;
}

export class Connection {
  readonly file: string;
  readonly settings: ConnectionSettings;
  #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(file: string, settings: ConnectionSettings) {
    this.file = file;
    this.settings = settings;
    this.#database = connect(file, settings);
  }

  rows(sql: string, ...values: readonly Input[]): readonly SqlRow[] {
    return this.#statement(sql).all(...values);
  }

  /** Rows without names, which is faster where there are many. */
  tuples(sql: string, ...values: readonly Input[]): readonly Tuple[] {
    const statement = this.#statement(sql);
    statement.setReturnArrays(true);
    // The type of `all` does not know `setReturnArrays`.
    return statement.all(...values) as unknown as readonly Tuple[];
  }

  row(sql: string, ...values: readonly Input[]): SqlRow | undefined {
    return this.#statement(sql).get(...values);
  }

  /** Executes a statement; returns the number of changed rows and the id of the last inserted row. */
  change(sql: string, ...values: readonly Input[]): { readonly changes: number; readonly id: number } {
    const { changes, lastInsertRowid } = this.#statement(sql).run(...values);
    return { changes: Number(changes), id: Number(lastInsertRowid) };
  }

  /** For statements that are executed once: pragmas and tables. */
  exec(sql: string): void {
    this.#database.exec(sql);
  }

  /** All or nothing; takes the write lock at its start. */
  transaction<Result>(work: () => Result): Result {
    this.change('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.change('COMMIT');
      return result;
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  /** Changes whenever another connection has written. */
  dataVersion(): number {
    return numberIn(this.row('PRAGMA data_version'), 'data_version');
  }

  isOpen(): boolean {
    return this.#database.isOpen;
  }

  close(): void {
    this.#statements.clear();
    if (this.#database.isOpen) this.#database.close();
  }

  /** Closes the open files in any state, and opens the files that are at the path now. */
  reopen(): void {
    this.close();
    this.#database = connect(this.file, this.settings);
  }

  #statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #rollBack(): void {
    // After some failures, such as a full disk, SQLite has already rolled the transaction back.
    if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
  }
}

function connect(file: string, { mode, patienceMs }: ConnectionSettings): DatabaseSync {
  return mode === 'write' ? connectToWrite(file, patienceMs) : connectToRead(file, patienceMs);
}

function connectToWrite(file: string, timeout: number): DatabaseSync {
  return set(new DatabaseSync(file, { timeout }), (database) => {
    enterWal(database, timeout);
    database.exec(DURABLE);
  });
}

function connectToRead(file: string, timeout: number): DatabaseSync {
  const look = (database: DatabaseSync): void => database.exec('SELECT count(*) FROM sqlite_schema');
  try {
    return set(new DatabaseSync(file, { readOnly: true, timeout }), look);
  } catch (error) {
    if (!isUnwritable(error) || !isAtRest(file)) throw error;
    // On read-only media SQLite cannot create the shared memory that readers need; without writers, none is needed.
    const unchanging = new URL(`${pathToFileURL(file).href}?immutable=1`);
    return set(new DatabaseSync(unchanging, { readOnly: true, timeout }), look);
  }
}

/** Whether everything is in the main file: no write-ahead log is left. */
const isAtRest = (file: string): boolean =>
  existsSync(file) && (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0;

function set(database: DatabaseSync, how: (database: DatabaseSync) => void): DatabaseSync {
  try {
    database.exec(CAREFUL);
    how(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** SQLite does not wait for this lock when two processes create a store at the same time, so Heddle does. */
function enterWal(database: DatabaseSync, patienceMs: number): void {
  const end = performance.now() + patienceMs;
  for (;;) {
    try {
      database.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > end) throw error;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
  }
}

const RETRY_MS = 10;

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
const isBusy = (error: unknown): boolean => codeOf(error) === 5;
/** Result codes of a reader without write permission: read-only, I/O error, disk full, cannot open. */
const isUnwritable = (error: unknown): boolean => [8, 10, 13, 14].includes(Number(codeOf(error)));

/** Every column of Heddle's tables has one type; a value of another type means that the pages are damaged. */
export function textOfColumn(row: SqlRow | undefined, column: string): string {
  const value = row?.[column];
  if (typeof value === 'string') return value;
  throw damaged({ type: 'content', where: 'column', column });
}

export function numberIn(row: SqlRow | undefined, column: string): number {
  const value = row?.[column];
  if (typeof value === 'number') return value;
  throw damaged({ type: 'content', where: 'column', column });
}

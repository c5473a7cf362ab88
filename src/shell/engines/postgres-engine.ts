// PostgreSQL as the engine: each write is one transaction that locks the row of its run.
//
// Nothing belongs to a session: no LISTEN, no session locks, no prepared statements, so a pooler may stand between.
import postgres, { type Sql, type TransactionSql } from 'postgres';
import type { Batch, BatchResult, Claiming, Engine, Head, Holder } from '../ports/engine.ts';
import { EngineError, isPassing } from './engine-error.ts';
import { postgresError } from './postgres-error.ts';
import { bringUp } from './postgres-schema.ts';

export interface PostgresSettings {
  /** A call without an answer for this long is given up; it may be done all the same. */
  readonly answerMs: number;
}

/** Connections of one process. */
const CONNECTIONS_MAX = 4;
const CONNECT_SECONDS = 5;

export async function openPostgres(url: string, settings: PostgresSettings): Promise<Engine> {
  const caller = callerOf(url, settings);
  await caller.call(bringUp);
  return engineOver(addressOf(url), caller);
}

interface Caller {
  readonly call: <Value>(query: (sql: Sql) => Promise<Value>) => Promise<Value>;
  readonly end: () => Promise<void>;
}

function callerOf(url: string, { answerMs }: PostgresSettings): Caller {
  let sql = connect(url);
  return {
    call: async (query) => {
      const used = sql;
      try {
        return await answered(query(used), answerMs);
      } catch (error) {
        const failed = postgresError(error);
        if (isPassing(failed) && used === sql) {
          // A commit that waits for a standby cannot be cancelled from here, and the library keeps a connection that
          // was lost in the middle of a transaction among those that are busy: new ones replace them all.
          sql = connect(url);
          void used.end({ timeout: 0 });
        }
        throw failed;
      }
    },
    end: async () => await sql.end({ timeout: 1 }),
  };
}

function connect(url: string): Sql {
  return postgres(url, {
    max: CONNECTIONS_MAX,
    connect_timeout: CONNECT_SECONDS,
    // A pooler may give every transaction another session.
    prepare: false,
    fetch_types: false,
    backoff: false,
    onnotice: () => undefined,
    connection: { application_name: 'heddle' },
    // Of several hosts the one that can be written; one alone says itself that it cannot.
    ...(hostsIn(url) > 1 ? { target_session_attrs: 'read-write' } : {}),
  });
}

const AUTHORITY = /^[a-z]+:\/\/(?:[^/?#]*@)?([^/?#]*)/;
const hostsIn = (url: string): number => AUTHORITY.exec(url)?.[1]?.split(',').length ?? 1;

/** Without user and password. */
export const addressOf = (url: string): string => url.replace(/^([a-z]+:\/\/)[^/?#]*@/, '$1').replace(/[?#].*$/, '');

async function answered<Value>(answer: Promise<Value>, withinMs: number): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new EngineError('unanswered', `${withinMs / 1_000} s without an answer`)),
      withinMs,
    );
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
    // A late failure has nobody to be told.
    answer.catch(() => undefined);
  }
}

function engineOver(address: string, { call, end }: Caller): Engine {
  return {
    address,
    records: () =>
      call(async (sql) =>
        (await sql`SELECT record FROM heddle.runs ORDER BY number`).map((row) => String(row['record'])),
      ),
    record: (run) => call(async (sql) => textIn(await sql`SELECT record AS text FROM heddle.runs WHERE run = ${run}`)),
    heads: () => call(async (sql) => (await sql`SELECT * FROM heddle.runs ORDER BY number`).map(headIn)),
    head: (run) => call(async (sql) => (await sql`SELECT * FROM heddle.runs WHERE run = ${run}`).map(headIn)[0]),
    create: (creating) => call((sql) => sql.begin((transaction) => create(transaction, creating))),
    read: (run, position, max) =>
      call(async (sql) => {
        const rows = await sql`
          SELECT json FROM heddle.events WHERE run = ${run} AND position >= ${position} ORDER BY position LIMIT ${max}`;
        return rows.map((row) => String(row['json']));
      }),
    post: (run, posting) => call((sql) => sql.begin((transaction) => post(transaction, run, posting))),
    replyTo: (id) =>
      call(async (sql) => textIn(await sql`SELECT answer AS text FROM heddle.commands WHERE id = ${id}`)),
    commands: (run) =>
      call(async (sql) => {
        const rows = await sql`
          SELECT id, json, at FROM heddle.commands WHERE run = ${run} AND answer IS NULL ORDER BY id`;
        return rows.map((row) => ({ id: Number(row['id']), json: String(row['json']), at: Number(row['at']) }));
      }),
    claim: (run, claiming) => call((sql) => sql.begin((transaction) => claim(transaction, run, claiming))),
    beat: (run, epoch) =>
      call(async (sql) => {
        const done = await sql`
          UPDATE heddle.runs SET beats = beats + 1 WHERE run = ${run} AND epoch = ${epoch} AND NOT is_gone`;
        return done.count === 1;
      }),
    release: (run, epoch) =>
      call(async (sql) => {
        await sql`
          UPDATE heddle.runs SET is_gone = true, changed = changed + 1 WHERE run = ${run} AND epoch = ${epoch}`;
      }),
    append: (run, batch) => call((sql) => sql.begin((transaction) => append(transaction, run, batch))),
    close: end,
  };
}

type Row = Readonly<Record<string, unknown>>;

const textIn = ([row]: readonly Row[]): string | undefined =>
  typeof row?.['text'] === 'string' ? row['text'] : undefined;

const headIn = (row: Row): Head => ({
  run: String(row['run']),
  end: Number(row['position']),
  changed: Number(row['changed']),
  holder: holderIn(row),
});

const holderIn = (row: Row): Holder | undefined =>
  typeof row['who'] !== 'string'
    ? undefined
    : {
        epoch: Number(row['epoch']),
        beats: Number(row['beats']),
        leaseMs: Number(row['lease_ms']),
        who: row['who'],
        isGone: row['is_gone'] === true,
      };

const locked = async (sql: TransactionSql, run: string): Promise<Row | undefined> =>
  (await sql`SELECT * FROM heddle.runs WHERE run = ${run} FOR UPDATE`)[0];

async function create(
  sql: TransactionSql,
  { run, key, record, started }: Parameters<Engine['create']>[0],
): Promise<boolean> {
  const made = await sql`
    INSERT INTO heddle.runs (run, key, record, position, changed) VALUES (${run}, ${key}, ${record}, 1, 1)
    ON CONFLICT (run) DO NOTHING`;
  // Whether it is the repetition of a creation whose answer was lost is told by the key.
  if (made.count === 0) return (await locked(sql, run))?.['key'] === key;
  await sql`INSERT INTO heddle.events (run, position, json) VALUES (${run}, 0, ${started})`;
  return true;
}

async function post(
  sql: TransactionSql,
  run: string,
  { key, json, at }: Parameters<Engine['post']>[1],
): Promise<number | undefined> {
  // The lock gives commands of one run their ids in the order in which they become visible.
  if ((await locked(sql, run)) === undefined) return undefined;
  const [before] = await sql`SELECT id FROM heddle.commands WHERE key = ${key}`;
  if (before !== undefined) return Number(before['id']);
  const [made] = await sql`
    INSERT INTO heddle.commands (run, key, json, at) VALUES (${run}, ${key}, ${json}, ${at}) RETURNING id`;
  await sql`UPDATE heddle.runs SET changed = changed + 1 WHERE run = ${run}`;
  return Number(made?.['id']);
}

async function claim(
  sql: TransactionSql,
  run: string,
  { key, who, leaseMs, replaces }: Claiming,
): Promise<number | undefined> {
  const row = await locked(sql, run);
  if (row === undefined) return undefined;
  if (row['own_key'] === key) return Number(row['epoch']);
  const isAsSeen = row['epoch'] === replaces?.epoch && row['beats'] === replaces?.beats;
  if (replaces !== undefined && !isAsSeen) return undefined;
  const epoch = Number(row['epoch']) + 1;
  await sql`
    UPDATE heddle.runs SET epoch = ${epoch}, beats = beats + 1, lease_ms = ${leaseMs}, who = ${who}, own_key = ${key},
      is_gone = false, changed = changed + 1
    WHERE run = ${run}`;
  return epoch;
}

async function append(sql: TransactionSql, run: string, batch: Batch): Promise<BatchResult> {
  const { key, epoch, position, events, answers } = batch;
  const row = await locked(sql, run);
  if (row === undefined || row['epoch'] !== epoch || row['is_gone'] === true) {
    const by = row === undefined ? undefined : holderIn(row);
    return { type: 'fenced', by: by?.isGone === true ? undefined : by };
  }
  // The same batch once more, because the answer to the first was lost.
  if (row['last_append'] === key) return { type: 'appended' };
  if (row['position'] !== position) return { type: 'moved', end: Number(row['position']) };
  if (events.length > 0)
    await sql`
      INSERT INTO heddle.events (run, position, json)
      SELECT ${run}, ${position}::int + number::int - 1, json
      FROM json_array_elements_text(${JSON.stringify(events)}::text::json) WITH ORDINALITY AS given (json, number)`;
  for (const { id, json } of answers)
    await sql`UPDATE heddle.commands SET answer = ${json} WHERE id = ${id} AND run = ${run} AND answer IS NULL`;
  const isWritten = events.length + answers.length > 0;
  await sql`
    UPDATE heddle.runs SET position = ${position + events.length}, beats = beats + 1, last_append = ${key},
      changed = changed + ${isWritten ? 1 : 0}
    WHERE run = ${run}`;
  return { type: 'appended' };
}

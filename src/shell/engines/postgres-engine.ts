// PostgreSQL as the engine: each write is one call of a function that locks the row of its run.
//
// Nothing belongs to a session: no LISTEN, no session locks, no prepared statements, so a pooler may stand between.
import postgres, { type Helper, type Sql } from 'postgres';
import type { Batch, BatchResult, Engine, Head, Holder } from '../ports/engine.ts';
import { EngineError, isPassingError } from './engine-error.ts';
import { postgresAddress } from './postgres-address.ts';
import { postgresError } from './postgres-error.ts';
import { upgradePostgres } from './postgres-schema.ts';
import { shownAddress } from './shown-address.ts';

export interface PostgresSettings {
  /** A call without an answer for this long is given up; it may be done all the same. */
  readonly answerMs: number;
}

/** Connections of one process. */
const CONNECTIONS_MAX = 4;
const CONNECT_SECONDS = 5;

export async function openPostgres(url: string, settings: PostgresSettings): Promise<Engine> {
  const { address, schema } = postgresAddress(url);
  const caller = callerOf(address, settings);
  try {
    await caller.call((sql) => upgradePostgres(sql, schema));
  } catch (error) {
    // A connection that is left open would keep the process that was refused.
    await caller.end();
    throw error;
  }
  return engineOver(shownAddress(url), schema, caller);
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
        if (isPassingError(failed) && used === sql) {
          // A commit that waits for a standby cannot be cancelled from here, and the library may keep a connection that
          // was lost among those that are busy: new ones replace them all.
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
  try {
    return clientOf(url);
  } catch (error) {
    // Before anything is connected only the address can be wrong; what is said of it may hold its password.
    if (!(error instanceof URIError || error instanceof TypeError)) throw error;
    throw new EngineError(
      'refused',
      'its address cannot be read; in a password %, @, /, : and ? are written as %25, %40, %2F, %3A and %3F',
    );
  }
}

function clientOf(url: string): Sql {
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

function engineOver(address: string, schema: string, { call, end }: Caller): Engine {
  const named = (sql: Sql, name: string) => sql(`${schema}.${name}`);
  return {
    address,
    records: () =>
      call(async (sql) =>
        (await sql`SELECT record FROM ${named(sql, 'runs')} ORDER BY number`).map((row) => String(row['record'])),
      ),
    record: (run) =>
      call(async (sql) => textIn(await sql`SELECT record AS text FROM ${named(sql, 'runs')} WHERE run = ${run}`)),
    heads: () => call(async (sql) => (await sql`SELECT * FROM ${named(sql, 'runs')} ORDER BY number`).map(headIn)),
    head: (run) =>
      call(async (sql) => (await sql`SELECT * FROM ${named(sql, 'runs')} WHERE run = ${run}`).map(headIn)[0]),
    create: ({ run, key, record, started }) =>
      call(async (sql) => {
        const [row] = await sql`SELECT ${named(sql, 'create_run')}(${run}, ${key}, ${record}, ${started}) AS done`;
        return row?.['done'] === true;
      }),
    read: (run, position, max) =>
      call(async (sql) => {
        const rows = await sql`
          SELECT json FROM ${named(sql, 'events')} WHERE run = ${run} AND position >= ${position} ORDER BY position LIMIT ${max}`;
        return rows.map((row) => String(row['json']));
      }),
    post: (run, { key, json, at }) =>
      call(async (sql) =>
        numberIn(await sql`SELECT ${named(sql, 'post_command')}(${run}, ${key}, ${json}, ${at}) AS number`),
      ),
    replyTo: (id) =>
      call(async (sql) => textIn(await sql`SELECT answer AS text FROM ${named(sql, 'commands')} WHERE id = ${id}`)),
    commands: (run) =>
      call(async (sql) => {
        const rows = await sql`
          SELECT id, json, at FROM ${named(sql, 'commands')} WHERE run = ${run} AND answer IS NULL ORDER BY id`;
        return rows.map((row) => ({ id: Number(row['id']), json: String(row['json']), at: Number(row['at']) }));
      }),
    claim: (run, { key, who, leaseMs, replaces }) =>
      call(async (sql) => {
        const { epoch, beats } = replaces ?? { epoch: null, beats: null };
        return numberIn(
          await sql`SELECT ${named(sql, 'claim_run')}(${run}, ${key}, ${who}, ${leaseMs}, ${epoch}, ${beats}) AS number`,
        );
      }),
    beat: (run, epoch) =>
      call(async (sql) => {
        const done = await sql`
          UPDATE ${named(sql, 'runs')} SET beats = beats + 1 WHERE run = ${run} AND epoch = ${epoch} AND NOT is_gone`;
        return done.count === 1;
      }),
    release: (run, epoch) =>
      call(async (sql) => {
        await sql`
          UPDATE ${named(sql, 'runs')} SET is_gone = true, changed = changed + 1 WHERE run = ${run} AND epoch = ${epoch}`;
      }),
    append: (run, batch) => call((sql) => append(sql, (name) => named(sql, name), { run, batch })),
    belongsTo: (words) =>
      call(async (sql) => {
        const format = named(sql, 'format');
        // A role that may not write here needs it once only.
        const known = textIn(await sql`SELECT repository AS text FROM ${format}`);
        if (known !== undefined) return known;
        const written =
          await sql`UPDATE ${format} SET repository = coalesce(repository, ${words}) RETURNING repository AS text`;
        return textIn(written) ?? words;
      }),
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

const numberIn = ([row]: readonly Row[]): number | undefined =>
  typeof row?.['number'] === 'number' ? row['number'] : undefined;

interface Appending {
  readonly run: string;
  readonly batch: Batch;
}

async function append(
  sql: Sql,
  named: (name: string) => Helper<string>,
  { run, batch }: Appending,
): Promise<BatchResult> {
  const { key, epoch, position, events, answers } = batch;
  const [result] = await sql`
    SELECT ${named('append_events')}(
      ${run}, ${key}, ${epoch}, ${position}, ${JSON.stringify(events)}, ${JSON.stringify(answers)}
    ) AS type`;
  if (result?.['type'] === 'appended') return { type: 'appended' };
  // Only this epoch moves the end of its log, so what a second query finds still holds.
  const [row] = await sql`SELECT * FROM ${named('runs')} WHERE run = ${run}`;
  if (result?.['type'] === 'moved') return { type: 'moved', end: Number(row?.['position']) };
  const by = row === undefined ? undefined : holderIn(row);
  return { type: 'fenced', by: by?.isGone === true ? undefined : by };
}

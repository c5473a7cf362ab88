// The tables of runs in PostgreSQL, and the functions that write them. Text, and not jsonb, because jsonb refuses
// characters that JSON allows.
//
// postgres-schema/Q1. Each write is one call of one function, which locks the row of its run: a transaction that needs a
//     second statement would leave the client with a rollback to send over a connection that may be gone.
import type { Sql } from 'postgres';
import { EngineError } from './engine-error.ts';
import { POSTGRES_FUNCTIONS } from './postgres-functions.ts';

/** A database with a higher number belongs to a later Heddle. */
export const POSTGRES_FORMAT = 2;

/** Processes that start together create the tables one after the other; the lock ends with the transaction. */
const LOCK = 7_203_911;

const TABLES = `
  CREATE TABLE heddle.format (version int NOT NULL, repository text);
  INSERT INTO heddle.format VALUES (${POSTGRES_FORMAT});
  CREATE TABLE heddle.runs (
    run text PRIMARY KEY,
    number bigserial,
    key text NOT NULL,
    record text NOT NULL,
    position int NOT NULL,
    changed int NOT NULL,
    last_append text,
    epoch int NOT NULL DEFAULT 0,
    beats int NOT NULL DEFAULT 0,
    lease_ms int NOT NULL DEFAULT 0,
    who text,
    own_key text,
    is_gone boolean NOT NULL DEFAULT true
  );
  CREATE TABLE heddle.events (
    run text NOT NULL REFERENCES heddle.runs,
    position int NOT NULL,
    json text NOT NULL,
    PRIMARY KEY (run, position)
  );
  CREATE TABLE heddle.commands (
    id serial PRIMARY KEY,
    run text NOT NULL REFERENCES heddle.runs,
    key text NOT NULL UNIQUE,
    json text NOT NULL,
    at float8 NOT NULL,
    answer text
  );
  CREATE INDEX commands_open ON heddle.commands (run, id) WHERE answer IS NULL;
`;

/** From format 1, which did not know whose the runs are. Programs that know only that one go on with the tables. */
const MIGRATE = `
  ALTER TABLE heddle.format ADD COLUMN IF NOT EXISTS repository text;
  UPDATE heddle.format SET version = ${POSTGRES_FORMAT} WHERE version < ${POSTGRES_FORMAT};
`;

/** One statement, so one transaction. Tables that another process has made meanwhile are seen after the lock. */
const BRING_UP = `
  DO $bring_up$
  BEGIN
    PERFORM pg_advisory_xact_lock(${LOCK});
    IF EXISTS (SELECT FROM heddle.format_tables) THEN
      ${MIGRATE}
      RETURN;
    END IF;
    CREATE SCHEMA IF NOT EXISTS heddle.;
    ${TABLES}
    ${POSTGRES_FUNCTIONS}
  END
  $bring_up$`;

const inSchema = (text: string, schema: string): string =>
  text
    .replace('heddle.format_tables', `pg_catalog.pg_tables WHERE schemaname = '${schema}' AND tablename = 'format'`)
    .replace('heddle.;', `"${schema}";`)
    .replaceAll('heddle.', `"${schema}".`);

/** Makes missing tables and those of this format, and refuses those of a later Heddle. */
export async function upgradePostgres(sql: Sql, schema: string): Promise<void> {
  // A role that may only use the tables must not be asked to make them.
  const version = await versionIn(sql, schema);
  if (version === undefined || version < POSTGRES_FORMAT) await sql.unsafe(inSchema(BRING_UP, schema));
  else if (version > POSTGRES_FORMAT)
    throw new EngineError('newer', `they have version ${version}, and this Heddle knows ${POSTGRES_FORMAT}`);
}

async function versionIn(sql: Sql, schema: string): Promise<number | undefined> {
  const found = await sql`SELECT FROM pg_catalog.pg_tables WHERE schemaname = ${schema} AND tablename = 'format'`;
  if (found.length === 0) return undefined;
  const [row] = await sql`SELECT version FROM ${sql(`${schema}.format`)}`;
  return Number(row?.['version']);
}

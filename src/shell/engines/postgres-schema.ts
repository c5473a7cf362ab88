// The tables of runs in PostgreSQL. Text, and not jsonb, because jsonb refuses characters that JSON allows.
import type { Sql, TransactionSql } from 'postgres';
import { EngineError } from './engine-error.ts';

/** A database with a higher number belongs to a later Heddle. */
export const POSTGRES_FORMAT = 1;

/** Processes that start together create the tables one after the other; the lock ends with the transaction. */
const LOCK = 7_203_911;

const TABLES = `
  CREATE TABLE heddle.format (version int NOT NULL);
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

/** Creates missing tables, and refuses those of a later Heddle. */
export async function bringUp(sql: Sql): Promise<void> {
  if (await hasTables(sql)) return await mustBeReadable(sql);
  await sql.begin(async (transaction) => {
    await transaction`SELECT pg_advisory_xact_lock(${LOCK})`;
    if (await hasTables(transaction)) return;
    await transaction`CREATE SCHEMA IF NOT EXISTS heddle`;
    await transaction.unsafe(TABLES);
  });
  await mustBeReadable(sql);
}

/** By a query and not by `to_regclass`, which may answer from what the session remembers from before the lock. */
async function hasTables(sql: Sql | TransactionSql): Promise<boolean> {
  const found = await sql`SELECT FROM pg_catalog.pg_tables WHERE schemaname = 'heddle' AND tablename = 'format'`;
  return found.length > 0;
}

async function mustBeReadable(sql: Sql): Promise<void> {
  const [found] = await sql`SELECT version FROM heddle.format`;
  const version = Number(found?.['version']);
  if (version > POSTGRES_FORMAT)
    throw new EngineError('newer', `they have version ${version}, and this Heddle knows ${POSTGRES_FORMAT}`);
}

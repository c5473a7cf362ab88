import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { mounts, need, skipUnless } from '../../../test/needs.given.ts';
import { PATIENCE_MS } from '../../../test/patience.given.ts';
import type { Engine } from '../ports/engine.ts';
import { storeContract } from '../store/store-contract.given.ts';
import { opening, openings, started } from '../store/store.given.ts';
import { engineContract, projectsContract } from './engine-contract.given.ts';
import { diskOver, givenEngineRun, givenStore, laterEngine } from './engine.given.ts';
import { expectTakenOver, expectWhole, startOwner } from './owner.given.ts';
import { postgresAddress } from './postgres-address.ts';
import { openPostgres } from './postgres-engine.ts';
import { postgresNeed, startPostgres, type PostgresServer } from './postgres-server.given.ts';
import { shownAddress } from './shown-address.ts';

const NEED = postgresNeed();
let server: PostgresServer | undefined;
const engines: Engine[] = [];

beforeAll(async () => {
  if (NEED.missing === undefined) server = await startPostgres();
});
afterAll(async () => {
  for (const engine of engines) await engine.close();
  server?.remove();
});

const running = (): PostgresServer => {
  if (server === undefined) throw new Error('The server was not started.');
  return server;
};

/** A database of the test's own, so that its runs have no neighbours. */
async function givenDatabase(): Promise<string> {
  const name = `test_${Math.random().toString(36).slice(2)}`;
  const sql = postgres(running().url, { onnotice: () => undefined });
  await sql.unsafe(`CREATE DATABASE ${name}`);
  await sql.end();
  return running().url.replace(/postgres$/, name);
}

async function givenEngine(url?: string): Promise<Engine> {
  const engine = await openPostgres(url ?? (await givenDatabase()), { answerMs: 10_000 });
  engines.push(engine);
  return engine;
}

async function ownedLog(engine: Engine, run: string, patienceMs = 30_000) {
  const owned = await givenStore(engine, { patienceMs }).own(run, { takesOver: false });
  if (owned.type !== 'owned') throw new Error(JSON.stringify(owned));
  return owned.log;
}

describe('PostgreSQL', () => {
  skipUnless(NEED);

  engineContract(
    'PostgreSQL',
    laterEngine(() => givenEngine()),
  );
  let shared: Promise<string> | undefined;
  projectsContract('PostgreSQL', (project) =>
    laterEngine(async () => await givenEngine(`${await (shared ??= givenDatabase())}?project=${project}`)),
  );
  storeContract('PostgreSQL', () => diskOver(laterEngine(() => givenEngine())));

  test('processes that start together make the tables once', async () => {
    const url = await givenDatabase();
    const opened = await Promise.all([1, 2, 3, 4].map(() => givenEngine(url)));
    expect(await Promise.all(opened.map((engine) => engine.records()))).toEqual([[], [], [], []]);
  });

  test('tables of a later Heddle are refused', async () => {
    const url = await givenDatabase();
    await givenEngine(url);
    const sql = postgres(url);
    await sql`UPDATE heddle.format SET version = 99`;
    await sql.end();
    await expect(givenEngine(url)).rejects.toMatchObject({ why: 'newer' });
  });

  test('tables of the first format get what they lack, and their runs stay those of the default project', async () => {
    const url = await givenDatabase();
    const before = await givenEngine(url);
    const run = await givenEngineRun(before);
    const sql = postgres(url, { onnotice: () => undefined });
    await sql`ALTER TABLE heddle.format DROP COLUMN repository`;
    await sql`UPDATE heddle.format SET version = 1`;
    const [after, named] = [await givenEngine(url), await givenEngine(`${url}?project=heddle`)];
    expect(await after.record(run)).toBeDefined();
    expect([await after.belongsTo('us'), await named.belongsTo('them')]).toEqual(['us', 'us']);
    expect(await sql`SELECT version FROM heddle.format`).toEqual([{ version: 2 }]);
    await sql.end();
  });

  test('a project has a name that can be part of one', async () => {
    await expect(givenEngine('postgres://a/runs?project=A;B')).rejects.toMatchObject({ why: 'refused' });
    expect(postgresAddress('postgres://a,b/runs?ssl=1&project=shop')).toEqual({
      address: 'postgres://a,b/runs?ssl=1',
      schema: 'heddle-shop',
    });
  });

  test('a server that is not there is away, and an address is shown without its password', async () => {
    await expect(givenEngine('postgres://127.0.0.1:1/none')).rejects.toMatchObject({ why: 'away' });
    await expect(givenEngine(running().url.replace(/postgres$/, 'none'))).rejects.toMatchObject({ why: 'refused' });
    const malformed = 'postgres://me:100%@127.0.0.1/runs';
    await expect(givenEngine(malformed)).rejects.toMatchObject({
      why: 'refused',
      cause: expect.not.stringContaining('100'),
    });
    expect(shownAddress('postgres://me:secret@a:1,b:2/runs?ssl=1')).toBe('postgres://a:1,b:2/runs');
    expect(shownAddress('postgres://me@a/runs?ssl=1&project=shop')).toBe('postgres://a/runs?project=shop');
  });

  test('a role that may not make the tables is refused, and no connection is left that would keep the process', async () => {
    const url = await givenDatabase();
    const sql = postgres(url);
    await sql`CREATE ROLE poor LOGIN`;
    await expect(givenEngine(url.replace('heddle@', 'poor@'))).rejects.toMatchObject({ why: 'refused' });
    const left = async (): Promise<unknown> => await sql`SELECT FROM pg_stat_activity WHERE usename = 'poor'`;
    await vi.waitFor(async () => expect(await left()).toHaveLength(0), { timeout: 10_000 });
    await sql.end();
  });

  test('a database whose disk is full says so, and goes on when there is room', async ({ skip }) => {
    need({ skip }, mounts());
    const url = await givenDatabase();
    const engine = await givenEngine(url);
    const run = await givenEngineRun(engine);
    const log = await ownedLog(engine, run, 0);
    const sql = postgres(url, { onnotice: () => undefined });
    const [small, remove] = running().smallDisk();
    onTestFinished(remove);
    await sql.unsafe(`CREATE TABLESPACE small LOCATION '${small}'`);
    await sql.unsafe('ALTER TABLE heddle.events SET TABLESPACE small');
    await sql.unsafe('CREATE TABLE filler (text text) TABLESPACE small');
    const fill = sql`INSERT INTO filler SELECT md5(random()::text) FROM generate_series(1, 100000)`;
    await expect(fill).rejects.toMatchObject({ code: '53100' });
    await vi.waitFor(
      async () => expect(await log.append(openings(200), [])).toMatchObject({ failure: { why: 'full' } }),
      { timeout: PATIENCE_MS },
    );
    await sql`DROP TABLE filler`;
    await sql.end();
    await vi.waitFor(async () => expect(await log.append(openings(200), [])).toEqual({ type: 'appended' }), {
      timeout: PATIENCE_MS,
    });
    expect((await givenStore(engine).eventsFrom(run, 0)).events).toEqual([started, ...openings(200)]);
  });

  test('of several hosts the one that answers is used', async () => {
    const url = (await givenDatabase()).replace('@', '@127.0.0.1:1,');
    expect(await (await givenEngine(url)).records()).toEqual([]);
  });

  test('a database that can only be read says so, and goes on when it can be written', async () => {
    const url = await givenDatabase();
    const engine = await givenEngine(url);
    const run = await givenEngineRun(engine);
    const log = await ownedLog(engine, run, 0);
    const sql = postgres(url);
    const name = new URL(url).pathname.slice(1);
    await sql.unsafe(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ${name} AND pid <> pg_backend_pid()`;
    await vi.waitFor(
      async () => expect(await log.append([opening('a')], [])).toMatchObject({ failure: { why: 'read-only' } }),
      { timeout: PATIENCE_MS },
    );
    await sql.begin('read write', (transaction) =>
      transaction.unsafe(`ALTER DATABASE ${name} RESET default_transaction_read_only`),
    );
    await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ${name} AND pid <> pg_backend_pid()`;
    await sql.end();
    await vi.waitFor(async () => expect(await log.append([opening('a')], [])).toEqual({ type: 'appended' }), {
      timeout: PATIENCE_MS,
    });
    expect((await givenStore(engine).eventsFrom(run, 0)).events).toEqual([started, opening('a')]);
  });

  test('a commit that waits for a lost standby is given up as unanswered', async () => {
    const url = await givenDatabase();
    const engine = await openPostgres(url, { answerMs: 500 });
    engines.push(engine);
    const run = await givenEngineRun(engine);
    const log = await ownedLog(engine, run, 0);
    const sql = postgres(url);
    const standby = async (setting: string): Promise<void> => {
      await sql.unsafe(`ALTER SYSTEM ${setting}`);
      await sql`SELECT pg_reload_conf()`;
    };
    onTestFinished(() => sql.end());
    await standby("SET synchronous_standby_names = 'gone'");
    onTestFinished(() => standby('RESET synchronous_standby_names'));
    const appendOnce = async (): Promise<unknown> => await log.append([opening('a')], []);
    await vi.waitFor(async () => expect(await appendOnce()).toMatchObject({ failure: { why: 'unanswered' } }), {
      timeout: PATIENCE_MS,
    });
  });

  test('a killed owner and one that slept past its lease are replaced; nothing acknowledged is lost or doubled', async () => {
    const url = await givenDatabase();
    const engine = await givenEngine(url);
    const run = await givenEngineRun(engine);
    await expectTakenOver(engine, url, run);
  });

  test('a server that crashes in the middle loses and doubles nothing, and the owner goes on', async () => {
    const url = await givenDatabase();
    const engine = await givenEngine(url);
    const run = await givenEngineRun(engine);
    const owner = startOwner(url, run, 'owner');
    for (let crash = 1; crash <= 3; crash += 1) {
      const before = owner.acknowledged().length;
      await owner.has(() => owner.acknowledged().length > before + 10);
      running().crash();
      running().start();
    }
    const before = owner.acknowledged().length;
    await owner.has(() => owner.acknowledged().length > before + 10);
    await owner.kill();
    await vi.waitFor(() => expectWhole(engine, run, owner.acknowledged()), { timeout: PATIENCE_MS });
  });
});

// Two servers, two hosts, an engine and a bare repository as real processes, and what becomes of runs when some of them die.
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isAlive } from '../../../src/shell/exec/process.ts';
import { postgresNeed } from '../../../src/shell/engines/postgres-server.given.ts';
import { restateNeed } from '../../../src/shell/engines/restate-server.given.ts';
import { skipUnless, type Need } from '../../needs.given.ts';
import { PATIENCE_MS } from '../../patience.given.ts';
import { until } from '../world/project.given.ts';
import { givenTrial, type Trial } from './trial.given.ts';

const WHOLE = { merges: 4, content: 'a\nb\nc' };
const EACH_ONCE = ['a', 'b', 'c', 'd'];

/** A trial for all tests of a `describe`, which is not started where the engine is not. */
function givenFor(need: Need, make: () => Trial): () => Trial {
  let trial: Trial | undefined;
  skipUnless(need);
  beforeAll(() => {
    if (need.missing !== undefined) return;
    trial = make();
    trial.up();
  }, PATIENCE_MS);
  afterAll(() => trial?.end(), PATIENCE_MS);
  return () => {
    if (trial === undefined) throw new Error('The trial was not started.');
    return trial;
  };
}

const expectWhole = async (trial: Trial, server: number, run: string): Promise<void> => {
  await until(() => trial.isEnded(server, run));
  expect(trial.landed(run)).toEqual(WHOLE);
};

describe('a cluster on PostgreSQL', () => {
  const given = givenFor(postgresNeed(), () => givenTrial('postgres'));

  test('a server that sleeps past its lease is replaced, finds itself fenced when it wakes, and moves nothing', async () => {
    const trial = given();
    const run = await trial.begin();
    process.kill(trial.part('serve-1').pid, 'SIGSTOP');
    await until(() => trial.said('serve-2').includes(`${run}: taken up`));
    process.kill(trial.part('serve-1').pid, 'SIGCONT');
    await expectWhole(trial, 2, run);
    await until(() => trial.said('serve-1').includes(`${run}: another process has taken it over`));
    await until(() => trial.isEnded(1, run));
  });

  test('while the database can only be read and after it crashed the run waits, says why, and goes on', async () => {
    const trial = given();
    const run = await trial.begin();
    const url = trial.part('engine').url ?? '';
    const sql = postgres(url, { max: 1, onnotice: () => undefined });
    await sql.unsafe('ALTER DATABASE postgres SET default_transaction_read_only = on');
    await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'heddle'`;
    await until(() => trial.said('serve-1').includes('can only be read'));
    expect(trial.at(1, 'status', run)).toContain('can only be read');
    await sql.begin('read write', (transaction) =>
      transaction.unsafe('ALTER DATABASE postgres RESET default_transaction_read_only'),
    );
    const [backend] = await sql`SELECT pid FROM pg_stat_activity WHERE application_name = 'heddle'`;
    await sql.end();
    // A server process that is killed makes PostgreSQL end all others and recover as after a crash.
    process.kill(Number(backend?.['pid']), 'SIGKILL');
    await expectWhole(trial, 2, run);
    await until(() => trial.said('serve-1').includes('The engine is well again'));
  });

  test('the owner of a run is killed, and the other server goes on with it; down ends the rest, and up works again', async () => {
    const trial = given();
    const run = await trial.begin();
    process.kill(trial.part('serve-1').pid, 'SIGKILL');
    // What the dead server has left is a copy: who went on from it alone would be a second coordinator.
    expect(() => trial.at(1, 'resume', run)).toThrow('another server may have it');
    expect(() => trial.at(1, 'serve')).toThrow('Give heddle serve that engine');
    expect(trial.at(1, 'status', run)).toContain('this is as of the last one');
    expect(() => trial.at(1, 'watch', run, '--plain')).toThrow('may be going on at another server');
    await expectWhole(trial, 2, run);
    expect(trial.begun()).toEqual(EACH_ONCE);
    const before = trial.parts();
    expect(trial.down()).toContain('serve-2');
    expect(before.filter(isAlive)).toEqual([]);
    trial.up();
    await until(() => trial.isEnded(1, run));
  });
});

describe('a cluster on Restate', () => {
  const given = givenFor(restateNeed(), () => givenTrial('restate'));

  test('the owner of a run is killed, and the other server goes on with it', async () => {
    const trial = given();
    const run = await trial.begin();
    process.kill(trial.part('serve-1').pid, 'SIGKILL');
    await expectWhole(trial, 2, run);
  });
});

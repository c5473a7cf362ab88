import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { skipUnless } from '../../../test/needs.given.ts';
import { PATIENCE_MS } from '../../../test/patience.given.ts';
import type { Engine } from '../ports/engine.ts';
import { storeContract } from '../store/store-contract.given.ts';
import { engineContract, projectsContract } from './engine-contract.given.ts';
import { diskOver, givenEngineRun, laterEngine } from './engine.given.ts';
import { openEngine } from './open-engine.ts';
import { expectTakenOver, expectWhole, startOwner } from './owner.given.ts';
import { restateAddress } from './restate-engine.ts';
import { restateNeed, startRestate, type RestateServer } from './restate-server.given.ts';

const NEED = restateNeed();
let server: RestateServer | undefined;
const engines: Engine[] = [];

beforeAll(async () => {
  if (NEED.missing === undefined) server = await startRestate();
}, PATIENCE_MS);
afterAll(async () => {
  for (const engine of engines) await engine.close();
  await server?.remove();
});

const running = (): RestateServer => {
  if (server === undefined) throw new Error('The server was not started.');
  return server;
};

async function givenEngine(url = running().url()): Promise<Engine> {
  const engine = await openEngine(url, { answerMs: 5_000 });
  engines.push(engine);
  return engine;
}

test('the address of Restate names nodes, a project and ports', () => {
  expect(restateAddress('restate://a,b:81/shop?admin=9&here=http://me:7')).toEqual({
    shown: 'restate://a,b:81/shop',
    ingress: ['a:8080', 'b:81'],
    admin: ['a:9', 'b:9'],
    project: 'shop',
    here: new URL('http://me:7'),
  });
  expect(restateAddress('restate://a,b?admin=1,2')).toMatchObject({ admin: ['a:1', 'b:2'] });
  expect(restateAddress('restate://a')).toMatchObject({ admin: ['a:9070'], project: 'heddle', here: undefined });
  expect(() => restateAddress('restate:a')).toThrow('refused');
});

test('a scheme that no engine has is refused', async () => {
  await expect(openEngine('mysql://a', { answerMs: 1 })).rejects.toMatchObject({ why: 'refused' });
});

describe('Restate', () => {
  skipUnless(NEED);

  engineContract(
    'Restate',
    laterEngine(() => givenEngine()),
  );
  projectsContract('Restate', (project) =>
    laterEngine(() =>
      givenEngine(
        running()
          .url()
          .replace(/\/[^/?]*(?=\?|$)/, `/${project}`),
      ),
    ),
  );
  storeContract('Restate', () => diskOver(laterEngine(() => givenEngine())));

  test('a server that is not there is away', async () => {
    await expect(givenEngine('restate://127.0.0.1:1/none?admin=1')).rejects.toMatchObject({ why: 'away' });
  });

  test('a killed owner and one that slept past its lease are replaced; nothing acknowledged is lost or doubled', async () => {
    const url = running().url();
    const engine = await givenEngine(url);
    await expectTakenOver(engine, url, await givenEngineRun(engine));
  });

  test('the process that has the code of the objects is killed, and another takes its place', async () => {
    for (const engine of engines.splice(0)) await engine.close();
    const url = running().url();
    const engine = await givenEngine(url);
    const run = await givenEngineRun(engine);
    const [first, second] = [startOwner(url, run, 'first'), startOwner(url, run, 'second')];
    await first.has(() => first.lines.length + second.lines.length > 10);
    // Only the owners are left to offer the code.
    await engine.close();
    const [owning, standby] = first.lines.length > 0 ? [first, second] : [second, first];
    const before = owning.acknowledged().length;
    await owning.has(() => owning.acknowledged().length > before + 10);
    await owning.kill();
    await standby.has(() => standby.acknowledged().length > 10);
    await standby.kill();
    const after = await givenEngine(url);
    await vi.waitFor(() => expectWhole(after, run, [...owning.acknowledged(), ...standby.acknowledged()]), {
      timeout: PATIENCE_MS,
    });
  });

  test('a server that is killed in the middle loses and doubles nothing, and the owner goes on', async () => {
    const url = running().url();
    const engine = await givenEngine(url);
    const run = await givenEngineRun(engine);
    const owner = startOwner(url, run, 'owner');
    await owner.has(() => owner.acknowledged().length > 10);
    await running().kill();
    await running().start();
    const before = owner.acknowledged().length;
    await owner.has(() => owner.acknowledged().length > before + 10);
    await owner.kill();
    await vi.waitFor(() => expectWhole(engine, run, owner.acknowledged()), { timeout: PATIENCE_MS });
  });

  test('of three nodes each is killed in turn; the owner goes on, and nothing is lost or doubled', async () => {
    const cluster = await startRestate(3);
    onTestFinished(() => cluster.remove());
    const url = cluster.url();
    // Nodes that are healthy may still be looking for each other.
    const engine = await vi.waitFor(() => givenEngine(url), { timeout: PATIENCE_MS });
    const run = await givenEngineRun(engine);
    const owner = startOwner(url, run, 'owner');
    for (const node of [2, 1, 0]) {
      const before = owner.acknowledged().length;
      await owner.has(() => owner.acknowledged().length > before + 5);
      await cluster.kill(node);
      const after = owner.acknowledged().length;
      await owner.has(() => owner.acknowledged().length > after + 5);
      await cluster.start(node);
    }
    await owner.kill();
    await vi.waitFor(() => expectWhole(engine, run, owner.acknowledged()), { timeout: PATIENCE_MS });
  });
});

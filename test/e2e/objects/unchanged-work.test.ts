// The commits of steps that changed nothing: they came from the server, and nothing has to travel.
import { describe, expect, onTestFinished, test } from 'vitest';
import { checkpointNaming } from '../../../src/app/hosts/checkpoint-naming.ts';
import type { FarSide } from '../../../src/shell/git/remote/host-transfers.ts';
import { REFS } from '../../../src/shell/git/store/ref-names.ts';
import { openServerClient } from '../../../src/shell/link/server-client.ts';
import {
  assignmentFor,
  CLAIM,
  commitIn,
  farSideOf,
  givenGateway,
  givenHome,
  givenHost,
  RUN,
  workOn,
  type Gateway,
  type GatewayOptions,
  type Home,
  type Host,
} from './far-side.given.ts';

const REF = REFS.checkpoint(RUN, CLAIM);

interface Joined {
  readonly server: Home;
  readonly gateway: Gateway;
  readonly host: Host;
  readonly name: NonNullable<FarSide['name']>;
}

async function givenJoined(options: GatewayOptions = {}, token = 'token-one'): Promise<Joined> {
  const server = await givenHome();
  const gateway = await givenGateway(server, options);
  const client = openServerClient({ url: gateway.url, token, userAgent: 'test' });
  onTestFinished(client.close);
  const name = checkpointNaming(client);
  const host = await givenHost({ ...farSideOf(gateway, token), name });
  return { server, gateway, host, name };
}

const PUSH = /receive-pack/;

test('a step that changed nothing has the checkpoint that it started from, and nothing is pushed', async () => {
  const { server, gateway, host } = await givenJoined();
  await host.transfers.bring(RUN, assignmentFor(server.base));
  expect(await host.transfers.deliver(RUN, CLAIM, server.base)).toBeUndefined();
  expect(await server.repository.read(REF)).toBe(server.base);
  expect(gateway.seen.filter((request) => PUSH.test(request))).toEqual([]);
});

test('so has one that started from the work of an earlier step', async () => {
  const { server, gateway, host } = await givenJoined();
  const earlier = await commitIn(server, server.base, { 'earlier.txt': 'done\n' });
  const swap = { ref: REFS.checkpoint(RUN, { ...CLAIM, step: 'plan' }), from: undefined, to: earlier };
  await server.repository.swap(swap);
  await host.transfers.bring(RUN, assignmentFor(server.base, { from: earlier }));
  expect(await host.transfers.deliver(RUN, CLAIM, earlier)).toBeUndefined();
  expect(await server.repository.read(REF)).toBe(earlier);
  expect(gateway.seen.filter((request) => PUSH.test(request))).toEqual([]);
});

test('what was made on the host is pushed, and so is what a server does not take by its name', async () => {
  const { server, gateway, host } = await givenJoined({
    before: (request, response) => {
      if (request.url?.includes('/at/') === true) response.destroy();
    },
  });
  await host.transfers.bring(RUN, assignmentFor(server.base));
  const work = await workOn(host, server.base);
  expect(await host.transfers.deliver(RUN, CLAIM, work)).toBeUndefined();
  expect(await server.repository.read(REF)).toBe(work);
  const next = { ...CLAIM, attempt: 2 };
  gateway.held.add('api/code/2');
  expect(await host.transfers.deliver(RUN, next, server.base)).toBeUndefined();
  expect(await server.repository.read(REFS.checkpoint(RUN, next))).toBe(server.base);
});

describe('no checkpoint is named', () => {
  test('for a commit that no ref of the run has', async () => {
    const { server, name } = await givenJoined();
    const loose = await commitIn(server, server.base, { 'loose.txt': 'x\n' });
    expect(await name(RUN, CLAIM, loose)).toBe(false);
    expect(await name(RUN, CLAIM, 'f'.repeat(40))).toBe(false);
    expect(await server.repository.read(REF)).toBeUndefined();
  });

  test('over other work', async () => {
    const { server, name } = await givenJoined();
    const work = await commitIn(server, server.base, { 'work.txt': 'x\n' });
    await server.repository.swap({ ref: REF, from: undefined, to: work });
    expect(await name(RUN, CLAIM, server.base)).toBe(false);
    expect(await server.repository.read(REF)).toBe(work);
  });

  test.each([
    ['of another run', 'night-2', CLAIM],
    ['of a claim that the log does not place on the host', RUN, { ...CLAIM, attempt: 2 }],
  ])('%s', async (_, run, claim) => {
    const { server, name } = await givenJoined();
    expect(await name(run, claim, server.base)).toBe(false);
    expect(await server.repository.list(REFS.checkpoints(run, claim.task))).toEqual([]);
  });

  test.each(['token-two', 'token-ops', 'token-eye'])('by the caller with %s', async (token) => {
    const { server, name } = await givenJoined({}, token);
    expect(await name(RUN, CLAIM, server.base)).toBe(false);
    expect(await server.repository.read(REF)).toBeUndefined();
  });

  test('by reading its address', async () => {
    const { server, gateway } = await givenJoined();
    const { task, step, attempt } = CLAIM;
    const address = new URL(`/git/${RUN}/${task}/${step}/${attempt}/at/${server.base}`, gateway.url);
    const { status } = await fetch(address, { headers: { authorization: 'Bearer token-one' } });
    expect([status, await server.repository.read(REF)]).toEqual([405, undefined]);
  });
});

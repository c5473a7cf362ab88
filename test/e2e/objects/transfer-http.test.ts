import { expect, test } from 'vitest';
import { isPassing, transferFailureText } from '../../../src/core/protocol/transfer-failure.ts';
import { REFS } from '../../../src/shell/git/store/ref-names.ts';
import { gitIn } from '../git-project.given.ts';
import {
  assignmentFor,
  CLAIM,
  commitIn,
  farSideOf,
  givenGateway,
  givenHome,
  givenHost,
  heldKey,
  RUN,
  workOn,
} from './far-side.given.ts';

test('a host gets what a claim starts from, and the server what it made of it', async () => {
  const server = await givenHome();
  const gateway = await givenGateway(server);
  const host = await givenHost(farSideOf(gateway));
  const from = await commitIn(server, server.base, { 'from.txt': 'from\n' });
  const need = await commitIn(server, server.base, { 'need.txt': 'need\n' });
  expect(await host.transfers.bring(RUN, assignmentFor(server.base, { from, needs: [need] }))).toBeUndefined();
  for (const each of [server.base, from, need])
    expect(await host.repository.treeOf(each)).toBe(await server.repository.treeOf(each));

  const commit = await workOn(host, from);
  expect(await host.transfers.deliver(RUN, CLAIM, commit)).toBeUndefined();
  expect(await server.repository.read(REFS.checkpoint(RUN, CLAIM))).toBe(commit);
  expect(gitIn(server.repository.gitDir, 'fsck', '--connectivity-only', '--no-dangling')).toBe('');
});

test('a claim that another host has is not for this one to write, which no other try changes', async () => {
  const server = await givenHome();
  const gateway = await givenGateway(server);
  const host = await givenHost(farSideOf(gateway));
  await host.transfers.bring(RUN, assignmentFor(server.base));
  gateway.held.delete(heldKey(CLAIM));
  const commit = await workOn(host, server.base);
  const failure = await host.transfers.deliver(RUN, CLAIM, commit);
  expect(failure).toEqual({ code: 'not-yours', ref: REFS.checkpoint(RUN, CLAIM) });
  expect(failure === undefined || isPassing(failure)).toBe(false);
  expect(await server.repository.read(REFS.checkpoint(RUN, CLAIM))).toBeUndefined();
});

test('a server that is away may be there later', async () => {
  const server = await givenHome();
  const gateway = await givenGateway(server);
  const host = await givenHost(farSideOf(gateway));
  await gateway.close();
  const failure = await host.transfers.bring(RUN, assignmentFor(server.base));
  expect(failure).toMatchObject({ code: 'link-away' });
  expect(failure !== undefined && isPassing(failure)).toBe(true);
  expect(failure === undefined ? '' : transferFailureText(failure)).toContain('cannot be reached for commits');
});

import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { processesAtWorkOn } from '../../../src/shell/git/run/git-processes.ts';
import { REFS } from '../../../src/shell/git/store/ref-names.ts';
import { PATIENCE_MS } from '../../patience.given.ts';
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
  type Gateway,
  type Home,
  type Host,
} from './far-side.given.ts';

const CHECKPOINT = REFS.checkpoint(RUN, CLAIM);

type Break = (request: IncomingMessage, response: ServerResponse) => void;

interface Given {
  readonly server: Home;
  readonly gateway: Gateway;
  readonly host: Host;
  /** What happens to the next request that carries objects. */
  readonly breakNext: (what: Break) => void;
}

async function given(): Promise<Given> {
  const server = await givenHome({ 'large.bin': randomBytes(3_000_000).toString('base64') });
  let next: Break | undefined;
  const gateway = await givenGateway(server, {
    before: (request, response) => {
      // Before a large push, git sends an empty one, to see whether it may.
      const isProbe = request.headers['content-length'] === '4';
      if (request.method !== 'POST' || isProbe || next === undefined) return;
      next(request, response);
      next = undefined;
    },
  });
  const host = await givenHost(farSideOf(gateway));
  return {
    server,
    gateway,
    host,
    breakNext: (what) => {
      next = what;
    },
  };
}

/** After these bytes of the answer, something is done once. */
const afterAnswering =
  (bytes: number, what: (response: ServerResponse) => void): Break =>
  (_, response) => {
    let written = 0;
    const write = response.write.bind(response);
    Object.assign(response, {
      write: (part: Buffer) => {
        written += part.length;
        if (written > bytes) what(response);
        return write(part);
      },
    });
  };

const broughtBy = ({ repository }: Host): string => gitIn(repository.user.gitDir, 'for-each-ref', 'refs/heddle');

test('a fetch that breaks off leaves nothing that counts, and the next one brings all', async () => {
  const { server, host, breakNext } = await given();
  breakNext(afterAnswering(200_000, (response) => response.destroy()));
  expect(await host.transfers.bring(RUN, assignmentFor(server.base))).toMatchObject({ code: 'link-away' });
  expect(broughtBy(host)).toBe('');
  expect(await host.transfers.bring(RUN, assignmentFor(server.base))).toBeUndefined();
  expect(gitIn(host.repository.user.gitDir, 'fsck', '--no-dangling')).toBe('');
});

test('a fetch that is killed leaves nothing that counts, and the next one brings all', async () => {
  const { server, host, breakNext } = await given();
  const { gitDir } = host.repository.user;
  breakNext(
    afterAnswering(200_000, () => {
      for (const { pid } of processesAtWorkOn(gitDir)) process.kill(pid, 'SIGKILL');
    }),
  );
  expect(await host.transfers.bring(RUN, assignmentFor(server.base))).toMatchObject({ code: 'link-away' });
  expect(broughtBy(host)).toBe('');
  expect(await host.transfers.bring(RUN, assignmentFor(server.base))).toBeUndefined();
  expect(gitIn(gitDir, 'fsck', '--no-dangling')).toBe('');
});

test('a push that breaks off moves nothing and leaves nothing, and the next one arrives', async () => {
  const { server, host, breakNext } = await given();
  await host.transfers.bring(RUN, assignmentFor(server.base));
  const commit = await workOn(host, server.base, { 'more.bin': randomBytes(3_000_000).toString('base64') });
  breakNext((request) => request.once('data', () => request.destroy()));
  expect(await host.transfers.deliver(RUN, CLAIM, commit)).toMatchObject({ code: 'link-away' });
  expect(await server.repository.read(CHECKPOINT)).toBeUndefined();
  const incoming = join(server.home, 'incoming');
  await vi.waitFor(() => expect(readdirSync(incoming)).toEqual([]), { timeout: PATIENCE_MS });
  expect(await host.transfers.deliver(RUN, CLAIM, commit)).toBeUndefined();
  expect(await server.repository.read(CHECKPOINT)).toBe(commit);
});

test('a push whose answer is lost has arrived, and may be repeated', async () => {
  const { server, host, breakNext } = await given();
  await host.transfers.bring(RUN, assignmentFor(server.base));
  const commit = await workOn(host, server.base);
  breakNext(afterAnswering(0, (response) => response.destroy()));
  // git may itself repeat what broke off before the first byte of an answer.
  const first = await host.transfers.deliver(RUN, CLAIM, commit);
  expect(first?.code ?? 'link-away').toBe('link-away');
  expect(await server.repository.read(CHECKPOINT)).toBe(commit);
  expect(await host.transfers.deliver(RUN, CLAIM, commit)).toBeUndefined();
});

test('pushes of eight hosts and merges go on beside each other', async () => {
  const { server, gateway } = await given();
  const claims = Array.from({ length: 8 }, (_, index) => ({ ...CLAIM, task: `task-${index}` }));
  for (const claim of claims) gateway.held.add(heldKey(claim));
  const delivered = claims.map(async (claim) => {
    const host = await givenHost(farSideOf(gateway));
    await host.transfers.bring(RUN, assignmentFor(server.base));
    const commit = await commitIn(host, server.base, { [`${claim.task}.txt`]: 'done\n' });
    expect(await host.transfers.deliver(RUN, claim, commit)).toBeUndefined();
    expect(await server.repository.read(REFS.checkpoint(RUN, claim))).toBe(commit);
  });
  const merged = async (): Promise<void> => {
    let from: string | undefined;
    for (let count = 0; count < 20; count += 1) {
      const to = await commitIn(server, from ?? server.base, { 'merged.txt': `${count}\n` });
      expect(await server.repository.swap({ ref: REFS.runBranch(RUN), from, to })).toEqual({ type: 'swapped' });
      from = to;
    }
  };
  await Promise.all([...delivered, merged()]);
  expect(gitIn(server.repository.gitDir, 'fsck', '--no-dangling')).toBe('');
});

// The contract of transfers between a server and its hosts, over real git: by HTTP, or by a remote that the user names.
import { describe, expect, test } from 'vitest';
import { isPassing, transferFailureText, type TransferFailure } from '../../../src/core/protocol/transfer-failure.ts';
import { REFS } from '../../../src/shell/git/store/ref-names.ts';
import { gitIn } from '../git-project.given.ts';
import { assignmentFor, CLAIM, commitIn, RUN, workOn, type Home, type Host } from './far-side.given.ts';

export interface GivenSides {
  readonly server: Home;
  readonly host: (name?: string) => Promise<Host>;
  /** Makes a commit of the server available to hosts. */
  readonly offer: (commit: string) => Promise<void>;
  /** What the server does when an outcome names a commit. */
  readonly accept: (commit: string) => Promise<TransferFailure | undefined>;
  /** The link is away, and comes back. */
  readonly cut: () => Promise<void>;
  readonly mend: () => Promise<void>;
}

const CHECKPOINT = REFS.checkpoint(RUN, CLAIM);

const refsIn = (gitDir: string): readonly string[] =>
  gitIn(gitDir, 'for-each-ref', '--format=%(refname)', 'refs/heddle')
    .split('\n')
    .filter((ref) => ref !== '');

type Given = () => Promise<GivenSides>;

export function objectTransferContract(name: string, given: Given): void {
  describe(`transfers by ${name}`, () => {
    testBringing(given);
    testDelivering(given);
    testRefusals(given);
  });
}

function testBringing(given: Given): void {
  test('a host gets all that a claim starts from, whole and kept from garbage collection', async () => {
    const { server, host, offer } = await given();
    const [from, need, onto] = [
      await commitIn(server, server.base, { 'from.txt': 'from\n' }),
      await commitIn(server, server.base, { 'need.txt': 'need\n' }),
      await commitIn(server, server.base, { 'onto.txt': 'onto\n' }),
    ];
    for (const each of [from, need, onto]) await offer(each);
    const { transfers, repository } = await host();
    expect(await transfers.bring(RUN, assignmentFor(server.base, { from, needs: [need], onto }))).toBeUndefined();
    gitIn(repository.user.gitDir, 'gc', '--quiet', '--prune=now');
    for (const each of [server.base, from, need, onto])
      expect(await repository.treeOf(each)).toBe(await server.repository.treeOf(each));
    expect(gitIn(repository.user.gitDir, 'fsck', '--no-dangling')).toBe('');
  });

  test('what a host has does not travel again, and the link may be away then', async () => {
    const { server, host, cut } = await given();
    const { transfers } = await host();
    expect(await transfers.bring(RUN, assignmentFor(server.base))).toBeUndefined();
    await cut();
    expect(await transfers.bring(RUN, assignmentFor(server.base))).toBeUndefined();
  });

  test('32 claims that start at once are brought their commits', async () => {
    const { server, host, offer } = await given();
    const needs = await Promise.all(
      [1, 2, 3].map(async (each) => commitIn(server, server.base, { [`${each}.txt`]: 'need\n' })),
    );
    for (const each of needs) await offer(each);
    const { transfers, repository } = await host();
    const all = Array.from({ length: 32 }, async (_, index) =>
      transfers.bring(RUN, assignmentFor(server.base, { needs: needs.slice(0, index % 4) })),
    );
    expect(new Set(await Promise.all(all))).toEqual(new Set([undefined]));
    for (const each of needs) expect(await repository.commitOf(each)).toBe(each);
  });
}

function testDelivering(given: Given): void {
  test('work of one host is on the server once it is delivered, and another host starts from it', async () => {
    const { server, host, accept } = await given();
    const one = await host('one');
    await one.transfers.bring(RUN, assignmentFor(server.base));
    const commit = await workOn(one, server.base);
    expect(await one.transfers.deliver(RUN, CLAIM, commit)).toBeUndefined();
    expect(await one.transfers.deliver(RUN, CLAIM, commit)).toBeUndefined();
    expect(await accept(commit)).toBeUndefined();
    expect(await server.repository.read(CHECKPOINT)).toBe(commit);
    expect(gitIn(server.repository.gitDir, 'fsck', '--no-dangling')).toBe('');
    const two = await host('two');
    expect(await two.transfers.bring(RUN, assignmentFor(server.base, { from: commit }))).toBeUndefined();
    expect(gitIn(two.repository.gitDir, 'show', `${commit}:work.txt`)).toBe('done');
  });

  test('a fault of the link passes, and the same transfers succeed afterwards', async () => {
    const { server, host, accept, cut, mend } = await given();
    const { transfers, ...rest } = await host();
    await cut();
    const away = await transfers.bring(RUN, assignmentFor(server.base));
    expect(away).toMatchObject({ code: 'link-away' });
    expect(away !== undefined && isPassing(away) && transferFailureText(away)).toContain('cannot be reached');
    await mend();
    expect(await transfers.bring(RUN, assignmentFor(server.base))).toBeUndefined();
    const commit = await workOn({ transfers, ...rest }, server.base);
    await cut();
    expect(await transfers.deliver(RUN, CLAIM, commit)).toMatchObject({ code: 'link-away' });
    await mend();
    expect(await transfers.deliver(RUN, CLAIM, commit)).toBeUndefined();
    expect(await accept(commit)).toBeUndefined();
  });

  test('a run that is over leaves no ref on a host but of work that was never delivered', async () => {
    const { server, host, accept } = await given();
    const one = await host();
    const { transfers, repository } = one;
    await transfers.bring(RUN, assignmentFor(server.base));
    const commit = await workOn(one, server.base);
    await transfers.deliver(RUN, CLAIM, commit);
    expect(await accept(commit)).toBeUndefined();
    const late = await commitIn(one, commit, { 'late.txt': 'late\n' });
    const [lateRef, other] = [`${REFS.checkpoints(RUN, 'late')}/code/1`, REFS.base('other-1')];
    await repository.swap({ ref: lateRef, from: undefined, to: late });
    await repository.swap({ ref: other, from: undefined, to: server.base });
    await transfers.forget(RUN);
    expect(refsIn(repository.gitDir)).toEqual([lateRef, other]);
    expect(refsIn(repository.user.gitDir)).toEqual([]);
  });
}

function testRefusals(given: Given): void {
  test.each([
    ['a link that leaves the tree', { link: { link: '../../outside' } }, 'link-leaves'],
    ['a link into the git directory', { link: { link: '.git/config' } }, 'link-leaves'],
  ] as const)('%s is refused for good, and no checkpoint names it', async (_, files, code) => {
    const { server, host, accept } = await given();
    const one = await host();
    await one.transfers.bring(RUN, assignmentFor(server.base));
    const commit = await workOn(one, server.base, files);
    const failure = (await one.transfers.deliver(RUN, CLAIM, commit)) ?? (await accept(commit));
    expect(failure).toMatchObject({ code: 'unsafe-content', failure: { code, path: 'link' } });
    expect(failure !== undefined && isPassing(failure)).toBe(false);
    expect(await server.repository.read(CHECKPOINT)).toBeUndefined();
  });

  test('a repository inside the tree is refused for good', async () => {
    const { server, host, accept } = await given();
    const one = await host();
    await one.transfers.bring(RUN, assignmentFor(server.base));
    const { gitDir } = one.repository;
    gitIn(gitDir, 'update-index', '--add', '--cacheinfo', `160000,${server.base},inner`);
    const tree = gitIn(gitDir, 'write-tree');
    const commit = await one.repository.commitTree({ tree, parents: [server.base], message: 'x', at: 0 });
    const failure = (await one.transfers.deliver(RUN, CLAIM, commit)) ?? (await accept(commit));
    expect(failure).toMatchObject({ code: 'unsafe-content', failure: { code: 'nested-repository', path: 'inner' } });
    expect(await server.repository.read(CHECKPOINT)).toBeUndefined();
  });
}

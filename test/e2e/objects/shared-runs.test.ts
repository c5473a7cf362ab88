// Two coordinators, each with a repository of its own, and the bare remote between them.
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { transferFailureText } from '../../../src/core/protocol/transfer-failure.ts';
import { openGitRemote } from '../../../src/shell/git/remote/git-remote.ts';
import { openSharedRuns, type SharedRuns } from '../../../src/shell/git/remote/shared-runs.ts';
import { REFS } from '../../../src/shell/git/store/ref-names.ts';
import { gitIn, projectIn, temporaryFolder } from '../git-project.given.ts';
import { CLAIM, commitIn, givenHome, opened, RUN, type Home } from './far-side.given.ts';

interface Coordinator extends Pick<Home, 'home' | 'repository'> {
  readonly runs: SharedRuns;
}

let address: string;
let one: Coordinator & Home;
let two: Coordinator;

const BRANCH = REFS.runBranch(RUN);

const remoteAt = (ref: string): string => gitIn(address, 'for-each-ref', '--format=%(objectname)', ref);

const sharing = (home: Pick<Home, 'home' | 'repository'>): SharedRuns =>
  openSharedRuns({
    repository: home.repository,
    remote: openGitRemote({ gitDir: home.repository.gitDir, address }),
  });

beforeEach(async () => {
  address = join(temporaryFolder(), 'remote.git');
  gitIn('.', 'init', '--quiet', '--bare', address);
  const first = await givenHome();
  one = { ...first, runs: sharing(first) };
  await one.runs.share(RUN);
  const folder = join(temporaryFolder(), 'clone');
  gitIn('.', 'clone', '--quiet', first.project.folder, folder);
  const home = join(folder, '.heddle');
  const second = { home, repository: await opened(home, projectIn(folder).folder) };
  two = { ...second, runs: sharing(second) };
});

describe('the run branch on a shared remote', () => {
  test('moves from the value that is expected, and a repeated move counts as done', async () => {
    const first = await commitIn(one, one.base, { one: '1' });
    const second = await commitIn(one, first, { two: '2' });
    for (const move of [
      { run: RUN, from: undefined, to: first },
      { run: RUN, from: first, to: second },
      { run: RUN, from: first, to: second },
    ])
      expect(await one.runs.moveBranch(move)).toEqual({ type: 'moved' });
    expect(remoteAt(BRANCH)).toBe(second);
  });

  test('is not moved by a coordinator that wakes after another has taken over', async () => {
    const first = await commitIn(one, one.base, { one: '1' });
    await one.runs.moveBranch({ run: RUN, from: undefined, to: first });
    expect(await two.runs.bringRun(RUN)).toMatchObject({ type: 'brought', refused: [] });
    expect(await two.repository.read(BRANCH)).toBe(first);
    const second = await commitIn(two, first, { two: '2' });
    expect(await two.runs.moveBranch({ run: RUN, from: first, to: second })).toEqual({ type: 'moved' });
    const stale = await commitIn(one, first, { stale: 's' });
    const answer = await one.runs.moveBranch({ run: RUN, from: first, to: stale });
    expect(answer).toEqual({ type: 'elsewhere', ref: BRANCH, at: second });
    const anew = await one.runs.moveBranch({ run: RUN, from: undefined, to: stale });
    expect(anew).toEqual({ type: 'elsewhere', ref: BRANCH, at: second });
    expect(remoteAt(BRANCH)).toBe(second);
  });

  test('of two moves at once one is made, and the other hears where the branch is', async () => {
    await two.runs.bringRun(RUN);
    const moves = [one, two].map(async ({ repository, home, runs }, index) => {
      const to = await commitIn({ repository, home }, one.base, { [`by-${index}`]: 'x' });
      return runs.moveBranch({ run: RUN, from: undefined, to });
    });
    const types = (await Promise.all(moves)).map(({ type }) => type).toSorted();
    expect(types).toEqual(['elsewhere', 'moved']);
  });

  test('goes forward only, whatever the log says', async () => {
    const first = await commitIn(one, one.base, { one: '1' });
    await one.runs.moveBranch({ run: RUN, from: undefined, to: first });
    const aside = await commitIn(one, one.base, { aside: 'a' });
    expect(await one.runs.moveBranch({ run: RUN, from: first, to: aside })).toMatchObject({
      type: 'failed',
      failure: { code: 'git-here', failure: { code: 'only-ref' } },
    });
    expect(remoteAt(BRANCH)).toBe(first);
  });

  test('stays where a remote refuses the push, and its words come back in one sentence', async () => {
    const hook = join(address, 'hooks', 'pre-receive');
    writeFileSync(hook, '#!/bin/sh\necho "protected by the platform team" >&2\nexit 1\n');
    chmodSync(hook, 0o755);
    const first = await commitIn(one, one.base, { one: '1' });
    const answer = await one.runs.moveBranch({ run: RUN, from: undefined, to: first });
    expect(answer).toMatchObject({ type: 'failed', failure: { code: 'remote-refused', remote: address } });
    const text = answer.type === 'failed' ? transferFailureText(answer.failure) : '';
    expect(text).toContain('protected by the platform team');
    expect(text.split('\n')).toHaveLength(1);
  });

  test('waits for a remote that is away', async () => {
    const first = await commitIn(one, one.base, { one: '1' });
    const away = openSharedRuns({
      repository: one.repository,
      remote: openGitRemote({ gitDir: one.repository.gitDir, address: `${address}.away` }),
    });
    for (const answer of [await away.moveBranch({ run: RUN, from: undefined, to: first }), await away.bringRun(RUN)])
      expect(answer).toMatchObject({ type: 'failed', failure: { code: 'link-away' } });
  });
});

describe('a coordinator that takes a run over', () => {
  const pushCheckpoint = (commit: string): string =>
    gitIn(one.repository.gitDir, 'push', '--quiet', address, `${commit}:${REFS.checkpoint(RUN, CLAIM)}`);

  test('has its base, its branch and its checkpoints, and may bring them again', async () => {
    const branch = await commitIn(one, one.base, { one: '1' });
    const checkpoint = await commitIn(one, one.base, { work: 'w' });
    await one.runs.moveBranch({ run: RUN, from: undefined, to: branch });
    pushCheckpoint(checkpoint);
    for (let count = 0; count < 2; count += 1)
      expect(await two.runs.bringRun(RUN)).toMatchObject({ type: 'brought', refused: [] });
    const refs = await two.repository.list(`refs/heddle/${RUN}`);
    expect(refs).toEqual([
      { ref: REFS.base(RUN), commit: one.base },
      { ref: REFS.checkpoint(RUN, CLAIM), commit: checkpoint },
    ]);
    expect(await two.repository.read(BRANCH)).toBe(branch);
    expect(gitIn(two.repository.gitDir, 'fsck', '--no-dangling')).toBe('');
  });

  test('takes no checkpoint whose content was refused, and all the others', async () => {
    const branch = await commitIn(one, one.base, { one: '1' });
    await one.runs.moveBranch({ run: RUN, from: undefined, to: branch });
    pushCheckpoint(await commitIn(one, one.base, { link: { link: '/etc/passwd' } }));
    expect(await two.runs.bringRun(RUN)).toMatchObject({
      type: 'brought',
      refused: [{ ref: REFS.checkpoint(RUN, CLAIM), failure: { code: 'unsafe-content' } }],
    });
    expect(await two.repository.read(BRANCH)).toBe(branch);
    expect(await two.repository.read(REFS.checkpoint(RUN, CLAIM))).toBeUndefined();
  });

  test('keeps what it merged itself and nobody saw, under a name of its own', async () => {
    const first = await commitIn(one, one.base, { one: '1' });
    await one.runs.moveBranch({ run: RUN, from: undefined, to: first });
    await two.runs.bringRun(RUN);
    const unseen = await commitIn(two, first, { unseen: 'u' });
    await two.repository.swap({ ref: BRANCH, from: first, to: unseen });
    const second = await commitIn(one, first, { second: '2' });
    await one.runs.moveBranch({ run: RUN, from: first, to: second });
    expect(await two.runs.bringRun(RUN)).toMatchObject({ type: 'brought', refused: [] });
    expect(await two.repository.read(BRANCH)).toBe(second);
    expect((await two.repository.list(REFS.salvages(RUN))).map(({ commit }) => commit)).toEqual([unseen]);
  });
});

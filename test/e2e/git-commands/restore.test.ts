// Any commit of ours can be had again as a branch or as files, over nothing that is there.
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { mounts, need } from '../../needs.given.ts';
import { AT, gitIn, homeOf, makeProject, temporaryFolder, type Project } from '../git-project.given.ts';

/** Work that only the integration repository has, behind a salvage ref. */
async function salvaged(project: Project) {
  const repository = await project.open();
  const base = project.git('rev-parse', 'HEAD');
  const tree = await repository.treeOf(
    project.branch(base, { 'a b': 'one\n', script: { script: 'run\n' }, link: { link: 'a b' }, 'in/folder': 'deep\n' }),
  );
  const commit = await repository.commitTree({ tree, parents: [base], message: 'Salvage it\n\nmore', at: AT });
  await repository.swap({ ref: 'refs/heddle/run-1/salvage/task/files', from: undefined, to: commit });
  return { repository, base, commit };
}

describe('what a ref of ours holds', () => {
  test('is listed with its date and the first line of its message', async () => {
    const project = makeProject();
    const { repository, commit } = await salvaged(project);
    expect(await repository.listDated('refs/heddle/run-1')).toEqual([
      { ref: 'refs/heddle/run-1/salvage/task/files', commit, at: AT, subject: 'Salvage it' },
    ]);
    expect(await repository.listDated('refs/heddle/none')).toEqual([]);
  });

  test('becomes a branch, and never moves one', async () => {
    const project = makeProject();
    const { repository, base, commit } = await salvaged(project);
    for (const times of [1, 2])
      expect(await repository.restore({ commit, branch: 'saved' }), `${times}`).toEqual({ type: 'restored' });
    expect(project.git('rev-parse', 'saved')).toBe(commit);
    expect(await repository.restore({ commit, branch: 'main' })).toMatchObject({ type: 'refused' });
    expect(await repository.restore({ commit, branch: 'a..b' })).toMatchObject({ type: 'refused' });
    expect(await repository.restore({ commit, branch: 'saved/below' })).toMatchObject({ type: 'failed' });
    expect(project.git('rev-parse', 'main')).toBe(base);
    project.git('fsck', '--strict');
  });

  test('becomes files in a folder that was empty or not there', async () => {
    const project = makeProject();
    const { repository, commit } = await salvaged(project);
    const folder = join(temporaryFolder(), 'deep', 'back');
    expect(await repository.restore({ commit, folder })).toEqual({ type: 'restored' });
    expect(readFileSync(join(folder, 'a b'), 'utf8')).toBe('one\n');
    expect(readlinkSync(join(folder, 'link'))).toBe('a b');
    expect(statSync(join(folder, 'script')).mode & 0o111).not.toBe(0);
    expect(existsSync(join(folder, '.git'))).toBe(false);
    expect(await repository.restore({ commit, folder })).toMatchObject({ type: 'refused' });
    const empty = join(temporaryFolder(), 'empty');
    mkdirSync(empty);
    expect(await repository.restore({ commit, folder: empty })).toEqual({ type: 'restored' });
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, 'mine');
    expect(await repository.restore({ commit, folder: file })).toMatchObject({ type: 'refused' });
    expect(await repository.restore({ commit: '0'.repeat(40), folder: `${file}-2` })).toMatchObject({ type: 'failed' });
    expect(existsSync(`${file}-2`)).toBe(false);
  });

  test('becomes files elsewhere when the disk of the repository is read-only', async (context) => {
    need(context, mounts());
    const project = makeProject();
    const { repository, commit } = await salvaged(project);
    const elsewhere = temporaryFolder();
    const home = homeOf(project.folder);
    const mount = (...words: readonly string[]): unknown => execFileSync('mount', [...words, home]);
    mount('--bind', home);
    onTestFinished(() => void execFileSync('umount', ['--lazy', home]));
    mount('-o', 'remount,ro,bind');
    expect(await repository.restore({ commit, folder: join(elsewhere, 'back') })).toEqual({ type: 'restored' });
    expect(readFileSync(join(elsewhere, 'back', 'a b'), 'utf8')).toBe('one\n');
    expect(readdirSync(elsewhere)).toEqual(['back']);
  });
});

describe('a squash', () => {
  test('recognises earlier landings by their messages, so that the rest of a run fits', async () => {
    const project = makeProject({ a: '1\n' });
    const base = project.git('rev-parse', 'HEAD');
    const first = project.branch(base, { a: '2\n' });
    const second = project.branch(first, { a: '3\n' });
    const repository = await project.open();
    project.git('checkout', '--quiet', '--detach');
    const landAs = async (commit: string) => {
      const ready = await repository.prepareLanding({ commit, target: 'main', how: 'squash', message: 'Land', at: AT });
      if (ready.type !== 'ready') return ready.type;
      const { from, commit: to } = ready;
      return (await repository.land({ target: 'main', from, to, updatesCheckout: false })).type;
    };
    expect(await landAs(first)).toBe('landed');
    gitIn(project.folder, 'checkout', '--quiet', 'main');
    project.commit({ b: 'between\n' });
    gitIn(project.folder, 'checkout', '--quiet', '--detach');
    expect(await landAs(second)).toBe('landed');
    expect(await landAs(second)).toBe('landed');
    expect(project.git('show', 'main:a')).toBe('3');
    expect(project.git('show', 'main:b')).toBe('between');
    expect(project.git('log', '--format=%s', `${base}..main`).split('\n')).toEqual(['Land', 'change', 'Land']);
  });

  test('is not needed where the target has not moved, nor a fast-forward where it has', async () => {
    const project = makeProject({ a: '1\n' });
    const base = project.git('rev-parse', 'HEAD');
    const commit = project.branch(base, { a: '2\n' });
    const repository = await project.open();
    const auto = { commit, target: 'main', how: 'auto', message: 'Land', at: AT } as const;
    expect(await repository.prepareLanding(auto)).toMatchObject({ type: 'ready', commit, hasMoved: false });
    const moved = project.commit({ b: 'b\n' });
    const ready = await repository.prepareLanding(auto);
    expect(ready).toMatchObject({ type: 'ready', from: moved, hasMoved: true });
    expect(ready.type === 'ready' ? await repository.parentsOf(ready.commit) : []).toEqual([moved, commit]);
  });
});

test('a lock on a run branch of the user’s is removed only when it is too old to be held', async () => {
  const project = makeProject();
  const folder = join(project.folder, '.git', 'refs', 'heads', 'heddle');
  mkdirSync(folder, { recursive: true });
  for (const name of ['old.lock', 'fresh.lock']) writeFileSync(join(folder, name), '');
  utimesSync(join(folder, 'old.lock'), AT / 1000, AT / 1000);
  await project.open();
  expect(readdirSync(folder)).toEqual(['fresh.lock']);
});

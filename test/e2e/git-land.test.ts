import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AT, gitIn, makeProject, writeFiles } from './git-project.given.ts';
import type { Files, Project } from './git-project.given.ts';

/** A run that changed `a`, on its run branch. */
async function finishedRun(work: Files = { a: '2\n' }) {
  const project = makeProject({ a: '1\n', b: '1\n', '.gitignore': 'ignored\n' });
  const base = project.git('rev-parse', 'HEAD');
  const commit = project.branch(base, work);
  const repository = await project.open();
  await repository.pin('run-1', base);
  await repository.swap({ ref: 'refs/heads/heddle/run-1', from: undefined, to: commit });
  return { project, base, commit, repository };
}

const options = (commit: string, how: 'fast-forward' | 'merge' | 'squash') => ({
  commit,
  target: 'main',
  how,
  message: 'Land',
  at: AT,
});

const away = (project: Project): void => void project.git('checkout', '--quiet', '--detach');

describe('publishing', () => {
  test('shows the run branch in the user’s repository, again and again', async () => {
    const { project, base, repository } = await finishedRun();
    const merged = await repository.commitTree({
      tree: await repository.treeOf(base),
      parents: [(await repository.read('refs/heads/heddle/run-1')) ?? ''],
      message: 'x',
      at: AT,
    });
    const from = (await repository.read('refs/heads/heddle/run-1')) ?? '';
    expect(await repository.publish('run-1', from)).toEqual({ type: 'swapped' });
    expect(await repository.publish('run-1', merged)).toEqual({ type: 'swapped' });
    expect(await repository.publish('run-1', merged)).toEqual({ type: 'swapped' });
    expect(project.git('rev-parse', 'heddle/run-1')).toBe(merged);
    project.git('fsck', '--strict');
  });

  test('does not overwrite what the user committed there, nor what is checked out', async () => {
    const { project, commit, repository } = await finishedRun();
    await repository.publish('run-1', commit);
    project.git('checkout', '--quiet', 'heddle/run-1');
    project.commit({ own: 'own\n' });
    expect(await repository.publish('run-1', commit)).toMatchObject({
      type: 'refused',
      failure: { code: 'branch-ahead' },
    });
    project.git('reset', '--quiet', '--hard', 'main');
    expect(await repository.publish('run-1', commit)).toMatchObject({
      type: 'refused',
      failure: { code: 'branch-checked-out', folder: project.folder },
    });
  });
});

describe('a landing', () => {
  test('fast-forwards a target that stood still', async () => {
    const { project, base, commit, repository } = await finishedRun();
    away(project);
    const ready = await repository.prepareLanding(options(commit, 'fast-forward'));
    expect(ready).toMatchObject({ type: 'ready', commit, from: base, hasMoved: false });
    const landing = { target: 'main', from: base, to: commit, updatesCheckout: false };
    expect(await repository.land(landing)).toEqual({ type: 'landed', commit, checkout: undefined });
    expect(await repository.land(landing)).toEqual({ type: 'landed', commit, checkout: undefined });
    expect(project.git('rev-parse', 'main')).toBe(commit);
    expect(await repository.prepareLanding(options(commit, 'fast-forward'))).toEqual({ type: 'landed', commit });
  });

  test.for(['merge', 'squash'] as const)(
    'by %s is the same commit every time and keeps what the target got meanwhile',
    async (how) => {
      const { project, commit, repository } = await finishedRun();
      const moved = project.commit({ b: '2\n' });
      away(project);
      expect(await repository.prepareLanding(options(commit, 'fast-forward'))).toMatchObject({
        type: 'refused',
        failure: { code: 'target-ahead', target: 'main' },
      });
      const ready = await repository.prepareLanding(options(commit, how));
      expect(ready).toMatchObject({ type: 'ready', from: moved, hasMoved: true });
      expect(await repository.prepareLanding(options(commit, how))).toEqual(ready);
      const to = ready.type === 'ready' ? ready.commit : '';
      expect(await repository.land({ target: 'main', from: moved, to, updatesCheckout: false })).toMatchObject({
        type: 'landed',
      });
      expect(project.git('rev-list', '--parents', '-1', 'main').split(' ').slice(1)).toEqual(
        how === 'merge' ? [moved, commit] : [moved],
      );
      expect(project.git('show', 'main:a') + project.git('show', 'main:b')).toBe('22');
      expect(await repository.prepareLanding(options(commit, how))).toEqual({ type: 'landed', commit: to });
      project.git('fsck', '--strict');
    },
  );

  test('on a target that conflicts or is not there is refused', async () => {
    const { project, commit, repository } = await finishedRun();
    project.commit({ a: '3\n' });
    expect(await repository.prepareLanding(options(commit, 'merge'))).toMatchObject({ type: 'conflict', paths: ['a'] });
    expect(await repository.prepareLanding({ ...options(commit, 'merge'), target: 'none' })).toEqual({
      type: 'refused',
      failure: { code: 'target-missing', target: 'none' },
    });
  });

  test('on a target that moved after it was prepared moves nothing', async () => {
    const { project, base, commit, repository } = await finishedRun();
    const at = project.commit({ b: '2\n' });
    away(project);
    expect(await repository.land({ target: 'main', from: base, to: commit, updatesCheckout: false })).toEqual({
      type: 'moved',
      at,
    });
    expect(project.git('rev-parse', 'main')).toBe(at);
  });
});

describe('a checkout that is on the target', () => {
  const landing = (from: string, to: string) => ({ target: 'main', from, to, updatesCheckout: true });

  test('is brought along when the user asks for it, and only then', async () => {
    const { project, base, commit, repository } = await finishedRun({
      a: '2\n',
      b: undefined,
      'in/c': { script: 'c\n' },
    });
    expect(await repository.land({ ...landing(base, commit), updatesCheckout: false })).toMatchObject({
      type: 'refused',
      failure: { code: 'target-checked-out', folder: project.folder },
    });
    writeFileSync(join(project.folder, 'untracked'), 'mine\n');
    expect(await repository.land(landing(base, commit))).toEqual({ type: 'landed', commit, checkout: project.folder });
    expect(project.git('status', '--porcelain')).toBe('?? untracked');
    expect(readFileSync(join(project.folder, 'a'), 'utf8')).toBe('2\n');
    expect(project.git('reflog', '-1', '--format=%H', 'main')).toBe(commit);
  });

  test('that shows the landed commit already, because a kill came before the branch moved, is landed', async () => {
    const { project, base, commit, repository } = await finishedRun({ a: '2\n', b: undefined, c: 'c\n' });
    project.git('read-tree', '-m', '-u', base, commit);
    expect(await repository.land(landing(base, commit))).toEqual({ type: 'landed', commit, checkout: project.folder });
    expect(project.git('status', '--porcelain')).toBe('');
  });

  test('may be a linked worktree', async () => {
    const { project, base, commit, repository } = await finishedRun();
    away(project);
    const linked = `${project.folder}-linked`;
    project.git('worktree', 'add', '--quiet', linked, 'main');
    expect(await repository.land(landing(base, commit))).toEqual({ type: 'landed', commit, checkout: linked });
    expect(gitIn(linked, 'status', '--porcelain')).toBe('');
  });

  test.for([
    ['changed', { a: 'mine\n' }, { code: 'checkout-changed', path: 'a' }],
    ['covered', { c: 'mine\n' }, { code: 'checkout-untracked', path: 'c' }],
    ['covered though ignored', { ignored: 'mine\n' }, { code: 'checkout-untracked', path: 'ignored' }],
  ] as const)('is left alone when something of the user’s is %s', async ([, files, failure]) => {
    const { project, base, commit, repository } = await finishedRun({ a: '2\n', c: 'c\n' });
    gitIn(project.folder, 'checkout', '--quiet', '--detach', commit);
    writeFiles(project.folder, { ignored: 'of the run\n' });
    project.git('add', '--force', 'ignored');
    project.git('commit', '--quiet', '--message', 'more');
    const to = project.git('rev-parse', 'HEAD');
    project.git('checkout', '--quiet', 'main');
    writeFiles(project.folder, files);
    const before = project.git('status', '--porcelain', '--ignored');
    const landed = await repository.land(landing(base, to));
    expect(landed).toMatchObject({ type: 'refused', failure });
    expect(project.git('rev-parse', 'main')).toBe(base);
    expect(project.git('status', '--porcelain', '--ignored')).toBe(before);
    for (const [name, text] of Object.entries(files))
      expect(readFileSync(join(project.folder, name), 'utf8')).toBe(text);
  });

  test('in the middle of a merge is left alone', async () => {
    const { project, base, commit, repository } = await finishedRun();
    writeFileSync(join(project.folder, '.git', 'MERGE_HEAD'), `${base}\n`);
    expect(await repository.land(landing(base, commit))).toMatchObject({
      type: 'refused',
      failure: { code: 'checkout-unfinished', file: 'MERGE_HEAD' },
    });
  });
});

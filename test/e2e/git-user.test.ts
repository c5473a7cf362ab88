import { chmodSync, existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openRepository } from '../../src/shell/git/repository.ts';
import { describeUser } from '../../src/shell/git/user/describe-user.ts';
import { repositoryNotes, userChanges } from '../../src/shell/git/user/user-changes.ts';
import { fingerprintOf, gitIn, homeOf, makeProject, projectIn, temporaryFolder } from './git-project.given.ts';
import { heddle } from './heddle.given.ts';

const described = async (folder: string) => {
  const found = await describeUser(folder);
  if (found.type === 'refused') throw new Error(found.failure.code);
  return found;
};

describe('a user’s repository', () => {
  test('is described without a byte of it changing and without running what it names', async () => {
    const project = makeProject({ a: 'a\n', '.gitattributes': '*.bin filter=lfs\n*.x filter=own\n', 'f.x': 'x\n' });
    const witness = join(temporaryFolder(), 'witness');
    const script = join(temporaryFolder(), 'program');
    writeFileSync(script, `#!/bin/sh\necho ran >> '${witness}'\ncat\n`, { mode: 0o755 });
    project.git('config', 'filter.own.clean', script);
    project.git('config', 'filter.own.required', 'true');
    project.git('config', 'core.fsmonitor', script);
    const hook = join(project.folder, '.git', 'hooks', 'reference-transaction');
    mkdirSync(join(project.folder, '.git', 'hooks'), { recursive: true });
    writeFileSync(hook, `#!/bin/sh\necho ran >> '${witness}'\n`);
    chmodSync(hook, 0o755);
    writeFileSync(join(project.folder, 'untracked'), 'u\n');
    writeFileSync(join(project.folder, 'a'), 'changed\n');
    utimesSync(join(project.folder, 'f.x'), 1, 1);
    const before = fingerprintOf(project.folder);
    const user = await described(project.folder);
    expect(user).toMatchObject({ branch: 'main', filters: ['own'], hooks: ['reference-transaction'], usesLfs: true });
    expect(await userChanges(user)).toEqual({ changed: 1, untracked: 1 });
    const repository = await project.open();
    await repository.pin('run-1', project.git('-c', 'core.fsmonitor=false', 'rev-parse', 'HEAD'));
    expect(fingerprintOf(project.folder)).toBe(before);
    expect(existsSync(witness)).toBe(false);
    expect(repositoryNotes(user)).toEqual([
      { code: 'lfs' },
      { code: 'filters', names: ['own'] },
      { code: 'hooks', names: ['reference-transaction'] },
    ]);
  });

  test('that is none is refused', async () => {
    const folder = temporaryFolder();
    const refused = { type: 'refused', failure: { code: 'not-a-repository', folder } };
    expect(await describeUser(folder)).toEqual(refused);
    expect(await openRepository({ home: join(folder, 'home'), project: folder, repairs: true })).toEqual(refused);
    const missing = join(folder, 'none');
    expect(await describeUser(missing)).toEqual({
      type: 'refused',
      failure: { code: 'project-missing', folder: missing },
    });
  });

  test('that is missing stops a run, which says how to run without one', () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'plan.yaml'), 'heddle: 1\nname: a\ntasks:\n  a: { run: "true" }\n');
    const { code, errors } = heddle(['run'], { cwd });
    expect({ code, errors }).toEqual({ code: 2, errors: expect.stringMatching(/git init.*heddle run --no-git/) });
  });

  test('of another user is refused until git is told to trust it', async () => {
    const folder = temporaryFolder();
    // To own a file of another's takes root, so these are the words of a git that found one.
    const said = `fatal: detected dubious ownership in repository at '${folder}'`;
    writeFileSync(join(folder, 'git'), `#!/bin/sh\necho "${said}" >&2\nexit 128\n`, { mode: 0o755 });
    vi.stubEnv('PATH', `${folder}:${process.env['PATH'] ?? ''}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await describeUser(folder)).toEqual({ type: 'refused', failure: { code: 'not-trusted', folder } });
  });

  test.each(['refs/heads/heddle', 'refs/heddle'])('with %s in the way of our refs names it', async (ref) => {
    const project = makeProject({ a: 'a' });
    expect(await (await project.open()).inTheWay()).toBeUndefined();
    project.git('update-ref', `${ref}/run-1`, 'HEAD');
    expect(await (await project.open()).inTheWay()).toBeUndefined();
    project.git('update-ref', '-d', `${ref}/run-1`);
    project.git('update-ref', ref, 'HEAD');
    expect(await (await project.open()).inTheWay()).toEqual({ code: 'ref-in-the-way', ref });
    project.git('pack-refs', '--all');
    expect(await (await project.open()).inTheWay()).toEqual({ code: 'ref-in-the-way', ref });
  });

  test('without a commit says so', async () => {
    const folder = temporaryFolder();
    gitIn(folder, 'init', '--quiet', '--initial-branch=main');
    const user = await described(folder);
    expect(user).toMatchObject({ head: undefined, branch: 'main' });
    expect(repositoryNotes(user)).toEqual([{ code: 'no-commit' }]);
  });

  test('may be bare', async () => {
    const folder = join(temporaryFolder(), 'bare.git');
    gitIn(makeProject().folder, 'clone', '--quiet', '--bare', '.', folder);
    const user = await described(folder);
    expect(user).toMatchObject({ workTree: undefined, branch: 'main' });
    expect(await userChanges(user)).toEqual({ changed: 0, untracked: 0 });
    const repository = await projectIn(folder).open();
    expect(await repository.pin('run-1', (await repository.baseOf('main')) ?? '')).toEqual({ type: 'swapped' });
  });

  test('may be entered by a linked worktree or by a folder of the checkout', async () => {
    const project = makeProject({ 'in/a': 'a\n' });
    const linked = join(temporaryFolder(), 'linked');
    project.git('worktree', 'add', '--quiet', '-b', 'side', linked);
    expect(await described(linked)).toMatchObject({ isLinkedWorktree: true, branch: 'side', workTree: linked });
    expect(await described(join(project.folder, 'in'))).toMatchObject({
      isLinkedWorktree: false,
      workTree: project.folder,
    });
    const repository = await projectIn(linked).open();
    expect(await repository.pin('run-1', (await repository.baseOf('HEAD')) ?? '')).toEqual({ type: 'swapped' });
    expect(project.git('rev-parse', 'refs/heddle/run-1/base')).toBe(project.git('rev-parse', 'side'));
  });

  test('may be shallow, and the result can be published', async () => {
    const origin = makeProject({ a: '1\n', b: '1\n' });
    origin.commit({ a: '2\n' });
    const folder = join(temporaryFolder(), 'shallow');
    gitIn(origin.folder, 'clone', '--quiet', '--depth=1', `file://${origin.folder}`, folder);
    const project = projectIn(folder);
    const base = project.git('rev-parse', 'HEAD');
    const [ours, theirs] = [project.branch(base, { a: '3\n' }), project.branch(base, { b: '3\n' })];
    const repository = await project.open();
    expect(repository.user.isShallow).toBe(true);
    const merged = await repository.mergeOnto({
      onto: ours,
      tip: theirs,
      message: 'Merge',
      at: 0,
      usesResolutions: false,
    });
    const to = merged.type === 'merged' ? merged.commit : '';
    expect(await repository.swap({ ref: 'refs/heads/heddle/run-1', from: undefined, to })).toEqual({ type: 'swapped' });
    expect(await repository.publish('run-1', to)).toEqual({ type: 'swapped' });
    expect(project.git('rev-parse', 'heddle/run-1')).toBe(to);
    project.git('fsck', '--strict');
    gitIn(repository.gitDir, 'fsck', '--strict');
  });

  test('may have a sparse checkout, which stays as it is', async () => {
    const project = makeProject({ 'in/a': 'a\n', 'out/b': 'b\n' });
    project.git('sparse-checkout', 'set', 'in');
    const user = await described(project.folder);
    expect(user.isSparse).toBe(true);
    expect(repositoryNotes(user)).toEqual([{ code: 'sparse' }]);
    expect(existsSync(join(project.folder, 'out'))).toBe(false);
  });

  test('may borrow objects itself', async () => {
    const origin = makeProject();
    const folder = join(temporaryFolder(), 'shared');
    gitIn(origin.folder, 'clone', '--quiet', '--shared', '.', folder);
    const { objectFolders } = await described(folder);
    expect(objectFolders).toEqual([join(folder, '.git', 'objects'), join(origin.folder, '.git', 'objects')]);
  });

  test('that is a partial clone is refused', async () => {
    const project = makeProject();
    project.git('config', 'remote.origin.promisor', 'true');
    expect(await describeUser(project.folder)).toMatchObject({
      type: 'refused',
      failure: { code: 'partial-clone', folder: project.folder },
    });
  });

  test('is found again when it has moved', async () => {
    const project = makeProject();
    const repository = await project.open();
    const moved = join(temporaryFolder(), 'moved');
    gitIn(project.folder, 'clone', '--quiet', '.', moved);
    const opened = await openRepository({ home: homeOf(project.folder), project: moved, repairs: true });
    expect(opened.type).toBe('opened');
    expect(readFileSync(join(repository.gitDir, 'objects', 'info', 'alternates'), 'utf8')).toBe(
      `${join(moved, '.git', 'objects')}\n`,
    );
  });
});

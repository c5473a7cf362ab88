import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openRepository } from '../../src/shell/git/repository.ts';
import { takeFence } from '../../src/shell/merge/branch-fence.ts';
import { thisProcess } from '../../src/shell/exec/process.ts';
import { fingerprintOf, gitIn, homeOf, makeProject } from './git-project.given.ts';

const RUN = 'refs/heads/heddle/run-1';

describe('a ref', () => {
  test('moves only from the value that is expected', async () => {
    const project = makeProject();
    const base = project.git('rev-parse', 'HEAD');
    const [one, other] = [project.branch(base, { a: '1\n' }), project.branch(base, { a: '2\n' })];
    const repository = await project.open();
    expect(await repository.read(RUN)).toBeUndefined();
    expect(await repository.swap({ ref: RUN, from: one, to: base })).toEqual({ type: 'moved', at: undefined });
    expect(await repository.swap({ ref: RUN, from: undefined, to: base })).toEqual({ type: 'swapped' });
    expect(await repository.swap({ ref: RUN, from: undefined, to: one })).toEqual({ type: 'moved', at: base });
    expect(await repository.swap({ ref: RUN, from: base, to: one })).toEqual({ type: 'swapped' });
    expect(await repository.swap({ ref: RUN, from: base, to: one })).toEqual({ type: 'swapped' });
    expect(await repository.swap({ ref: RUN, from: base, to: other })).toEqual({ type: 'moved', at: one });
    expect(await repository.list('refs/heads/heddle')).toEqual([{ ref: RUN, commit: one }]);
  });

  test('is read where it is: in a file of its own, packed, both, or by another name', async () => {
    const project = makeProject();
    const base = project.git('rev-parse', 'HEAD');
    const later = project.branch(base, { a: '1\n' });
    const repository = await project.open();
    const inside = (...args: readonly string[]): string => gitIn(repository.gitDir, '--git-dir=.', ...args);
    await repository.swap({ ref: RUN, from: undefined, to: base });
    inside('pack-refs', '--all');
    expect(existsSync(join(repository.gitDir, RUN))).toBe(false);
    expect(await repository.read(RUN)).toBe(base);
    expect(await repository.read(`${RUN}-none`)).toBeUndefined();
    await repository.swap({ ref: RUN, from: base, to: later });
    expect(await repository.read(RUN)).toBe(later);
    inside('symbolic-ref', `${RUN}-symbolic`, RUN);
    expect(await repository.read(`${RUN}-symbolic`)).toBe(later);
    expect(await repository.read(RUN.slice('refs/heads/'.length))).toBe(later);
  });

  test('with a fence moves only for the merge queue that took the fence last (branch-fence/B1)', async () => {
    const project = makeProject();
    const base = project.git('rev-parse', 'HEAD');
    const [one, other] = [project.branch(base, { a: '1\n' }), project.branch(base, { a: '2\n' })];
    const repository = await project.open();
    await repository.swap({ ref: RUN, from: undefined, to: base });
    const first = await takeFence(repository, { run: 'run-1', base, now: 0 });
    const latest = await takeFence(repository, { run: 'run-1', base, now: 0 });
    expect(await repository.swap({ ref: RUN, from: base, to: one, fence: first })).toMatchObject({ type: 'failed' });
    expect(await repository.read(RUN)).toBe(base);
    expect(await repository.swap({ ref: RUN, from: base, to: other, fence: latest })).toEqual({ type: 'swapped' });
    expect(await repository.isAncestor(first.commit, latest.commit)).toBe(true);
    const taken = await Promise.all([1, 2, 3].map(() => takeFence(repository, { run: 'run-1', base, now: 0 })));
    expect(taken.map(({ commit }) => commit)).toContain(await repository.read(latest.ref));
  });

  test('moved by many at once is moved by one of them', async () => {
    const project = makeProject();
    const base = project.git('rev-parse', 'HEAD');
    const tips = ['1', '2', '3', '4'].map((text) => project.branch(base, { a: text }));
    const repository = await project.open();
    await repository.swap({ ref: RUN, from: undefined, to: base });
    const outcomes = await Promise.all(tips.map(async (to) => repository.swap({ ref: RUN, from: base, to })));
    expect(outcomes.filter(({ type }) => type === 'swapped')).toHaveLength(1);
    expect(outcomes.filter(({ type }) => type === 'moved')).toHaveLength(3);
  });

  test('does not move away from work that no other ref holds', async () => {
    const project = makeProject();
    const base = project.git('rev-parse', 'HEAD');
    const [one, other] = [project.branch(base, { a: '1\n' }), project.branch(base, { a: '2\n' })];
    const repository = await project.open();
    await repository.swap({ ref: RUN, from: undefined, to: one });
    expect(await repository.swap({ ref: RUN, from: one, to: other })).toMatchObject({
      type: 'refused',
      failure: { code: 'only-ref', ref: RUN, commit: one },
    });
    await repository.swap({ ref: 'refs/heddle/run-1/salvage/a/work', from: undefined, to: one });
    expect(await repository.swap({ ref: RUN, from: one, to: other })).toEqual({ type: 'swapped' });
  });

  test('is removed only when another keeps its commit, with the reason on record', async () => {
    const project = makeProject();
    const tip = project.branch(project.git('rev-parse', 'HEAD'), { a: '1\n' });
    const repository = await project.open();
    const ref = 'refs/heddle/run-1/tasks/a';
    await repository.swap({ ref, from: undefined, to: tip });
    expect(await repository.remove({ ref, reason: 'merged' })).toMatchObject({ type: 'refused' });
    await repository.swap({ ref: RUN, from: undefined, to: tip });
    expect(await repository.remove({ ref, reason: 'merged' })).toEqual({ type: 'removed' });
    expect(await repository.remove({ ref, reason: 'merged' })).toEqual({ type: 'removed' });
    expect(await repository.read(ref)).toBeUndefined();
    const record: unknown = JSON.parse(readFileSync(join(repository.gitDir, 'removed.jsonl'), 'utf8').trim());
    expect(record).toEqual({ ref, commit: tip, reason: 'merged' });
  });

  test('that two remove at once, each kept by the other, stays in one of them', async () => {
    const project = makeProject();
    const tip = project.branch(project.git('rev-parse', 'HEAD'), { a: '1\n' });
    const repository = await project.open();
    const refs = ['refs/heddle/run-1/tasks/a', 'refs/heddle/run-1/tasks/b'];
    for (const ref of refs) await repository.swap({ ref, from: undefined, to: tip });
    await Promise.all(refs.map(async (ref) => repository.remove({ ref, reason: 'test' })));
    expect(await repository.list('refs/heddle/run-1')).toHaveLength(1);
  });

  test('can be packed by git, and moves on', async () => {
    const project = makeProject();
    const base = project.git('rev-parse', 'HEAD');
    const tip = project.branch(base, { a: '1\n' });
    const repository = await project.open();
    await repository.swap({ ref: RUN, from: undefined, to: base });
    project.git('--git-dir', repository.gitDir, 'pack-refs', '--all');
    expect(await repository.read(RUN)).toBe(base);
    expect(await repository.swap({ ref: RUN, from: base, to: tip })).toEqual({ type: 'swapped' });
  });

  test('reaches only objects that are flushed with it', async () => {
    const project = makeProject({ a: '1\n', b: '1\n' });
    const base = project.git('rev-parse', 'HEAD');
    const [ours, theirs] = [project.branch(base, { a: '2\n' }), project.branch(base, { b: '2\n' })];
    const repository = await project.open();
    const merged = await repository.mergeOnto({
      onto: ours,
      tip: theirs,
      message: 'Merge',
      at: 0,
      usesResolutions: false,
    });
    const to = merged.type === 'merged' ? merged.commit : '';
    await repository.swap({ ref: RUN, from: undefined, to });
    // Git flushes packs whole, so the copy that merging left loose is not needed.
    rmSync(join(repository.gitDir, 'objects', to.slice(0, 2), to.slice(2)));
    expect(project.git('--git-dir', repository.gitDir, 'cat-file', '-t', to)).toBe('commit');
  });
});

describe('the pin of a base', () => {
  test('is a ref in both repositories and all that is ours in the user’s', async () => {
    const project = makeProject();
    const base = project.git('rev-parse', 'HEAD');
    const before = fingerprintOf(project.folder);
    const repository = await project.open();
    expect(await repository.baseOf('main')).toBe(base);
    expect(await repository.baseOf('no such thing')).toBeUndefined();
    expect(await repository.pin('run-1', base)).toEqual({ type: 'swapped' });
    expect(await repository.pin('run-1', base)).toEqual({ type: 'swapped' });
    expect(await repository.read('refs/heddle/run-1/base')).toBe(base);
    expect(project.git('rev-parse', 'refs/heddle/run-1/base')).toBe(base);
    expect(fingerprintOf(project.folder)).toBe(before);
  });
});

describe('a lock', () => {
  const lockIn = (gitDir: string): string => {
    mkdirSync(join(gitDir, 'refs', 'heddle', 'run-1'), { recursive: true });
    const lock = join(gitDir, 'refs', 'heddle', 'run-1', 'base.lock');
    writeFileSync(lock, '');
    return lock;
  };

  test('that a killed process left is removed when a coordinator opens', async () => {
    const project = makeProject();
    const { gitDir } = await project.open();
    const locks = [lockIn(gitDir), lockIn(join(project.folder, '.git'))];
    const repository = await project.open();
    expect(locks.filter((lock) => existsSync(lock))).toEqual([]);
    expect(repository.locks).toEqual(locks.map((lock) => ({ lock, isRemoved: true })));
    expect(await repository.pin('run-1', project.git('rev-parse', 'HEAD'))).toEqual({ type: 'swapped' });
  });

  test('stays while a process that may hold it lives', async () => {
    const project = makeProject();
    const { gitDir } = await project.open();
    const lock = lockIn(gitDir);
    const atWork = spawn('git', [`--git-dir=${gitDir}`, 'cat-file', '--batch'], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    onTestFinished(() => void atWork.kill('SIGKILL'));
    const note = join(homeOf(project.folder), 'repairing-locks.json');
    const opening = project.open();
    while (!existsSync(note)) await setTimeout(5);
    // Another opens meanwhile, from beginning to end, which is time enough for a lock to be removed that should not be.
    await openRepository({ home: homeOf(project.folder), project: project.folder, repairs: false });
    expect(existsSync(lock)).toBe(true);
    atWork.kill('SIGKILL');
    expect((await opening).locks).toEqual([{ lock, isRemoved: true }]);
    expect(existsSync(lock)).toBe(false);
    expect(existsSync(note)).toBe(false);
  });
});

describe('the repair of locks', () => {
  const noteOf = (folder: string): string => join(homeOf(folder), 'repairing-locks.json');
  const givenLock = async (note: string) => {
    const project = makeProject();
    await project.open();
    const lock = join(homeOf(project.folder), 'repo.git', 'refs', 'heads', 'stray.lock');
    writeFileSync(lock, '');
    writeFileSync(noteOf(project.folder), note);
    await project.open();
    return { isLocked: existsSync(lock), isNoted: existsSync(noteOf(project.folder)) };
  };

  test.each([
    ['died and left its note', JSON.stringify({ pid: 1, startedAt: 'long ago' })],
    ['was killed while it wrote its note', '{"pid":'],
  ])('and %s is not waited for', async (_, note) => {
    expect(await givenLock(note)).toEqual({ isLocked: false, isNoted: false });
  });

  test('and is alive is left to it', async () => {
    expect(await givenLock(JSON.stringify(thisProcess()))).toEqual({ isLocked: true, isNoted: true });
  });
});

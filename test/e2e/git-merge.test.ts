import { execFileSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { resolutionMessage } from '../../src/shell/git/merge/learn-resolutions.ts';
import { writeHistories } from './git-histories.given.ts';
import type { Pair } from './git-histories.given.ts';
import { AT, gitIn, homeOf, makeProject } from './git-project.given.ts';
import type { Files } from './git-project.given.ts';

const options = { message: 'Merge', at: AT, usesResolutions: false };

describe('a merge in memory', () => {
  test('gives the tree of git merge and the same commit every time', async () => {
    const project = makeProject({ a: '1\n2\n3\n', b: 'b\n' });
    const base = project.git('rev-parse', 'HEAD');
    const [one, other] = [project.branch(base, { a: '1\n2\n4\n' }), project.branch(base, { b: undefined, c: 'c\n' })];
    const repository = await project.open();
    const merged = await repository.mergeOnto({ onto: one, tip: other, ...options });
    const again = await (await project.open()).mergeOnto({ onto: one, tip: other, ...options });
    project.git('checkout', '--quiet', '--detach', one);
    project.git('merge', '--quiet', '--no-edit', other);
    expect(merged).toMatchObject({ type: 'merged', tree: project.git('rev-parse', 'HEAD^{tree}') });
    expect(again).toEqual(merged);
    const commit = merged.type === 'merged' ? merged.commit : '';
    expect(await repository.parentsOf(commit)).toEqual([one, other]);
    expect(await repository.messageOf(commit)).toBe('Merge');
  });

  test('of a branch that is contained already changes nothing', async () => {
    const project = makeProject();
    const base = project.git('rev-parse', 'HEAD');
    const tip = project.branch(base, { a: 'a\n' });
    const repository = await project.open();
    expect(await repository.mergeOnto({ onto: tip, tip: base, ...options })).toEqual({ type: 'unchanged' });
    expect(await repository.mergeOnto({ onto: tip, tip, ...options })).toEqual({ type: 'unchanged' });
  });

  test('reports for each conflicted path which changes met there', async () => {
    const odd = 'a "b"\n.txt';
    const project = makeProject({ [odd]: 'base\n', gone: 'gone\n' });
    const base = project.git('rev-parse', 'HEAD');
    const ours = project.branch(base, { [odd]: 'ours\n', gone: undefined });
    const theirs = project.branch(base, { [odd]: 'theirs\n', gone: 'changed\n' });
    const repository = await project.open();
    const conflict = await repository.mergeOnto({ onto: ours, tip: theirs, ...options });
    const blob = (commit: string, path: string): string => project.git('rev-parse', `${commit}:${path}`);
    expect(conflict).toMatchObject({
      type: 'conflict',
      paths: [
        { path: odd, base: blob(base, odd), ours: blob(ours, odd), theirs: blob(theirs, odd), kind: 'contents' },
        {
          path: 'gone',
          base: blob(base, 'gone'),
          ours: undefined,
          theirs: blob(theirs, 'gone'),
          kind: 'modify/delete',
        },
      ],
    });
    const tree = conflict.type === 'conflict' ? conflict.tree : '';
    const content = gitIn(repository.gitDir, 'cat-file', 'blob', `${tree}:${odd}`);
    expect(content).toMatch(/^<{7} .*\nours\n={7}\ntheirs\n>{7} .*$/);
  });

  test('of histories without a common ancestor fails with the message of git', async () => {
    const project = makeProject();
    project.git('checkout', '--quiet', '--orphan', 'other');
    const other = project.commit({ other: 'other\n' });
    const repository = await project.open();
    const outcome = await repository.mergeOnto({ onto: project.git('rev-parse', 'main'), tip: other, ...options });
    expect(outcome).toMatchObject({
      type: 'failed',
      failure: { stderr: expect.stringContaining('unrelated histories') },
    });
  });

  test('heeds the attributes of the tree that is merged onto, as a checkout does', async () => {
    const project = makeProject({
      '.gitattributes': '/top merge=union\n',
      'in/.gitattributes': 'list merge=union\n',
      top: 'a\n',
      'in/list': 'a\n',
    });
    const base = project.git('rev-parse', 'HEAD');
    const ours = project.branch(base, { top: 'a\nours\n', 'in/list': 'a\nours\n' });
    const theirs = project.branch(base, { top: 'a\ntheirs\n', 'in/list': 'a\ntheirs\n' });
    const repository = await project.open();
    const merged = await repository.mergeOnto({ onto: ours, tip: theirs, ...options });
    project.git('checkout', '--quiet', '--detach', ours);
    project.git('merge', '--quiet', '--no-edit', theirs);
    expect(merged).toMatchObject({ type: 'merged', tree: project.git('rev-parse', 'HEAD^{tree}') });
  });

  test('heeds attributes that a link of a chain brings', async () => {
    const project = makeProject({ list: 'a\n' });
    const base = project.git('rev-parse', 'HEAD');
    const tips = [{ '.gitattributes': 'list merge=union\n' }, { list: 'a\none\n' }, { list: 'a\nother\n' }].map(
      (files) => project.branch(base, files),
    );
    const repository = await project.open();
    const links = tips.map((tip) => ({ tip, message: 'Merge' }));
    expect(await repository.mergeAll({ base, links, at: AT, usesResolutions: false })).toMatchObject({
      type: 'merged',
    });
    expect(await repository.mergeAll({ base, links: links.slice(1), at: AT, usesResolutions: false })).toMatchObject({
      type: 'conflict',
      at: 1,
    });
  });

  test('over several merge bases is what git merge makes of it', async () => {
    const project = makeProject({ a: '1\n2\n3\n4\n5\n6\n7\n' });
    const base = project.git('rev-parse', 'HEAD');
    const [one, other] = [
      project.branch(base, { a: 'one\n2\n3\n4\n5\n6\n7\n' }),
      project.branch(base, { a: '1\n2\n3\n4\n5\n6\nother\n' }),
    ];
    const repository = await project.open();
    const cross = await Promise.all([
      repository.mergeOnto({ onto: one, tip: other, ...options }),
      repository.mergeOnto({ onto: other, tip: one, ...options }),
    ]);
    const commits = cross.map((outcome) => (outcome.type === 'merged' ? outcome.commit : ''));
    project.git('fetch', '--quiet', repository.gitDir, ...commits);
    const [left, right] = [
      project.branch(commits[0] ?? '', { a: 'one\n2\nleft\n4\n5\n6\nother\n' }),
      project.branch(commits[1] ?? '', { b: 'b\n' }),
    ];
    const merged = await repository.mergeOnto({ onto: left, tip: right, ...options });
    project.git('checkout', '--quiet', '--detach', left);
    project.git('merge', '--quiet', '--no-edit', right);
    expect(merged).toMatchObject({ type: 'merged', tree: project.git('rev-parse', 'HEAD^{tree}') });
  });

  test('of trees takes the base that it is given', async () => {
    const project = makeProject({ a: '1\n', b: '1\n' });
    const base = project.git('rev-parse', 'HEAD');
    const [ours, theirs] = [project.branch(base, { a: '2\n' }), project.branch(base, { b: '2\n' })];
    const repository = await project.open();
    const trees = { base, ours, theirs, usesResolutions: false };
    const expected = await repository.mergeOnto({ onto: ours, tip: theirs, ...options });
    expect(await repository.mergeTrees(trees)).toMatchObject({
      type: 'merged',
      tree: expected.type === 'merged' ? expected.tree : '',
    });
    expect(await repository.mergeTrees({ ...trees, base: ours })).toMatchObject({
      type: 'merged',
      tree: project.git('rev-parse', `${theirs}^{tree}`),
    });
  });
});

describe('a chain', () => {
  test('has a commit for each link and names the first that conflicts', async () => {
    const project = makeProject({ a: '1\n' });
    const base = project.git('rev-parse', 'HEAD');
    const tips = [{ b: 'b\n' }, { a: '2\n' }, { a: '3\n' }, { c: 'c\n' }].map((files) => project.branch(base, files));
    const links = tips.map((tip, index) => ({ tip, message: `Merge ${index}` }));
    const repository = await project.open();
    const broken = await repository.mergeAll({ base, links, at: AT, usesResolutions: false });
    expect(broken).toMatchObject({ type: 'conflict', at: 2, conflict: { paths: [{ path: 'a' }] } });
    expect(broken.type === 'conflict' ? broken.commits.length : 0).toBe(2);
    const whole = await repository.mergeAll({ base, links: links.toSpliced(2, 1), at: AT, usesResolutions: false });
    expect(whole.type === 'merged' && whole.commits.at(-1) === whole.commit).toBe(true);
    const tree = whole.type === 'merged' ? gitIn(repository.gitDir, 'ls-tree', '-r', '--name-only', whole.commit) : '';
    expect(tree.split('\n')).toEqual(['a', 'b', 'c']);
  });
});

describe('a remembered resolution', () => {
  test('settles the same conflict again, whichever side it comes from', async () => {
    const project = makeProject({ a: '1\n', 'x/y': 'kept\n' });
    const base = project.git('rev-parse', 'HEAD');
    const [ours, theirs] = [project.branch(base, { a: '2\n' }), project.branch(base, { a: '3\n', other: 'o\n' })];
    const repository = await project.open();
    const conflict = await repository.mergeOnto({ onto: ours, tip: theirs, ...options });
    const settledBy = project.branch(base, { a: '2 and 3\n' });
    const paths = conflict.type === 'conflict' ? conflict.paths : [];
    expect(await repository.remember(paths, settledBy)).toEqual(['a']);
    for (const [onto, tip] of [
      [ours, theirs],
      [theirs, ours],
    ] as const) {
      const merged = await repository.mergeOnto({ onto, tip, ...options, usesResolutions: true });
      expect(merged).toMatchObject({ type: 'merged', resolved: ['a'] });
      const tree = merged.type === 'merged' ? merged.tree : '';
      expect(gitIn(repository.gitDir, 'cat-file', 'blob', `${tree}:a`)).toBe('2 and 3');
      expect(gitIn(repository.gitDir, 'ls-tree', '-r', '--name-only', tree).split('\n')).toEqual(['a', 'other', 'x/y']);
    }
    expect(await repository.mergeOnto({ onto: ours, tip: theirs, ...options })).toMatchObject({ type: 'conflict' });
  });

  test.each([
    ['kept', 'changed\n', 'changed'],
    ['mended', 'both\n', 'both'],
    ['deleted', undefined, undefined],
  ])('says that a file which one side deleted is %s', async (_, settled, content) => {
    const project = makeProject({ a: '1\n', b: 'b\n' });
    const base = project.git('rev-parse', 'HEAD');
    const ours = project.branch(base, { a: undefined });
    const theirs = project.branch(base, { a: 'changed\n' });
    const repository = await project.open();
    const conflict = await repository.mergeOnto({ onto: ours, tip: theirs, ...options });
    const paths = conflict.type === 'conflict' ? conflict.paths : [];
    expect(await repository.remember(paths, project.branch(base, { a: settled }))).toEqual(['a']);
    const merged = await repository.mergeOnto({ onto: theirs, tip: ours, ...options, usesResolutions: true });
    expect(merged).toMatchObject({ type: 'merged', resolved: ['a'] });
    const tree = merged.type === 'merged' ? merged.tree : '';
    const names = gitIn(repository.gitDir, 'ls-tree', '-r', '--name-only', tree).split('\n');
    expect(names).toEqual(content === undefined ? ['b'] : ['a', 'b']);
    if (content !== undefined) expect(gitIn(repository.gitDir, 'cat-file', 'blob', `${tree}:a`)).toBe(content);
  });

  test('is learnt from the work of the task that settled it, as it was before the next conflict', async () => {
    const project = makeProject({ a: '1\n', b: '1\n' });
    const base = project.git('rev-parse', 'HEAD');
    const tip = project.branch(base, { a: '2\n', b: '2\n' });
    const first = project.branch(base, { a: '3\n' });
    const second = project.branch(first, { b: '3\n' });
    const repository = await project.open();
    const commitOf = (files: Files, parents: readonly [string, ...string[]], message: string): string => {
      const tree = project.git('rev-parse', `${project.branch(parents[0], files)}^{tree}`);
      return project.git('commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent]), '-m', message);
    };
    const signed = resolutionMessage('late', 'resolved');
    const once = commitOf({ a: '2 and 3\n' }, [tip, first], signed);
    const mended = commitOf({ a: '2, 3 and mended\n' }, [once], 'mended after a check');
    const twice = commitOf({ a: 'later\n', b: '2 and 3\n' }, [mended, second], signed);
    const alien = await repository.learn({ task: 'lat', tip: twice, base });
    expect(alien).toEqual([]);
    expect(await repository.learn({ task: 'late', tip: twice, base })).toEqual(['b', 'a']);
    const settle = async (onto: string): Promise<string> => {
      const merged = await repository.mergeOnto({ onto, tip, ...options, usesResolutions: true });
      return merged.type === 'merged' ? gitIn(repository.gitDir, 'cat-file', 'blob', `${merged.tree}:a`) : merged.type;
    };
    expect(await settle(first)).toBe('2, 3 and mended');
  });

  test('that cannot be read is none', async () => {
    const project = makeProject({ a: '1\n' });
    const base = project.git('rev-parse', 'HEAD');
    const [ours, theirs] = [project.branch(base, { a: '2\n' }), project.branch(base, { a: '3\n' })];
    const repository = await project.open();
    const conflict = await repository.mergeOnto({ onto: ours, tip: theirs, ...options });
    const paths = conflict.type === 'conflict' ? conflict.paths : [];
    await repository.remember(paths, project.branch(base, { a: '4\n' }));
    const folder = join(homeOf(project.folder), 'resolutions');
    for (const name of readdirSync(folder)) writeFileSync(join(folder, name), 'spoilt');
    const merged = await repository.mergeOnto({ onto: ours, tip: theirs, ...options, usesResolutions: true });
    expect(merged).toMatchObject({ type: 'conflict' });
  });

  test('is not made of what still has markers in it', async () => {
    const project = makeProject({ a: '1\n' });
    const base = project.git('rev-parse', 'HEAD');
    const [ours, theirs] = [project.branch(base, { a: '2\n' }), project.branch(base, { a: '3\n' })];
    const repository = await project.open();
    const conflict = await repository.mergeOnto({ onto: ours, tip: theirs, ...options });
    const left = project.branch(base, { a: '<<<<<<< one\n2\n=======\n3\n>>>>>>> other\n' });
    expect(await repository.remember(conflict.type === 'conflict' ? conflict.paths : [], left)).toEqual([]);
  });
});

describe('random histories', () => {
  test.for([1, 2, 3, 4])('of seed %i merge as git merge merges them', async (seed) => {
    const project = makeProject();
    const { pairs } = writeHistories(project.folder, seed, 50);
    const repository = await project.open();
    const expected = mergeAllInCheckout(project.folder, pairs);
    const found: string[] = [];
    for (const { ours, theirs } of pairs) {
      const outcome = await repository.mergeOnto({ onto: ours, tip: theirs, ...options });
      found.push(outcome.type === 'merged' ? outcome.tree : outcome.type);
    }
    expect(found).toEqual(expected);
    expect(found.filter((one) => one !== 'conflict').length, 'clean merges among them').toBeGreaterThan(10);
  });
});

/** The tree of each merge, or `conflict`. One shell does it all, because that is much faster. */
function mergeAllInCheckout(folder: string, pairs: readonly Pair[]): readonly string[] {
  const script = `
    while read ours theirs; do
      git checkout --quiet --force --detach $ours && git clean -fdxq
      if git merge --quiet --no-ff --no-edit $theirs >/dev/null 2>&1; then git rev-parse 'HEAD^{tree}'; else echo conflict; fi
      git reset --quiet --hard
    done`;
  const identity = { GIT_AUTHOR_NAME: 'U', GIT_AUTHOR_EMAIL: 'u', GIT_COMMITTER_NAME: 'U', GIT_COMMITTER_EMAIL: 'u' };
  const input = pairs.map(({ ours, theirs }) => `${ours} ${theirs}\n`).join('');
  const environment = { ...process.env, ...identity, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  return execFileSync('sh', ['-c', script], { cwd: folder, input, env: environment, encoding: 'utf8' })
    .trim()
    .split('\n');
}

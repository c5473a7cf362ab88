import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { TakeRule } from '../../core/plan/plan.ts';
import { AT, git, givenProject, removeProject, writeFiles, type GivenRepository } from '../sandbox/sandboxes.given.ts';
import { openRepository } from './repository.ts';

let project: GivenRepository;
beforeEach(async () => {
  project = await givenProject();
});
afterEach(async () => removeProject(project));

/** A commit on top of another with these files, left unnamed. */
function commitOn(parent: string, files: Readonly<Record<string, string | undefined>>, message = 'work'): string {
  const { folder } = project;
  git(folder, 'checkout', '-q', '--detach', parent);
  for (const [path, text] of Object.entries(files))
    if (text === undefined) git(folder, 'rm', '-q', path);
    else writeFiles(folder, { [path]: text });
  git(folder, 'add', '--all');
  git(folder, 'commit', '-q', '-m', message);
  const commit = git(folder, 'rev-parse', 'HEAD');
  git(folder, 'checkout', '-q', 'main');
  return commit;
}

/** Merges a task's work as the merge queue does. */
async function merge(onto: string, tip: string, message: string): Promise<string> {
  const merged = await project.repository.mergeOnto({ onto, tip, message, at: AT, usesResolutions: false });
  if (merged.type !== 'merged') throw new Error(merged.type);
  return merged.commit;
}

const show = (commit: string, path: string): string => git(project.repository.gitDir, 'show', `${commit}:${path}`);

describe('the published history', () => {
  const author = { name: 'Ada', email: 'ada@example.com' };

  async function givenRun(): Promise<string> {
    const { base } = project;
    const first = commitOn(base, { 'src/a.txt': 'a\n1\n' }, 'one: first');
    const one = await merge(base, commitOn(first, { 'src/new.txt': 'new\n' }, 'one: last'), 'one: Both');
    const idle = await merge(one, commitOn(commitOn(base, { x: 'x\n' }), { x: undefined }), 'idle: Nothing');
    return merge(idle, commitOn(base, { 'src/deep/b.txt': 'b\n2\n' }, 'two: only'), 'two: Only');
  }

  test('is a line of one commit a task, with the trees of the merges and by the user', async () => {
    const { base, repository } = project;
    const tip = await givenRun();
    const history = await repository.history({ base, tip, commits: 'task', author });
    expect(history.map((each) => each.merge.message.trim())).toEqual(['one: Both', 'two: Only']);
    const [one, two] = history;
    expect(await repository.parentsOf(two?.commit ?? '')).toEqual([one?.commit]);
    expect(await repository.parentsOf(one?.commit ?? '')).toEqual([base]);
    expect(await repository.treeOf(two?.commit ?? '')).toBe(await repository.treeOf(tip));
    expect(git(repository.gitDir, 'log', '-1', '--format=%an %ae', two?.commit ?? '')).toBe('Ada ada@example.com');
    expect(await repository.history({ base, tip, commits: 'task', author })).toEqual(history);
  });

  test('has a commit for each step where the plan wants it, and the task ends with the tree of its merge', async () => {
    const { base, repository } = project;
    const tip = await givenRun();
    const history = await repository.history({ base, tip, commits: 'step', author });
    const end = history.at(-1)?.commit ?? '';
    const subjects = git(repository.gitDir, 'log', '--reverse', '--format=%s', `${base}..${end}`).split('\n');
    expect(subjects).toEqual(['one: first', 'one: Both', 'two: Only']);
    expect(await repository.treeOf(end)).toBe(await repository.treeOf(tip));
  });
});

describe('a file that never conflicts', () => {
  const mergeWith = async (take: readonly TakeRule[], files: readonly (string | undefined)[]) => {
    const { base, repository } = project;
    const [ours, theirs] = files.map((text) => commitOn(base, { 'src/a.txt': text, other: `${text ?? ''}.\n` }));
    const onto = await repository.treeOf(ours ?? '');
    const rules = [...take, { files: 'other', side: 'run' } as const];
    const request = { onto: ours ?? '', tip: theirs ?? '', message: 'm', at: AT, usesResolutions: false, take: rules };
    const merged = await repository.mergeOnto(request);
    if (merged.type !== 'merged') return merged.type;
    expect(merged.tree === onto).toBe(false);
    return show(merged.commit, 'src/a.txt');
  };

  test.each([
    ['task', 'src/*.txt', 'theirs'],
    ['task', './src/', 'theirs'],
    ['union', 'src/a.txt', 'a\nours\ntheirs'],
  ] as const)('is settled by the rule %s for %s', async (side, files, content) => {
    const texts = side === 'union' ? ['a\nours\n', 'a\ntheirs\n'] : ['ours\n', 'theirs\n'];
    expect(await mergeWith([{ files, side }], texts)).toBe(content);
  });

  test('may be the one that the run has, or one that a side deleted', async () => {
    const { base, repository } = project;
    const [changed, deleted] = [commitOn(base, { 'src/a.txt': 'ours\n' }), commitOn(base, { 'src/a.txt': undefined })];
    const settle = async (onto: string, tip: string, side: TakeRule['side']): Promise<string> => {
      const take = [{ files: 'src/a.txt', side }];
      const merged = await repository.mergeOnto({ onto, tip, message: 'm', at: AT, usesResolutions: false, take });
      const tree = merged.type === 'merged' ? merged.tree : onto;
      return git(repository.gitDir, 'ls-tree', '--name-only', tree, 'src/a.txt');
    };
    expect(await settle(changed, deleted, 'run')).toBe('src/a.txt');
    expect(await settle(deleted, changed, 'run')).toBe('');
    expect(await settle(changed, deleted, 'task')).toBe('');
    expect(await settle(changed, deleted, 'union')).toBe('src/a.txt');
  });

  test('conflicts where no rule is for it', async () => {
    expect(await mergeWith([{ files: 'docs', side: 'task' }], ['ours\n', 'theirs\n'])).toBe('conflict');
  });
});

test('a repository is not opened where git cannot be started', async () => {
  const path = process.env['PATH'];
  process.env['PATH'] = '/nowhere';
  try {
    const opened = await openRepository({ home: project.home, project: project.folder, repairs: false });
    expect(opened).toMatchObject({ type: 'refused', failure: { code: 'git-unstarted', cwd: project.folder } });
  } finally {
    process.env['PATH'] = path;
  }
});

test('work is restored as a branch or as files, and nothing is overwritten by it', async () => {
  const { base, folder, root, repository } = project;
  const commit = commitOn(base, { 'src/a.txt': 'restored\n' });
  expect(await repository.restore({ commit, branch: 'back' })).toEqual({ type: 'restored' });
  expect(git(folder, 'rev-parse', 'back')).toBe(commit);
  const taken = { type: 'refused', failure: { code: 'branch-exists', branch: 'main' } };
  expect(await repository.restore({ commit, branch: 'main' })).toEqual(taken);
  expect(await repository.restore({ commit, branch: '..' })).toMatchObject({ failure: { code: 'branch-name' } });
  expect(await repository.restore({ commit, folder: `${root}/back` })).toEqual({ type: 'restored' });
  expect(readFileSync(join(root, 'back', 'src', 'a.txt'), 'utf8')).toBe('restored\n');
  const there = { type: 'refused', failure: { code: 'path-exists', path: folder } };
  expect(await repository.restore({ commit, folder })).toEqual(there);
});

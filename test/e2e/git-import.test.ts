import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Repository } from '../../src/shell/git/repository.ts';
import { leavesTree } from '../../src/shell/git/store/import-from.ts';
import { gitIn, makeProject, projectIn, temporaryFolder, writeFiles } from './git-project.given.ts';
import type { Files } from './git-project.given.ts';

const TARGET = 'refs/heddle/run-1/checkpoints/a/main/1';

interface Work {
  readonly gitDir: string;
  readonly tree: string;
  readonly git: (...args: readonly string[]) => string;
}

/** A private git directory with a checkout beside it, as a sandbox has. */
async function sandboxOf(repository: Repository, head: string): Promise<Work> {
  const folder = temporaryFolder();
  const [gitDir, tree] = [join(folder, 'git'), join(folder, 'tree')];
  mkdirSync(tree);
  const options = { folder: gitDir, head, branch: 'heddle/a', index: undefined };
  expect(await repository.privateGitDir(options)).toEqual({ type: 'made' });
  expect(await repository.privateGitDir(options)).toEqual({ type: 'present' });
  const git = (...args: readonly string[]): string =>
    gitIn(tree, `--git-dir=${gitDir}`, `--work-tree=${tree}`, ...args);
  git('reset', '--quiet', '--hard');
  return { gitDir, tree, git };
}

const importOf = async (repository: Repository, { gitDir }: Work, base: string) =>
  repository.importFrom({
    gitDir,
    refs: [{ source: 'refs/heads/heddle/a', target: TARGET }],
    base,
    uploadPack: ['git-upload-pack'],
  });

async function workOn(files: Files, work: Files) {
  const project = makeProject(files);
  const base = project.git('rev-parse', 'HEAD');
  const repository = await project.open();
  const sandbox = await sandboxOf(repository, base);
  writeFiles(sandbox.tree, work);
  sandbox.git('add', '--all');
  sandbox.git('commit', '--quiet', '--message', 'work');
  return { project, base, repository, sandbox };
}

describe('a private git directory', () => {
  test('shows a clean checkout of its commit and leaves nothing in any other repository', async () => {
    const project = makeProject({ 'a b': 'x\n', 'run.sh': { script: '#!/bin/sh\n' }, link: { link: 'a b' } });
    const base = project.git('rev-parse', 'HEAD');
    const sandbox = await sandboxOf(await project.open(), base);
    expect(sandbox.git('status', '--porcelain')).toBe('');
    expect(sandbox.git('rev-parse', 'HEAD')).toBe(base);
    expect(sandbox.git('symbolic-ref', 'HEAD')).toBe('refs/heads/heddle/a');
    writeFiles(sandbox.tree, { added: 'x\n' });
    sandbox.git('add', '--all');
    const made = sandbox.git('commit', '--quiet', '--message', 'work') + sandbox.git('rev-parse', 'HEAD');
    expect(() => project.git('cat-file', '-e', made)).toThrow(/./);
  });

  test('takes over what the user has set about line ends', async () => {
    const project = makeProject({ a: 'x\ny\n' });
    project.git('config', 'core.autocrlf', 'true');
    const sandbox = await sandboxOf(await project.open(), project.git('rev-parse', 'HEAD'));
    expect(readFileSync(join(sandbox.tree, 'a'), 'utf8')).toBe('x\r\ny\r\n');
  });

  test('works with the longer ids of sha256 as well', async () => {
    const folder = join(temporaryFolder(), 'project');
    mkdirSync(folder);
    gitIn(folder, 'init', '--quiet', '--initial-branch=main', '--object-format=sha256');
    const project = projectIn(folder);
    const base = project.commit({ a: '1\n', b: '1\n' });
    const repository = await project.open();
    const sandbox = await sandboxOf(repository, base);
    writeFiles(sandbox.tree, { a: '2\n' });
    sandbox.git('commit', '--quiet', '--all', '--message', 'work');
    const imported = await importOf(repository, sandbox, base);
    const other = project.branch(base, { b: '2\n' });
    const tip = imported.type === 'imported' ? (imported.commits[0] ?? '') : '';
    const merged = await repository.mergeOnto({ onto: other, tip, message: 'Merge', at: 0, usesResolutions: false });
    expect(merged).toMatchObject({ type: 'merged' });
    expect(merged.type === 'merged' ? merged.commit.length : 0).toBe(64);
    gitIn(repository.gitDir, 'fsck', '--strict');
  });
});

describe('an import', () => {
  test('brings every kind of file name, mode and link, byte for byte', async () => {
    const odd: Files = {
      'with space': '1\n',
      'quote"s\'': '2\n',
      'line\nend': '3\n',
      'ünï-cödé 🧵': '4\n',
      '-dash': '5\n',
      crlf: 'a\r\nb\r\n',
      'script.sh': { script: '#!/bin/sh\n' },
      'in/link': { link: '../crlf' },
      README: undefined,
      readme: 'case alone\n',
    };
    const { base, repository, sandbox } = await workOn({ README: 'case alone\n' }, odd);
    const imported = await importOf(repository, sandbox, base);
    const commit = sandbox.git('rev-parse', 'HEAD');
    expect(imported).toEqual({ type: 'imported', commits: [commit] });
    expect(await repository.read(TARGET)).toBe(commit);
    expect(await repository.list('refs/incoming')).toEqual([]);
    const changed = await repository.changedPaths(base, commit);
    expect(changed.map(({ path }) => path).sort()).toEqual(Object.keys(odd).sort());
    expect(changed.find(({ path }) => path === 'script.sh')).toMatchObject({ change: 'added', modeTo: '100755' });
    expect(changed.find(({ path }) => path === 'in/link')).toMatchObject({ modeTo: '120000' });
    expect(await importOf(repository, sandbox, base)).toEqual(imported);
  });

  test('refuses a repository inside the repository', async () => {
    const { base, repository, sandbox } = await workOn({ a: 'a\n' }, { b: 'b\n' });
    const nested = join(sandbox.tree, 'nested');
    mkdirSync(nested);
    gitIn(nested, 'init', '--quiet');
    gitIn(nested, 'commit', '--quiet', '--allow-empty', '--message', 'x');
    sandbox.git('add', '--all');
    sandbox.git('commit', '--quiet', '--message', 'nested');
    const imported = await importOf(repository, sandbox, base);
    expect(imported).toMatchObject({
      type: 'refused',
      failure: { code: 'nested-repository', path: 'nested' },
    });
    expect(await repository.read(TARGET)).toBeUndefined();
  });

  test('lets a submodule be that was there before', async () => {
    const inner = makeProject();
    const project = makeProject();
    project.git('submodule', '--quiet', 'add', inner.folder, 'module');
    const base = project.commit({ b: 'b\n' });
    const repository = await project.open();
    expect(repository.user.submodules).toEqual(['module']);
    const sandbox = await sandboxOf(repository, base);
    writeFiles(sandbox.tree, { c: 'c\n' });
    sandbox.git('add', '--all');
    sandbox.git('commit', '--quiet', '--message', 'work');
    expect(await importOf(repository, sandbox, base)).toMatchObject({ type: 'imported' });
  });

  test('refuses a link that leaves the tree', async () => {
    const { base, repository, sandbox } = await workOn({ a: 'a\n' }, { 'in/link': { link: '../../outside' } });
    const imported = await importOf(repository, sandbox, base);
    expect(imported).toMatchObject({ type: 'refused', failure: { code: 'link-leaves', path: 'in/link' } });
  });

  test('refuses trees that git would be fooled by', async () => {
    const { base, repository, sandbox } = await workOn({ a: 'a\n' }, { b: 'b\n' });
    const mktree = (input: string): string =>
      execFileSync('git', [`--git-dir=${sandbox.gitDir}`, 'mktree', '--missing'], { input, encoding: 'utf8' }).trim();
    const blob = sandbox.git('rev-parse', 'HEAD:b');
    const tree = mktree(`040000 tree ${mktree(`100644 blob ${blob}\tconfig\n`)}\t.git\n`);
    sandbox.git('update-ref', 'refs/heads/heddle/a', sandbox.git('commit-tree', '-m', 'x', '-p', base, tree));
    const imported = await importOf(repository, sandbox, base);
    expect(imported).toMatchObject({
      type: 'refused',
      failure: { code: 'import-failed', stderr: expect.stringContaining('.git') },
    });
  });

  test('does not overwrite other work under the same name', async () => {
    const { base, repository, sandbox } = await workOn({ a: 'a\n' }, { b: 'b\n' });
    const first = await importOf(repository, sandbox, base);
    sandbox.git('reset', '--quiet', '--hard', base);
    writeFiles(sandbox.tree, { c: 'c\n' });
    sandbox.git('add', '--all');
    sandbox.git('commit', '--quiet', '--message', 'other');
    const second = await importOf(repository, sandbox, base);
    expect(second).toMatchObject({ type: 'refused', failure: { code: 'import-drops', ref: TARGET } });
    expect([await repository.read(TARGET)]).toEqual(first.type === 'imported' ? first.commits : []);
  });

  test('starts upload-pack with its arguments unchanged, however odd they are', async () => {
    const { base, repository, sandbox } = await workOn({ a: 'a\n' }, { b: 'b\n' });
    const script = join(dirname(sandbox.tree), "up load'er");
    const witness = join(dirname(sandbox.tree), 'witness');
    writeFileSync(script, `#!/bin/sh\nprintf '%s' "$1" > '${witness}'\nshift\nexec git-upload-pack "$@"\n`, {
      mode: 0o755,
    });
    const refs = [{ source: 'refs/heads/heddle/a', target: TARGET }];
    const uploadPack = [script, "it's $HOME"];
    expect(await repository.importFrom({ gitDir: sandbox.gitDir, refs, base, uploadPack })).toMatchObject({
      type: 'imported',
    });
    expect(readFileSync(witness, 'utf8')).toBe("it's $HOME");
  });

  test('of a missing commit is refused with the message of git', async () => {
    const { base, repository, sandbox } = await workOn({ a: 'a\n' }, { b: 'b\n' });
    const refs = [{ source: 'refs/heads/none', target: TARGET }];
    const imported = await repository.importFrom({
      gitDir: sandbox.gitDir,
      refs,
      base,
      uploadPack: ['git-upload-pack'],
    });
    expect(imported).toMatchObject({
      type: 'refused',
      failure: { stderr: expect.stringContaining('refs/heads/none') },
    });
  });
});

describe('a link', () => {
  test.for([
    ['a', '/etc/passwd', true],
    ['a', '../x', true],
    ['a/b', '../x', false],
    ['a/b', '../../x', true],
    ['a/b/c', 'd/../../../../x', true],
    ['x', 'd1/d2/up/..', true],
    ['a', 'b/./c', false],
    ['a', '.git/hooks', true],
    ['a/b', '../.GIT/config', true],
    ['a', '.', false],
    ['a', '', false],
  ] as const)('%s to %s leaves the tree: %s', ([path, aim, leaves]) => {
    expect(leavesTree(path, aim)).toBe(leaves);
  });
});

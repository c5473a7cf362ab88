import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Sandbox } from './sandbox.ts';
import {
  AT,
  git,
  givenProject,
  givenSandboxes,
  inside,
  needOf,
  removeProject,
  WAYS,
  type GivenRepository,
} from './sandboxes.given.ts';
import { need } from '../../../test/needs.given.ts';
import type { Sandboxes } from './sandboxes.ts';
import { uncommitted } from './commit-inside.ts';

/** The best that works here. */
const needed = await Promise.all(WAYS.map(async (way) => ({ way, ...(await needOf(way)) })));
const way = needed.find(({ missing }) => missing === undefined)?.way ?? 'checkout';
const REF = 'refs/heddle/r/checkpoints/t/main/1';

let project: GivenRepository;
let sandboxes: Sandboxes;
let sandbox: Sandbox;
beforeEach(async () => {
  project = await givenProject(way);
  sandboxes = await givenSandboxes(project, way);
  sandbox = await open();
});
afterEach(async () => removeProject(project));

async function open(): Promise<Sandbox> {
  const opened = await sandboxes.open({ run: 'r', task: 't', base: project.base, from: undefined, at: AT });
  if (opened.type === 'failed') throw new Error(opened.failure.code);
  return opened.sandbox;
}

const checkpoint = (ref = REF) => sandbox.checkpoint({ message: 'Work\n', at: AT, ref });
const subjects = (...revisions: readonly string[]): readonly string[] =>
  git(project.repository.gitDir, 'log', '--format=%s', ...revisions).split('\n');

/** Whatever was done to git, what is in the tree is committed on the base, and git works again inside. */
async function expectCommitted(path: string): Promise<string> {
  const done = await checkpoint();
  expect(done).toMatchObject({ type: 'committed' });
  const commit = done.type === 'committed' ? done.commit : '';
  expect(git(project.repository.gitDir, 'rev-parse', `${commit}^`)).toBe(project.base);
  expect(git(project.repository.gitDir, 'show', `${commit}:${path}`)).toBe('work');
  expect(inside(sandbox, 'git status --porcelain; git rev-parse HEAD; git symbolic-ref HEAD')).toBe(
    `${commit}\nrefs/heads/heddle/r/t\n`,
  );
  return commit;
}

/** Nothing that an agent ever committed is lost when its sandbox goes. */
async function expectKept(...messages: readonly string[]): Promise<void> {
  expect(await sandbox.destroy()).toMatchObject({ type: 'destroyed' });
  const refs = await project.repository.list('refs/heddle/r');
  expect(subjects(...refs.map(({ ref }) => ref))).toEqual(expect.arrayContaining([...messages]));
}

describe('a checkpoint takes what is in the tree, whatever an agent did to git', () => {
  test('it committed by itself', async () => {
    inside(sandbox, 'echo work > f; git add -A; git commit -qm own-one; git commit -q --allow-empty -m own-two');
    await expectCommitted('f');
    await expectKept('own-one', 'own-two');
  });

  test('it switched branches and left the commits of another behind', async () => {
    inside(
      sandbox,
      'git checkout -qb mine; echo x > x; git add -A; git commit -qm on-mine; git checkout -q heddle/r/t',
    );
    inside(sandbox, 'echo work > f; git stash -qu; git stash apply -q');
    await expectCommitted('f');
    await expectKept('on-mine');
  });

  test('it dropped a commit that only the log of its refs remembers', async () => {
    inside(sandbox, 'echo x > x; git add -A; git commit -qm dropped; git reset -q --hard HEAD~1; echo work > f');
    await expectCommitted('f');
    await expectKept('dropped');
  });

  test('it left locks', async () => {
    inside(
      sandbox,
      'echo work > f; d=$(git rev-parse --git-dir); cd "$d"; touch index.lock HEAD.lock refs/heads/heddle/r/t.lock',
    );
    await expectCommitted('f');
  });

  test('it left a merge with conflicts', async () => {
    inside(sandbox, 'git checkout -qb other; echo o > README.md; git commit -qam other; git checkout -q heddle/r/t');
    inside(sandbox, 'echo t > README.md; git commit -qam this; git merge -q other || true; echo work > README.md');
    await expectCommitted('README.md');
    await expectKept('other', 'this');
  });

  test('it left a rebase with conflicts', async () => {
    inside(sandbox, 'git checkout -qb other; echo o > README.md; git commit -qam other; git checkout -q heddle/r/t');
    inside(sandbox, 'echo t > README.md; git commit -qam this; git rebase -q other || true; echo work > README.md');
    await expectCommitted('README.md');
    await expectKept('other', 'this');
  });

  test('it told the index to look away', async () => {
    inside(sandbox, 'git update-index --assume-unchanged README.md; echo work > README.md');
    await expectCommitted('README.md');
  });

  test('it emptied its git directory', async () => {
    inside(sandbox, 'echo work > f; d=$(git rev-parse --git-dir); find "$d" -mindepth 1 -delete');
    await expectCommitted('f');
  });

  test('it put a file where its git directory was', async () => {
    inside(sandbox, 'echo work > f; d=$(git rev-parse --git-dir); rm -r "$d"; echo no > "$d"');
    await expectCommitted('f');
  });

  test('it removed the pointer to its git directory', async () => {
    inside(sandbox, 'echo work > f; rm .git');
    await expectCommitted('f');
  });

  test('it made a repository of its own in place of ours', async () => {
    inside(
      sandbox,
      'rm .git; git init -q; echo work > f; git add -A; git -c user.name=a -c user.email=a@b commit -qm fresh',
    );
    await expectCommitted('f');
    await expectKept('fresh');
  });

  test('it planted programs that git would start', async () => {
    inside(
      sandbox,
      'd=$(git rev-parse --git-dir); mkdir -p "$d/hooks"; printf "#!/bin/sh\\ntouch hooked\\n" > "$d/hooks/post-index-change"',
    );
    inside(
      sandbox,
      'd=$(git rev-parse --git-dir); chmod +x "$d"/hooks/*; git config core.fsmonitor "touch hooked; false"',
    );
    inside(sandbox, 'git config filter.x.clean "touch hooked; cat"; echo "* filter=x" > .gitattributes; echo work > f');
    const done = await checkpoint();
    expect(done).toMatchObject({ type: 'committed' });
    expect(inside(sandbox, 'ls hooked 2>/dev/null || echo none')).toBe('none\n');
  });
});

describe('what cannot be committed is named and stays where it is', () => {
  test('a repository inside the tree', async () => {
    inside(
      sandbox,
      'git init -q sub; cd sub; echo x > x; git add -A; git -c user.name=a -c user.email=a@b commit -qm sub',
    );
    const failure = { code: 'nested-repository', path: 'sub' };
    expect(await checkpoint()).toMatchObject({ type: 'failed', failure });
    expect(await sandbox.destroy()).toMatchObject({ type: 'kept', kept: { code: 'kept-unsaved', failure } });
    expect(inside(await open(), 'cat sub/x')).toBe('x\n');
  });

  test('an empty repository inside the tree', async () => {
    inside(sandbox, 'git init -q sub; echo x > sub/x');
    expect(await checkpoint()).toMatchObject({ type: 'failed', failure: { path: 'sub/', why: 'repository' } });
  });

  test('a link that leaves the tree', async () => {
    inside(sandbox, 'ln -s /etc/passwd secrets');
    expect(await checkpoint()).toMatchObject({ type: 'failed', failure: { code: 'link-leaves', path: 'secrets' } });
    inside(sandbox, 'rm secrets; echo work > f');
    await expectCommitted('f');
  });

  test('a name that git keeps to itself', async () => {
    inside(sandbox, 'mkdir -p q/.GIT; echo precious > q/.GIT/x; echo work > f');
    const failure = { code: 'not-committable', path: 'q/.GIT/x', why: 'name' };
    expect(await checkpoint()).toMatchObject({ type: 'failed', failure });
    expect(await sandbox.destroy()).toMatchObject({ type: 'kept', kept: { failure } });
    inside(await open(), 'rm -r q');
    await expectCommitted('f');
  });

  test('what may not be read', () => {
    // Whoever runs this as root may read everything, so these are the words of a git that may not.
    const said = `warning: could not open directory 'l/': Permission denied\nerror: open("u"): Permission denied`;
    expect(uncommitted('/tree', said)).toMatchObject({ path: 'l/', why: 'permission' });
    expect(uncommitted('/tree', 'error: open("u"): Permission denied')).toMatchObject({ path: 'u', why: 'permission' });
    expect(uncommitted('/tree', 'fatal: other')).toEqual({
      code: 'not-committed',
      folder: '/tree',
      stderr: 'fatal: other',
    });
  });

  test('a note that cannot be read keeps all of its sandbox', async () => {
    inside(sandbox, 'echo precious > precious');
    writeFileSync(join(project.home, 'sandboxes', 'r', 't', 'note.json'), '{"run":');
    const recovered = await sandboxes.recover({ isWanted: () => true });
    expect(recovered.repairs).toMatchObject([{ code: 'kept-unknown' }]);
    expect(git(project.home, 'ls-files', '-o', '--', 'kept/').includes('precious')).toBe(true);
  });
});

test('a template that somebody removed is told, and nothing is lost by it', async (context) => {
  need(context, await needOf('overlay'));
  inside(sandbox, 'echo work > f');
  await sandboxes.recover({ isWanted: () => true });
  rmSync(join(project.home, 'templates'), { recursive: true });
  expect(await sandbox.destroy()).toMatchObject({ type: 'kept' });
});

/** A checkpoint comes as loose objects or in a pack, by how trees are made here. */
function loseCheckpoint(): void {
  const { gitDir } = project.repository;
  git(gitDir, 'update-ref', '-d', REF);
  git(gitDir, 'repack', '-adlq');
  git(gitDir, 'prune', '--expire=now');
}

test('a checkpoint that the integration repository has lost comes back when its sandbox is opened again', async () => {
  inside(sandbox, 'echo work > f');
  const commit = await expectCommitted('f');
  loseCheckpoint();
  expect(await project.repository.commitOf(commit)).toBeUndefined();
  sandbox = await open();
  expect(await project.repository.commitOf(commit)).toBe(commit);
  expect(await project.repository.list('refs/heddle/r/')).toMatchObject([{ commit }]);
});

test('a sandbox whose base the integration repository has lost is kept aside, and made anew from another base', async () => {
  const on = (base: string) => sandboxes.open({ run: 'r', task: 'later', base, from: undefined, at: AT });
  inside(sandbox, 'echo work > f');
  const lost = await expectCommitted('f');
  await sandbox.destroy();
  const later = await on(lost);
  if (later.type === 'failed') throw new Error(later.failure.code);
  inside(later.sandbox, 'echo half > half');
  loseCheckpoint();
  expect(await on(lost)).toMatchObject({ type: 'failed' });
  const again = await on(project.base);
  if (again.type === 'failed') throw new Error(again.failure.code);
  expect(inside(again.sandbox, 'ls f half 2>/dev/null || git rev-parse HEAD')).toBe(`${project.base}\n`);
  expect(readdirSync(join(project.home, 'kept', 'r'), { recursive: true }).join('\n')).toMatch(/^later-.*\/half$/m);
});

// A hostile program plants what git would run or follow. None of it runs outside, with isolation and without: what commits
// and imports the work never asks what the program wrote what to run.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isolation, skipUnless } from '../../needs.given.ts';
import { endPrisonsAfterEach, givenPrison } from './prison.given.ts';

endPrisonsAfterEach();

const ISOLATION = await isolation();

const ISOLATIONS = ['none', 'os'] as const;

/** Leaves a trace that says what ran it, wherever that is; the program itself never calls it. */
const HEAD = `set -e
trap_for() { printf '#!/bin/sh\\ntouch "%s/ran-%s"\\ncat\\n' "$OUTSIDE" "$1" > "$TMPDIR/$1"; chmod +x "$TMPDIR/$1"; echo "$TMPDIR/$1"; }
git_dir=$(git rev-parse --absolute-git-dir)
echo changed >> src/one.txt
`;

const ALL_HOOKS =
  'applypatch-msg pre-applypatch post-applypatch pre-commit prepare-commit-msg commit-msg post-commit pre-merge-commit pre-rebase post-checkout post-merge pre-push pre-receive update proc-receive post-receive post-update reference-transaction push-to-checkout pre-auto-gc post-rewrite fsmonitor-watchman post-index-change';

/** By name: what is planted. All of it is there when the work is committed, imported, checked, merged and thrown away. */
const PLANTS: Readonly<Record<string, string>> = {
  hooks: `mkdir -p "$git_dir/hooks"; for hook in ${ALL_HOOKS}; do cp "$(trap_for hooks)" "$git_dir/hooks/$hook"; done`,
  'core.hooksPath': `mkdir hooked; for hook in ${ALL_HOOKS}; do cp "$(trap_for hooksPath)" hooked/$hook; done; git config core.hooksPath "$PWD/hooked"`,
  'core.fsmonitor': 'git config core.fsmonitor "$(trap_for fsmonitor)"',
  'include.path':
    'printf "[core]\\n\\tfsmonitor = %s\\n" "$(trap_for include)" > "$git_dir/more"; git config include.path "$git_dir/more"',
  'settings of a worktree':
    'git config extensions.worktreeConfig true; printf "[core]\\n\\tfsmonitor = %s\\n" "$(trap_for worktree)" > "$git_dir/config.worktree"',
  'programs of settings':
    'for key in diff.external gpg.program core.pager core.editor core.sshCommand core.askPass credential.helper uploadpack.packObjectsHook core.alternateRefsCommand sequence.editor; do git config $key "$(trap_for $key)"; done; git config commit.gpgSign true',
  filters:
    'echo "* filter=own diff=own merge=own" > .gitattributes; for key in filter.own.clean filter.own.smudge filter.own.process diff.own.textconv diff.own.command merge.own.driver; do git config $key "$(trap_for $key)"; done; git config filter.own.required true',
  'attributes in the git directory':
    'mkdir -p "$git_dir/info"; echo "* filter=own" > "$git_dir/info/attributes"; git config filter.own.clean "$(trap_for attributes)"',
  'another git directory':
    'git init -q "$TMPDIR/other"; git --git-dir="$TMPDIR/other/.git" config core.fsmonitor "$(trap_for other)"; git --git-dir="$TMPDIR/other/.git" config filter.own.clean "$(trap_for otherfilter)"; echo "* filter=own" > .gitattributes; echo "gitdir: $TMPDIR/other/.git" > .git',
  'a git directory in the tree':
    'rm .git; git init -q .; git config core.fsmonitor "$(trap_for inner)"; for hook in pre-commit post-commit post-checkout; do cp "$(trap_for innerhook)" .git/hooks/$hook; done',
  'templates and settings of the home folder':
    'printf "[core]\\n\\tfsmonitor = %s\\n\\thooksPath = %s\\n" "$(trap_for home)" "$PWD/hooked" > "$TMPDIR/gitconfig"; git config --add include.path "$TMPDIR/gitconfig"',
  alternates:
    'mkdir -p "$TMPDIR/alternate/pack"; printf "%s\\n../../../../../../../../etc\\n" "$TMPDIR/alternate" >> "$git_dir/objects/info/alternates"; git config core.alternateRefsCommand "$(trap_for alternates)"',
  'replaced objects':
    'git replace -f HEAD "$(git commit-tree -m other HEAD^{tree})"; mkdir -p "$git_dir/info"; git rev-parse HEAD > "$git_dir/shallow"; git rev-parse HEAD > "$git_dir/info/grafts"',
  locks:
    'touch "$git_dir/index.lock" "$git_dir/HEAD.lock" "$git_dir/config.lock"; mkdir -p "$git_dir/refs/heads/heddle/world-1"; touch "$git_dir/refs/heads/heddle/world-1/rogue.lock"',
  'a spoilt index': 'echo spoilt > "$git_dir/index"; echo spoilt > "$git_dir/HEAD"; rm -rf "$git_dir/refs"',
};

describe.each(ISOLATIONS)('with isolation %s', (wanted) => {
  if (wanted === 'os') skipUnless(ISOLATION);

  test.each(Object.keys(PLANTS))('planted %s run nowhere and cost no work', async (name) => {
    const prison = givenPrison({
      sandbox: `isolation: ${wanted}`,
      tasks: `merge: { check: test -s src/one.txt }
tasks:
  rogue:
    steps:
      - { id: plant, run: sh rogue.sh }
      - { id: after, run: echo after >> src/one.txt }
`,
      files: { 'rogue.sh': `${HEAD}${PLANTS[name] ?? ''}\n` },
    });
    const before = prison.fingerprint();
    const ran = await prison.heddle('run');
    expect(ran.out + ran.errors).toContain('1 of 1 task completed');
    expect(prison.traces()).toEqual([]);
    expect(prison.git('show', 'heddle/world-1:src/one.txt')).toBe('one\nchanged\nafter');
    expect(prison.fingerprint()).toEqual(before);
    prison.git('fsck', '--strict');
  });

  test('a repository inside the tree is refused in words, and nothing of it runs, however often it is tried', async () => {
    const prison = givenPrison({
      sandbox: `isolation: ${wanted}`,
      tasks: `tasks:
  rogue: { attempts: 3, run: sh rogue.sh }
`,
      files: { 'rogue.sh': `${HEAD}${NESTED}` },
    });
    const ran = await prison.heddle('run');
    expect(ran.code).toBe(1);
    expect(ran.out).toMatch(/repository (inside|of its own)/);
    expect(prison.traces()).toEqual([]);
    expect(prison.git('for-each-ref', '--format=%(refname)', 'refs/heads')).not.toContain('rogue');
  });

  test('a repository in the place of a submodule runs nothing, and the rest of the work is kept', async () => {
    const prison = givenPrison({
      sandbox: `isolation: ${wanted}`,
      tasks: `tasks:
  rogue:
    steps:
      - { id: plant, run: sh rogue.sh }
      - { id: after, run: echo y > nested/file; echo after >> src/one.txt }
`,
      files: { 'rogue.sh': `${HEAD}${NESTED}` },
    });
    execFileSync('sh', ['-c', NESTED_COMMIT], { cwd: prison.userHome });
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], {
      cwd: join(prison.userHome, 'nested'),
      encoding: 'utf8',
    });
    prison.git('update-index', '--add', '--cacheinfo', `160000,${commit.trim()},nested`);
    prison.git('commit', '-qm', 'a submodule');
    const ran = await prison.heddle('run');
    expect(ran.out).toContain('1 of 1 task completed');
    expect(prison.traces()).toEqual([]);
    expect(prison.git('show', 'heddle/world-1:src/one.txt')).toBe('one\nchanged\nafter');
    expect(prison.git('rev-parse', 'heddle/world-1:nested')).toBe(commit.trim());
  });
});

describe.each(ISOLATIONS)('with isolation %s, when work is committed,', (wanted) => {
  if (wanted === 'os') skipUnless(ISOLATION);

  test.each([
    ['/etc/passwd', 'an absolute path'],
    ['../../../../../../etc/passwd', 'a path upwards'],
    ['.git/config', 'what is gits'],
  ])('a link to %s is refused, because it is %s', async (aim) => {
    const prison = givenPrison({
      sandbox: `isolation: ${wanted}`,
      tasks: 'tasks:\n  rogue:\n    run: sh rogue.sh\n',
      files: { 'rogue.sh': `ln -s '${aim}' src/link\n` },
    });
    const ran = await prison.heddle('run');
    expect(ran.code).toBe(1);
    expect(ran.out).toContain('leaves the tree');
  });

  test('links in the place of folders are not followed', async () => {
    const prison = givenPrison({
      sandbox: `isolation: ${wanted}`,
      tasks: 'tasks:\n  rogue:\n    run: sh rogue.sh\n',
      files: {
        'rogue.sh':
          'rm -rf src; ln -s "$OUTSIDE" src; ln -sf "$OUTSIDE/index" "$(git rev-parse --absolute-git-dir)/index"\n',
      },
    });
    const ran = await prison.heddle('run');
    expect(ran.code).toBe(1);
    expect(ran.out).toContain('leaves the tree');
    expect(prison.traces()).toEqual([]);
    expect(existsSync(join(prison.outside, 'one.txt'))).toBe(false);
  });
});

const NESTED_COMMIT = `
git init -q nested
git -C nested config user.name a
git -C nested config user.email a@localhost
echo x > nested/file
git -C nested add file
GIT_AUTHOR_DATE='@1 +0000' GIT_COMMITTER_DATE='@1 +0000' git -C nested commit -qm x
`;

/** Git looks into a repository that it knows as a submodule, and asks its settings what to run. */
const NESTED = `if [ ! -e nested/.git ]; then ${NESTED_COMMIT} fi
echo "* filter=own" > nested/.gitattributes
for key in core.fsmonitor filter.own.clean filter.own.process diff.external; do git -C nested config $key "$(trap_for nested-$key)"; done
touch nested/file
`;

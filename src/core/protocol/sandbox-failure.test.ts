import { describe, expect, test } from 'vitest';
import { gitFailureText } from './git-failure.ts';
import { failureText, unresolvedText, type SandboxFailure } from './sandbox-failure.ts';

/** Failures, each with a part of its sentence: where it happened, and what to do next. */
const SAID: readonly (readonly [SandboxFailure, string])[] = [
  [{ code: 'git-failed', command: 'gc', gitDir: '/g', stderr: 'no' }, '`git gc` failed on /g: no'],
  [{ code: 'git-unstarted', cwd: '/p', cause: 'ENOENT' }, 'git could not be started in /p: ENOENT'],
  [{ code: 'git-killed', command: 'gc', cwd: '/p', signal: 'SIGKILL' }, 'was ended by SIGKILL.'],
  [{ code: 'git-timeout', command: 'gc', cwd: '/p', limitMs: 5 }, 'it took longer than 5 ms.'],
  [{ code: 'repository-not-made', folder: '/g', cause: 'ENOSPC' }, 'The git directory /g could not be made: ENOSPC'],
  [{ code: 'commit-not-written', folder: '/g', cause: 'ENOSPC' }, 'could not be written to /g: ENOSPC'],
  [{ code: 'not-a-tree', id: 'x' }, '"x" is no id of a tree'],
  [{ code: 'commit-not-copied', commit: 'c', gitDir: '/g', stderr: 'no' }, 'c could not be carried into /g: no'],
  [{ code: 'project-missing', folder: '/p' }, '/p does not exist.'],
  [{ code: 'project-line-break', folder: '/p\n' }, '"/p\\n" has a line break in it; rename the folder.'],
  [{ code: 'not-a-repository', folder: '/p' }, 'Run `git init` there and commit once.'],
  [{ code: 'not-trusted', folder: '/p' }, '`git config --global --add safe.directory /p`'],
  [{ code: 'repository-unreadable', folder: '/p', stderr: 'no' }, 'git does not work on /p: no'],
  [{ code: 'partial-clone', folder: '/p' }, 'Run Heddle in a full clone.'],
  [{ code: 'ref-in-the-way', ref: 'refs/heads/heddle' }, '`git branch -m heddle ANOTHER-NAME`'],
  [{ code: 'ref-in-the-way', ref: 'refs/heddle' }, '`git update-ref -d refs/heddle`'],
  [{ code: 'only-ref', ref: 'r', commit: 'c' }, 'r is the only ref that holds c'],
  [{ code: 'ref-moved', ref: 'r' }, 'r was moved by somebody else meanwhile.'],
  [{ code: 'ref-elsewhere', ref: 'r', at: undefined }, 'r is at nothing, where Heddle did not put it'],
  [{ code: 'queues-compete', run: 'a-1', ref: 'r' }, 'Other merge queues of a-1 keep moving r'],
  [{ code: 'import-failed', gitDir: '/g', stderr: 'no' }, 'git did not take what came from /g: no'],
  [{ code: 'import-lost', ref: 'r' }, 'try once more.'],
  [{ code: 'import-not-a-commit', ref: 'r', kind: 'tag' }, 'What came for r is a tag and not a commit.'],
  [{ code: 'import-drops', ref: 'r', commit: 'c' }, 'r holds c, which what came does not contain'],
  [{ code: 'submodule-moved', path: 's' }, 'The submodule at "s" was moved to another commit'],
  [{ code: 'nested-repository', path: 's' }, '"s" is a repository inside the repository'],
  [{ code: 'link-leaves', path: 'l', target: '/etc' }, 'The symbolic link "l" leaves the tree (it points to "/etc")'],
  [{ code: 'branch-ahead', ref: 'r', commit: 'c' }, 'r of the user has commits that the run has not (c)'],
  [{ code: 'branch-checked-out', ref: 'r', folder: '/p' }, 'r is checked out at /p'],
  [{ code: 'branch-name', branch: '..' }, '".." cannot be the name of a branch'],
  [{ code: 'branch-exists', branch: 'b' }, 'There is a branch b already'],
  [{ code: 'path-exists', path: '/p' }, 'There is something at /p already'],
  [{ code: 'target-missing', target: 'main' }, 'There is no branch main to land on'],
  [{ code: 'target-ahead', target: 'main' }, 'land by a merge instead.'],
  [{ code: 'target-checked-out-twice', target: 'main' }, 'main is checked out twice'],
  [{ code: 'target-checked-out', target: 'main', folder: '/p' }, 'main is checked out at /p'],
  [{ code: 'target-moved', ref: 'r', folder: '/p' }, 'run `git status` in /p.'],
  [{ code: 'landing-runs', ref: 'r', pid: 7 }, 'Process 7 is landing on r at this moment'],
  [{ code: 'git-runs', folder: '/p', pid: 7 }, 'git is at work in /p (process 7)'],
  [{ code: 'lock-held', lock: '/l' }, '/l is held by a git that is still at work'],
  [{ code: 'landing-killed', folder: '/p', path: 'a' }, '"a" has been changed there since'],
  [{ code: 'checkout-not-restored', folder: '/p', stderr: 'no' }, 'The checkout at /p could not be put back: no'],
  [{ code: 'checkout-not-updated', folder: '/p', stderr: 'no' }, 'The checkout at /p could not be brought along: no'],
  [{ code: 'checkout-unfinished', folder: '/p', file: 'MERGE_HEAD' }, 'in the middle of something (MERGE_HEAD)'],
  [{ code: 'checkout-changed', folder: '/p', path: 'a' }, 'changes that are not committed (a)'],
  [{ code: 'checkout-untracked', folder: '/p', path: 'a' }, 'a file "a" that git does not track'],
  [{ code: 'isolation-missing', why: 'not-installed' }, 'install it, for instance with apt install bubblewrap.'],
  [
    { code: 'bubblewrap-fails', program: '/b', stderr: 'bwrap: no' },
    'does not work: bwrap: no. Try again or repair it',
  ],
  [{ code: 'bubblewrap-fails', program: '/b', stderr: '' }, 'it does not hide what it should. Try again'],
  [
    {
      code: 'tree-unavailable',
      tree: 'overlay',
      causes: [
        { code: 'not-linux' },
        { code: 'overlay', mounter: 'user', stderr: 'no' },
        { code: 'snapshot', stderr: 'no' },
      ],
    },
    'sandbox.tree is overlay, which does not work here: Overlays need Linux. An overlay cannot be mounted by the root of a user namespace: no There are no snapshots here: no Use auto or checkout.',
  ],
  [{ code: 'btrfs-failed', command: 'subvolume create', stderr: 'no' }, '`btrfs subvolume create` failed: no'],
  [
    { code: 'not-checked-out', commit: 'c', failure: { code: 'ref-moved', ref: 'r' } },
    'The files of c could not be checked out: r was moved by somebody else meanwhile.',
  ],
  [{ code: 'not-advanced', commit: 'c', folder: '/t', stderr: 'no' }, 'c could not be put into /t: no'],
  [{ code: 'template-removed', name: 't' }, 'The template t was removed; try again.'],
  [{ code: 'layer-not-copied', folder: '/t', stderr: 'no' }, 'could not be copied into /t: no'],
  [{ code: 'link-outside', path: '../x' }, 'sandbox.link: ../x is not a folder below the project'],
  [{ code: 'link-tracked', path: 'x' }, 'sandbox.link: x is part of the repository'],
  [{ code: 'link-missing', path: '/x' }, 'sandbox.link: /x does not exist'],
  [
    { code: 'setup-failed', command: 'make', exitCode: undefined, output: 'no' },
    'sandbox.setup failed with a signal: make\nno',
  ],
  [{ code: 'setup-unlisted', stderr: 'no' }, 'What set-up made could not be listed: no'],
  [{ code: 'no-ports' }, 'There are no free ports left for another sandbox.'],
  [{ code: 'other-tree', folder: '/s', made: 'overlay', wanted: 'checkout' }, 'set sandbox.tree to overlay'],
  [{ code: 'sandbox-missing', folder: '/s' }, 'There is no sandbox at /s; open it again.'],
  [{ code: 'claim-in-place' }, 'This claim runs in place.'],
  [{ code: 'not-committable', path: 'a', folder: '/t', why: 'permission' }, 'a in /t may not be read'],
  [{ code: 'not-committed', folder: '/t', stderr: 'no' }, 'What is in /t could not be committed: no'],
  [{ code: 'commits-unreadable', folder: '/t', stderr: 'no' }, 'Commits made in /t could not be read: no'],
  [{ code: 'needs-conflict', task: 'late', paths: ['a', 'b'] }, 'What late needs does not fit together in a, b.'],
  [{ code: 'unresolved', reasons: [{ code: 'markers', paths: ['a'] }] }, 'There are conflict markers in a.'],
  [{ code: 'check-unstarted', command: 'make', cause: 'ENOENT' }, 'The check `make` cannot be started. ENOENT'],
  [{ code: 'check-killed', command: 'make', signal: 'SIGKILL' }, 'was ended by SIGKILL, which Heddle did not send.'],
  [{ code: 'check-stopped', command: 'make' }, 'The check `make` was stopped.'],
  [{ code: 'output-unwritable', file: '/o', cause: 'ENOSPC' }, 'cannot be kept in /o: ENOSPC'],
];

test.each(SAID)('a failure is said in a sentence with its facts: %j', (failure, words) => {
  expect(failureText(failure)).toContain(words);
});

test('a failure of git reads the same wherever it comes from', () => {
  const failure = { code: 'ref-moved', ref: 'r' } as const;
  expect(gitFailureText(failure)).toBe(failureText(failure));
});

describe('what is missing in a resolution', () => {
  test('is said for each reason', () => {
    expect([
      unresolvedText({ code: 'side-names', paths: ['a~x'] }),
      unresolvedText({ code: 'deleted', paths: ['a'] }),
      unresolvedText({ code: 'note', note: 'HEDDLE-CONFLICTS.md' }),
      unresolvedText({ code: 'dropped', side: 'ours', paths: ['b'] }),
      unresolvedText({ code: 'nothing-left', side: 'theirs' }),
    ]).toEqual([
      'a~x still has the name that git gave it to keep both sides apart.',
      'a was deleted, though both sides have it: keep what both were to do.',
      'HEDDLE-CONFLICTS.md is still there: decide what it lists, then delete it.',
      'The work of this task in b was dropped.',
      'Nothing of the work of the other side is left.',
    ]);
  });

  test('names no more than ten paths', () => {
    const paths = Array.from({ length: 12 }, (_, index) => `f${index}`);
    expect(unresolvedText({ code: 'markers', paths })).toMatch(/f9, 2 more\.$/);
  });
});

import { describe, expect, test } from 'vitest';
import { GitError } from '../run/git-error.ts';
import { transferFailureOf, transferFailureOfError, type FailedTransfer } from './transfer-error.ts';

const ADDRESS = 'https://laptop:8321';

const given = (answer: Partial<FailedTransfer['answer']>, more: Partial<FailedTransfer> = {}) =>
  transferFailureOf({
    address: ADDRESS,
    whose: 'ours',
    gitDir: '/repo.git',
    args: ['push'],
    answer: { code: 128, output: Buffer.alloc(0), stderr: '', ...answer },
    ref: 'refs/heddle/a',
    ...more,
  });

describe('a transfer that failed', () => {
  test.for([
    ['fatal: remote error: upload-pack: not our ref 0123abcd', { code: 'commit-missing', commit: '0123abcd' }],
    ["fatal: unable to find remote helper for 'https'", { code: 'no-git-http' }],
    ["fatal: repository 'https://laptop:8321/' not found", { code: 'not-yours', ref: 'refs/heddle/a' }],
    ["fatal: could not read Username for 'https://laptop:8321'", { code: 'access-refused', status: 401 }],
    ['fatal: The requested URL returned error: 403', { code: 'access-refused', status: 403 }],
    ['fatal: The requested URL returned error: 409', { code: 'not-yours' }],
    [
      'error: RPC failed; HTTP 413 curl 22 The requested URL returned error: 413',
      { code: 'objects-refused', ref: 'refs/heddle/a' },
    ],
    ['error: RPC failed; HTTP 503 curl 22', { code: 'link-busy', address: ADDRESS }],
    ['error: RPC failed; HTTP 502 curl 22', { code: 'link-away', address: ADDRESS }],
    ['fatal: the remote end hung up unexpectedly', { code: 'link-away', address: ADDRESS }],
    ['fatal: Could not resolve host: laptop', { code: 'link-away', address: ADDRESS }],
    ['fatal: not a git repository', { code: 'git-here', failure: { code: 'git-failed', command: 'push' } }],
    ['', { code: 'git-here', failure: { stderr: 'it ended with exit code 128' } }],
  ] as const)('with "%s" has the code of what happened', ([stderr, expected]) => {
    expect(given({ stderr })).toMatchObject(expected);
  });

  test('to a remote of the user is refused by the remote in its own words', () => {
    const stderr = 'fatal: The requested URL returned error: 403\n\n';
    expect(given({ stderr }, { whose: 'users' })).toEqual({
      code: 'remote-refused',
      remote: ADDRESS,
      said: 'fatal: The requested URL returned error: 403',
    });
  });

  test('that a hook of the remote refused has what the hook printed and no more', () => {
    const output = Buffer.from('!\tHEAD:refs/heddle/a\t[remote rejected] (pre-receive hook declined)\n');
    const stderr = `remote: pushes are closed today        \nerror: failed to push some refs to '${ADDRESS}'\n`;
    const said = 'remote: pushes are closed today (pre-receive hook declined)';
    expect(given({ output, stderr }, { whose: 'users' })).toMatchObject({ code: 'remote-refused', said });
    const told = `error: failed to push some refs to '${ADDRESS}'`;
    const silent = { output, stderr: `${told}\n` };
    expect(given(silent, { whose: 'users' })).toMatchObject({ said: `${told} (pre-receive hook declined)` });
  });

  test('whose ref was rejected has the reason: a code of the server, or words of another program', () => {
    const line = (reason: string) => Buffer.from(`!\tHEAD:refs/heddle/a\t[remote rejected] (${reason})\n`);
    const notYours = { code: 'not-yours', ref: 'refs/heddle/a' };
    expect(given({ output: line(JSON.stringify(notYours)) })).toEqual(notYours);
    expect(given({ output: line('hook declined'), stderr: 'error: failed to push' })).toEqual({
      code: 'objects-refused',
      ref: 'refs/heddle/a',
      said: 'error: failed to push (hook declined)',
    });
  });

  test('without an answer may have moved the ref, and is tried again', () => {
    const output = Buffer.from('!\tHEAD:refs/heddle/a\t[remote failure] (remote failed to report status)\n');
    expect(given({ output })).toMatchObject({ code: 'link-away' });
  });
});

test('git that was ended is as a link that was away; git that cannot start is trouble here; a bug stays a bug', () => {
  const ended = new GitError({ code: 'git-killed', command: 'push', cwd: '/', signal: 'SIGKILL' });
  expect(transferFailureOfError(ended, ADDRESS)).toEqual({ code: 'link-away', address: ADDRESS, cause: ended.message });
  const late = new GitError({ code: 'git-timeout', command: 'push', cwd: '/', limitMs: 5 });
  expect(transferFailureOfError(late, ADDRESS)).toMatchObject({ code: 'link-away' });
  const failure = { code: 'git-unstarted', cwd: '/', cause: 'ENOENT' } as const;
  expect(transferFailureOfError(new GitError(failure), ADDRESS)).toEqual({ code: 'git-here', failure });
  expect(() => transferFailureOfError(new TypeError('a bug'), ADDRESS)).toThrow('a bug');
});

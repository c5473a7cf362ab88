// A person's repository and a server's, which git reaches by a path here and by HTTP otherwise.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { describeUser, type UserRepository } from '../user/describe-user.ts';
import { fetchRunBranch, sendCommit } from './caller-transfers.ts';
import type { HttpAccess } from './http-far-side.ts';

const BRANCH = 'heddle/run-1';

interface Sides {
  readonly user: UserRepository;
  readonly access: HttpAccess;
  readonly here: Git;
  readonly there: Git;
}

type Git = (...words: readonly string[]) => string;

const gitIn =
  (folder: string): Git =>
  (...words) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@localhost', ...words], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();

function commit(git: Git, folder: string, text: string): string {
  writeFileSync(join(folder, 'a.txt'), text);
  git('add', '-A');
  git('commit', '-q', '-m', text);
  return git('rev-parse', 'HEAD');
}

/** The server has the first commit of the person. */
async function givenSides(): Promise<Sides & { readonly folder: string; readonly first: string }> {
  const root = mkdtempSync(join(tmpdir(), 'heddle-caller-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [folder, server] = [join(root, 'mine'), join(root, 'server.git')];
  gitIn(root)('init', '-q', '-b', 'main', folder);
  const here = gitIn(folder);
  const first = commit(here, folder, 'first');
  gitIn(root)('clone', '-q', '--bare', folder, server);
  const user = await describeUser(folder);
  if (user.type === 'refused') throw new Error(user.failure.code);
  const access = { address: server, pathOf: () => server, how: {} };
  return { user, access, here, there: gitIn(server), folder, first };
}

test('the branch of a run comes as a branch of that name, once, and forward', async () => {
  const { user, access, here, there, first } = await givenSides();
  expect(await fetchRunBranch(user, access, 'run-1')).toEqual({ type: 'none' });
  there('branch', BRANCH, first);
  const fetched = { type: 'fetched', branch: BRANCH, commit: first };
  expect(await fetchRunBranch(user, access, 'run-1')).toEqual({ ...fetched, isNew: true });
  expect(await fetchRunBranch(user, access, 'run-1')).toEqual({ ...fetched, isNew: false });
  const next = there('commit-tree', '-p', first, '-m', 'next', `${first}^{tree}`);
  there('branch', '-f', BRANCH, next);
  expect(await fetchRunBranch(user, access, 'run-1')).toMatchObject({ type: 'fetched', commit: next, isNew: true });
  expect(here('branch', '--show-current')).toBe('main');
});

test('a branch with commits of its own, and one that a checkout shows, stay as they are', async () => {
  const { user, access, here, there, first } = await givenSides();
  there('branch', BRANCH, there('commit-tree', '-p', first, '-m', 'theirs', `${first}^{tree}`));
  const own = here('commit-tree', '-p', first, '-m', 'own', `${first}^{tree}`);
  here('branch', BRANCH, own);
  expect(await fetchRunBranch(user, access, 'run-1')).toEqual({ type: 'ahead', branch: BRANCH });
  here('switch', '-q', BRANCH);
  expect(await fetchRunBranch(user, access, 'run-1')).toEqual({ type: 'checked-out', branch: BRANCH });
  expect(here('rev-parse', BRANCH)).toBe(own);
});

test('a commit goes to a server that shares its history, and to no other', async () => {
  const { user, access, here, there, folder, first } = await givenSides();
  const sent = commit(here, folder, 'second');
  expect(await sendCommit(user, access, { commit: sent, roots: [first] })).toEqual({ type: 'sent' });
  expect(there('rev-parse', `refs/heddle/bases/${sent}`)).toBe(sent);
  expect(await sendCommit(user, access, { commit: sent, roots: ['0'.repeat(40)] })).toEqual({ type: 'unrelated' });
});

test('a server that is not there is a failure with its address', async () => {
  const { user, access, first } = await givenSides();
  const gone = { ...access, pathOf: () => `${access.address}.gone` };
  expect(await fetchRunBranch(user, gone, 'run-1')).toMatchObject({ type: 'failed' });
  expect(await sendCommit(user, gone, { commit: first, roots: [first] })).toMatchObject({ type: 'failed' });
});

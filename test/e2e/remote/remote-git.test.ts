// Commits between the clone of a person and a server: a run starts from what is checked out here, and its branch comes back.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { clientOf, givenRepository, givenServed, type GivenClient, type GivenServed } from './served.given.ts';

const PLAN = `heddle: 1
name: small
tasks:
  a: { run: "cat a.txt > b.txt" }
`;

interface Clone extends GivenClient {
  readonly git: (...words: readonly string[]) => string;
}

function gitIn(folder: string): Clone['git'] {
  return (...words) => execFileSync('git', ['-C', folder, ...words], { encoding: 'utf8' }).trim();
}

function cloneOf(served: GivenServed): Clone {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-clone-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  execFileSync('git', ['clone', '-q', served.folder, folder]);
  const git = gitIn(folder);
  git('config', 'user.name', 'Grace');
  git('config', 'user.email', 'grace@example.org');
  return { ...clientOf(served.url, folder, served.tokenOf('operator')), git };
}

test('a run starts from the commit of the caller, which is sent, and its branch comes back beside the checkout', async () => {
  const served = await givenServed({ 'a.txt': 'a\n', 'plan.yaml': PLAN });
  const clone = cloneOf(served);
  writeFileSync(join(clone.folder, 'a.txt'), 'mine\n');
  clone.git('commit', '-qam', 'mine');
  writeFileSync(join(clone.folder, 'a.txt'), 'not committed\n');
  const before = [clone.git('rev-parse', 'HEAD'), clone.git('status', '--porcelain'), clone.git('branch')];
  const ran = await clone.ask(['run']);
  expect(ran, ran.errors).toMatchObject({ code: 0 });
  expect(ran.errors).toContain('Uncommitted files in your checkout (1 changed) are left alone');
  expect(ran.errors).toContain('as the branch heddle/small-1; nothing else was changed');
  expect(clone.git('show', 'heddle/small-1:b.txt')).toBe('mine');
  expect(clone.git('merge-base', 'heddle/small-1', 'main')).toBe(before[0]);
  expect(clone.git('log', '-1', '--format=%an', 'heddle/small-1')).toBe('Grace');
  clone.git('branch', '-D', 'heddle/small-1');
  expect([clone.git('rev-parse', 'HEAD'), clone.git('status', '--porcelain'), clone.git('branch')]).toEqual(before);
});

test('the branch of a run is fetched when it is asked for, and never over commits of the person', async () => {
  const served = await givenServed({ 'a.txt': 'a\n', 'plan.yaml': PLAN });
  const clone = cloneOf(served);
  expect(await clone.ask(['fetch', 'small-1'])).toMatchObject({ code: 3 });
  expect(await served.client({ 'plan.yaml': PLAN }).ask(['run'])).toMatchObject({ code: 0 });
  expect(await clone.ask(['fetch', 'small-1'])).toMatchObject({ code: 0, errors: '' });
  expect(clone.git('show', 'heddle/small-1:b.txt')).toBe('a');
  expect((await clone.ask(['fetch', 'small-1'])).out).toContain('here already');
  const other = clone.git('commit-tree', 'HEAD^{tree}', '-p', 'HEAD', '-m', 'other');
  clone.git('update-ref', 'refs/heads/heddle/small-1', other);
  const ran = await clone.ask(['fetch', 'small-1']);
  expect(ran).toMatchObject({ code: 2, out: '' });
  expect(ran.errors).toContain('commits that the one of the server lacks');
  expect(clone.git('rev-parse', 'heddle/small-1')).toBe(other);
});

test('a commit of another history is not sent', async () => {
  const served = await givenServed({ 'a.txt': 'a\n' });
  const other = clientOf(served.url, givenRepository({ 'plan.yaml': PLAN }), served.tokenOf('operator'));
  const ran = await other.ask(['run']);
  expect(ran).toMatchObject({ code: 2, out: '' });
  expect(ran.errors).toMatch(
    /^heddle: Your commit \w{12} and the repository of the server have no history in common\./m,
  );
});

// Machines on which a run cannot work: one clear sentence, before anything starts.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { need } from '../../needs.given.ts';
import { ROOT } from '../heddle.given.ts';

const PLAN = 'heddle: 1\nname: small\ntasks: { a: { run: "true" } }\n';

function givenRepository(name: string): string {
  const above = mkdtempSync(join(tmpdir(), 'heddle-e2e-'));
  onTestFinished(() => rmSync(above, { recursive: true, force: true }));
  const folder = join(above, name);
  mkdirSync(folder);
  writeFileSync(join(folder, 'plan.yaml'), PLAN);
  for (const words of ['init -q', 'add .', '-c user.name=A -c user.email=a@b.c commit -qm start'])
    expect(spawnSync('git', words.split(' '), { cwd: folder }).status).toBe(0);
  return folder;
}

function inShell(cwd: string, script: string) {
  const words = ['-c', script, 'sh', process.execPath, join(ROOT, 'bin', 'heddle.js')];
  const { status, stdout, stderr } = spawnSync('/bin/sh', words, { cwd, encoding: 'utf8' });
  return { code: status, out: stdout, errors: stderr };
}

test('24 open files are too few, and a run says so before it starts', (context) => {
  need(context, {
    name: 'other',
    missing: process.platform === 'linux' ? undefined : 'a system that tells its limits',
  });
  const folder = givenRepository('few');
  const { code, out, errors } = inShell(folder, 'ulimit -n 24; exec "$@" run');
  expect({ code, out }).toEqual({ code: 2, out: '' });
  const says =
    'heddle: This shell allows 24 open files (ulimit -n), and a run needs 64. Raise the limit and try again.';
  expect(errors.trim()).toBe(says);
});

test.each(['doctor', 'recover', 'land', 'status', 'init'])('with 24 open files %s ends without a bug', (command) => {
  const folder = givenRepository('few');
  const { code, errors } = inShell(folder, `ulimit -n 24; exec "$@" ${command}`);
  expect(errors).not.toContain('bug of Heddle');
  expect([0, 1, 2]).toContain(code);
});

test('a path with a line break is refused, with the way to run without git', () => {
  const folder = givenRepository('new\nline');
  const { code, errors } = inShell(folder, 'exec "$@" run');
  expect(code).toBe(2);
  expect(errors).toContain('new\\nline" has a line break in it; rename the folder. heddle run --no-git works in place');
  expect(inShell(folder, 'exec "$@" run --no-git').code).toBe(0);
});

// Which isolation a run gets, and what it says of it.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isolation, skipUnless } from '../../needs.given.ts';
import { heddle, ROOT } from '../heddle.given.ts';
import { givenSystemWithout, removeFoldersAfterEach } from '../first/folders.given.ts';
import { endPrisonsAfterEach, givenPrison } from './prison.given.ts';

endPrisonsAfterEach();
removeFoldersAfterEach();

const TASKS = 'tasks:\n  one: { run: echo more >> src/one.txt }\n';
const PATH = process.env['PATH'] ?? '';
const ISOLATION = await isolation();

test('isolation that must be there is refused in one sentence where it cannot be, before there is a run', async () => {
  const bare = givenPrison({ sandbox: 'isolation: os', tasks: TASKS, env: { PATH: givenSystemWithout('bwrap') } });
  const { code, errors } = await bare.heddle('run');
  expect(code).toBe(2);
  expect(errors.trim()).toMatch(
    /^heddle: The run requires isolation by the system \(isolation: os\), which does not work here: (bubblewrap is not installed; install it, for instance with apt install bubblewrap|it takes Linux)\.$/,
  );
  expect((await bare.heddle('runs')).code).toBe(2);
});

/** A PATH whose bubblewrap is this script. */
function withBubblewrap(script: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-bwrap-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'bwrap'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return [folder, PATH].join(delimiter);
}

describe('where there are user namespaces', () => {
  skipUnless(ISOLATION);

  test.for(['os', 'auto'])('a bubblewrap that fails is refused for %s, with how to go on', async (wanted) => {
    const env = { PATH: withBubblewrap('echo "bwrap: Too many open files" >&2; exit 1') };
    const prison = givenPrison({ sandbox: `isolation: ${wanted}`, tasks: TASKS, env });
    const { code, errors } = await prison.heddle('run');
    expect(code).toBe(2);
    expect(errors).toContain('bwrap: Too many open files');
    expect(errors).toContain('write isolation: none under sandbox');
    expect((await prison.heddle('runs')).code, 'there is no run').toBe(2);
    const doctor = await prison.heddle('doctor');
    expect(doctor.code).not.toBe(0);
    expect(doctor.out).toContain('bwrap: Too many open files');
  });

  test('a bubblewrap that was killed once is used the next time, and the doctor tries it anew each time', async () => {
    const prison = givenPrison({ sandbox: 'isolation: auto', tasks: TASKS });
    const broken = { PATH: withBubblewrap('kill -9 $$') };
    const cwd = prison.folder;
    expect(heddle(['run'], { cwd, env: broken }).code).toBe(2);
    expect((await prison.heddle('doctor')).out).toContain('isolated by bubblewrap');
    const ran = await prison.heddle('run');
    expect(ran.code).toBe(0);
    expect(ran.errors).toContain(', isolated by bubblewrap.');
    expect(heddle(['doctor'], { cwd, env: broken }).code).not.toBe(0);
  });

  test('automatic isolation is none for a user who may not make user namespaces, and says so', async () => {
    const prison = givenPrison({ sandbox: 'isolation: auto', tasks: TASKS });
    const none = 'echo 0 > /proc/sys/user/max_user_namespaces; exec "$@"';
    const words = [process.execPath, join(ROOT, 'bin', 'heddle.js'), 'run'];
    const argv = ['--user', '--map-root-user', 'sh', '-c', none, 'sh', ...words];
    const ran = spawnSync('unshare', argv, { cwd: prison.folder, encoding: 'utf8' });
    expect(ran.stderr).toContain(', NOT ISOLATED, because this user may not make user namespaces.');
    expect(ran.status).toBe(0);
  });
});

test('automatic isolation says what it chose, and works either way', async () => {
  const prison = givenPrison({ sandbox: 'isolation: auto', tasks: TASKS });
  const here = await prison.heddle('run');
  expect(here.code).toBe(0);
  const isolated = ISOLATION.missing === undefined;
  expect(here.errors).toContain(isolated ? ', isolated by bubblewrap.' : ', NOT ISOLATED, because ');
  const bare = givenPrison({ sandbox: 'isolation: auto', tasks: TASKS, env: { PATH: givenSystemWithout('bwrap') } });
  const there = await bare.heddle('run');
  expect(there.errors).toContain(', NOT ISOLATED, because ');
  expect(there.code).toBe(0);
});

test('isolation that the plan turns off is absent, and the run says so', async () => {
  const prison = givenPrison({ sandbox: 'isolation: none', tasks: TASKS });
  const { code, errors } = await prison.heddle('run');
  expect(code).toBe(0);
  expect(errors).toContain(', not isolated, as the plan says.');
});

test('isolation by the system is refused for a run that works in place', async () => {
  const prison = givenPrison({ sandbox: 'isolation: os', tasks: TASKS });
  const { code, errors } = await prison.heddle('run', '--no-git');
  expect(code).toBe(2);
  expect(errors).toContain('works in place');
});

// Landing a run, as a person does it.
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { commit, endRepositoriesAfterEach, givenRepository, type InGit } from './repository.given.ts';
import { PATIENCE_MS } from '../../patience.given.ts';

endRepositoriesAfterEach();

const TASKS = `tasks:
  one: { run: echo more >> src/one.txt }
  two: { needs: [one], run: echo more >> src/two.txt }
`;

async function givenEnded(plan = TASKS, env: Readonly<Record<string, string>> = {}): Promise<InGit> {
  const project = givenRepository(plan, env);
  expect((await project.heddle('run', '--json')).code).toBe(0);
  return project;
}

/** Kills spread over about as long as a landing takes. */
const KILLS = 5;
const LANDING_MS = 2_000;

const isClean = ({ git }: InGit): boolean => git('status', '--porcelain') === '';

describe('heddle land', () => {
  test('moves the branch that the run was started on, and the checkout with it', async () => {
    const project = await givenEnded();
    const { git } = project;
    const planned = await project.heddle('land', '--dry-run');
    expect(planned.out).toContain('Would land world-1 (one, two; 2 files changed) on main.');
    expect(git('log', '-1', '--format=%s', 'main')).toBe('start');
    const { code, out } = await project.heddle('land', '--yes');
    expect(code).toBe(0);
    expect(out).toContain('Landed world-1 on main');
    expect(out).toContain(`Your checkout at ${project.folder} shows it.`);
    expect(git('rev-parse', 'main')).toBe(git('rev-parse', 'heddle/world-1'));
    expect(project.read('src/two.txt')).toBe('two\nmore\n');
    expect(isClean(project)).toBe(true);
    const again = await project.heddle('land', '--yes', '--json');
    expect(JSON.parse(again.out)).toMatchObject({ run: 'world-1', type: 'nothing' });
  });

  test('lands where it was started, whatever is checked out by then', async () => {
    const project = await givenEnded();
    const { git } = project;
    git('checkout', '-q', '-b', 'elsewhere');
    const { code, out } = await project.heddle('land', '--yes', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ type: 'landed', target: 'main', commit: git('rev-parse', 'main') });
    expect(git('log', '-1', '--format=%s', 'elsewhere')).toBe('start');
    expect(project.read('src/two.txt')).toBe('two\n');
    expect((await project.heddle('land', '--yes', '--onto', 'elsewhere')).code).toBe(0);
    expect(project.read('src/two.txt')).toBe('two\nmore\n');
    const nowhere = await project.heddle('land', '--yes', '--onto', 'nowhere');
    expect(nowhere).toMatchObject({ code: 3, errors: expect.stringContaining('There is no branch nowhere') });
  });

  test('asks first, and without a terminal wants the answer beforehand', async () => {
    const project = await givenEnded();
    const { code, errors } = await project.heddle('land');
    expect(code).toBe(2);
    expect(errors).toContain('add --yes');
    expect(project.git('log', '-1', '--format=%s', 'main')).toBe('start');
  });

  test('leaves a checkout alone that has changes, and says so', async () => {
    const project = await givenEnded();
    project.write('src/shared.txt', 'mine\n');
    const { code, errors } = await project.heddle('land', '--yes');
    expect(code).toBe(3);
    expect(errors).toContain('has changes that are not committed (src/shared.txt)');
    expect(project.git('log', '-1', '--format=%s', 'main')).toBe('start');
    expect(project.read('src/shared.txt')).toBe('mine\n');
  });

  test('merges with a target that has moved, once what comes of both has passed', async () => {
    const check = 'merge: { check: "test ! -e broken" }\n';
    const project = await givenEnded(`${check}${TASKS}`);
    const { git } = project;
    const moved = commit(project, 'other.txt', 'other\n');
    const { code, errors } = await project.heddle('land', '--yes');
    expect(code).toBe(0);
    expect(errors).toContain('Checking what will be on main: test ! -e broken');
    expect(git('log', '-1', '--format=%P', 'main')).toBe(`${moved} ${git('rev-parse', 'heddle/world-1')}`);
    expect(isClean(project)).toBe(true);
    expect(project.read('src/one.txt')).toBe('one\nmore\n');
  });

  test('moves nothing when what comes of both does not pass', async () => {
    const check = 'merge: { check: "! { test -e broken && echo it is broken; }" }\n';
    const project = await givenEnded(`${check}${TASKS}`);
    const moved = commit(project, 'broken', '');
    const { code, errors } = await project.heddle('land', '--yes');
    expect(code).toBe(1);
    expect(errors).toContain('it is broken');
    expect(errors).toContain('so nothing was moved');
    expect(project.git('rev-parse', 'main')).toBe(moved);
  });

  test('is refused with the paths when the target has moved in a way that conflicts', async () => {
    const project = await givenEnded();
    const moved = commit(project, 'src/one.txt', 'another\n');
    const { code, out } = await project.heddle('land', '--yes', '--json');
    expect(code).toBe(3);
    expect(JSON.parse(out)).toMatchObject({ type: 'conflict', paths: ['src/one.txt'] });
    expect((await project.heddle('land', '--yes')).errors).toContain('conflicts with the run in src/one.txt');
    expect(project.git('rev-parse', 'main')).toBe(moved);
    expect(isClean(project)).toBe(true);
    const forwards = await project.heddle('land', '--yes', '--how', 'fast-forward');
    expect(forwards.errors).toContain('main has commits that the run has not');
  });

  test('as one commit, or as one for each task', async () => {
    const project = await givenEnded();
    const { git } = project;
    const start = git('rev-parse', 'main');
    expect((await project.heddle('land', '--yes', '--how', 'squash')).code).toBe(0);
    expect(git('log', '--format=%s', `${start}..main`)).toBe('Land world-1');
    expect((await project.heddle('land', '--yes', '--how', 'squash')).out).toContain('on main already');
    const each = await givenEnded(`merge: { strategy: per_task }\n${TASKS}`);
    expect((await each.heddle('land', '--yes', '--how', 'squash')).code).toBe(0);
    expect(each.git('log', '--format=%s', 'main').split('\n')).toEqual([
      'Land two of world-1',
      'Land one of world-1',
      'start',
    ]);
    expect(isClean(each)).toBe(true);
    expect((await each.heddle('land', '--yes', '--how', 'squash')).out).toContain('on main already');
  });

  test('lands the finished tasks of a run that failed, on request', async () => {
    const project = givenRepository(`tasks:
  one: { run: echo more >> src/one.txt }
  two: { needs: [one], run: "test -e go && echo more >> src/one.txt" }
`);
    expect((await project.heddle('run', '--json')).code).toBe(1);
    const whole = await project.heddle('land', '--yes');
    expect(whole).toMatchObject({
      code: 2,
      errors: expect.stringContaining('1 of the 2 tasks that make commits are done'),
    });
    expect((await project.heddle('land', '--yes', '--completed', '--how', 'squash')).code).toBe(0);
    expect(project.read('src/one.txt')).toBe('one\nmore\n');
  });

  test('of a run without changes, or in place, says so', async () => {
    const idle = await givenEnded('tasks:\n  one: { run: "true" }\n');
    expect((await idle.heddle('land', '--yes')).out).toContain('nothing to land');
    const failed = givenRepository('tasks:\n  one: { run: "false" }\n');
    await failed.heddle('run', '--json');
    expect((await failed.heddle('land', '--yes')).errors).toContain('none of its tasks is done');
    const inPlace = givenRepository('tasks:\n  one: { run: "true" }\n');
    expect((await inPlace.heddle('run', '--no-git', '--json')).code).toBe(0);
    expect(await inPlace.heddle('land', '--yes')).toMatchObject({
      code: 2,
      errors: expect.stringContaining('in place'),
    });
  });
});

describe('heddle land --pr', () => {
  function withRemote(project: InGit): string {
    const remote = join(project.folder, '.heddle', 'remote.git');
    project.git('init', '-q', '--bare', remote);
    project.git('remote', 'add', 'origin', remote);
    return remote;
  }

  test('pushes the branch and says how to open the request', async () => {
    const project = await givenEnded();
    expect((await project.heddle('land', '--pr', '--yes')).errors).toContain('There is no remote to push to');
    const remote = withRemote(project);
    const planned = await project.heddle('land', '--pr', '--dry-run');
    expect(planned.out).toContain('Would push heddle/world-1 to origin');
    const { code, out } = await project.heddle('land', '--pr', '--yes');
    expect(code).toBe(0);
    expect(out).toContain('gh pr create --base main --head heddle/world-1 --title world');
    expect(project.git('--git-dir', remote, 'rev-parse', 'heddle/world-1')).toBe(
      project.git('rev-parse', 'heddle/world-1'),
    );
    expect(project.git('log', '-1', '--format=%s', 'main')).toBe('start');
  });

  test('opens it where gh is there', async () => {
    const bin = mkdtempSync(join(tmpdir(), 'heddle-gh-'));
    onTestFinished(() => rmSync(bin, { recursive: true, force: true }));
    const project = await givenEnded(TASKS, { PATH: `${bin}:${process.env['PATH'] ?? ''}` });
    withRemote(project);
    const file = join(bin, 'gh');
    writeFileSync(file, '#!/bin/sh\necho "$@" > gh-was-asked\necho https://somewhere.example/pull/1\n');
    chmodSync(file, 0o755);
    const { code, out } = await project.heddle('land', '--pr', '--yes', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ type: 'opened' });
    expect(out).toContain('https://somewhere.example/pull/1');
    expect(existsSync(project.file('gh-was-asked'))).toBe(true);
  });
});

describe('heddle land TASK', () => {
  const PLAN = `sandbox: { isolation: none }
tasks:
  one: { run: echo more >> src/one.txt }
  two:
    needs: [one]
    run: "until [ -e $HEDDLE_HOME/go ]; do sleep 0.05; done; echo more >> src/two.txt"
    check: test ! -e src/other.txt || echo merged
  other: { run: echo other > src/other.txt }
  bad: { run: "false" }
`;

  test('lands the task with its needs and nothing else, checked by itself, and the rest later', async () => {
    const project = givenRepository(PLAN);
    const going = project.start('run', '--json');
    await going.sees(({ type, task }) => type === 'task.ended' && task === 'other');
    writeFileSync(join(project.home, 'go'), '');
    expect((await going.ended).code).toBe(1);
    const landed = await project.heddle('land', 'two', '--yes');
    expect(landed).toMatchObject({ code: 0, errors: expect.stringContaining('Checking what will be on main') });
    const subjects = (): readonly string[] =>
      project.git('log', '--format=%(trailers:key=Heddle-Task,valueonly,separator=)', 'main').split('\n');
    expect(subjects()).toEqual(['two', 'one']);
    expect(isClean(project)).toBe(true);
    expect(landed.out).toContain('Landed two of world-1 on main');
    expect((await project.heddle('land', 'two', '--yes')).out).toContain('on main already');
    expect((await project.heddle('land', '--completed', '--yes')).code).toBe(0);
    expect(subjects()).toEqual(['other', 'two', 'one']);
    expect(project.git('rev-parse', 'main^{tree}')).toBe(project.git('rev-parse', 'heddle/world-1^{tree}'));
  });

  test('refuses a task that is not done, and one that is not there', async () => {
    const project = givenRepository(PLAN.replace('[ -e $HEDDLE_HOME/go ]', 'true'));
    await project.heddle('run');
    expect(await project.heddle('land', 'bad', '--yes')).toMatchObject({
      code: 2,
      errors: expect.stringContaining('bad is not done'),
    });
    expect(await project.heddle('land', 'tow', '--yes')).toMatchObject({
      code: 2,
      errors: expect.stringContaining('Did you mean two?'),
    });
    expect(project.git('log', '-1', '--format=%s', 'main')).toBe('start');
  });

  test('pushes the target where that is asked for', async () => {
    const project = givenRepository('tasks: { one: { run: echo more >> src/one.txt } }\n');
    project.git('init', '-q', '--bare', '.git/remote.git');
    project.git('remote', 'add', 'origin', '.git/remote.git');
    expect((await project.heddle('run')).code).toBe(0);
    const { code, out } = await project.heddle('land', '--push', '--yes');
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('Pushed main to origin.') });
    expect(project.git('ls-remote', 'origin', 'main')).toContain(project.git('rev-parse', 'main'));
    project.git('remote', 'set-url', 'origin', '.git/nowhere.git');
    expect((await project.heddle('land', '--push', '--yes')).code).toBe(3);
  });
});

describe('at the end of a run', () => {
  test('the plan lands it by itself', async () => {
    const project = givenRepository(`merge: { auto: auto }\n${TASKS}`);
    const { code, out } = await project.heddle('run');
    expect(code).toBe(0);
    expect(out).toContain('Landed world-1 on main');
    expect(project.git('rev-parse', 'main')).toBe(project.git('rev-parse', 'heddle/world-1'));
    expect(isClean(project)).toBe(true);
  });

  test('an obstacle is reported, and the run waits for a person', async () => {
    const project = givenRepository(`merge: { auto: auto }\n${TASKS}`);
    project.write('src/shared.txt', 'mine\n');
    const { code, out, errors } = await project.heddle('run');
    expect(code).toBe(3);
    expect(errors).toContain('Uncommitted files in your checkout (1 changed) are left alone');
    expect(out).toContain('has changes that are not committed');
    expect(out).toContain('heddle land world-1 lands it.');
    project.git('checkout', '-q', 'src');
    expect((await project.heddle('resume')).out).toContain('Landed world-1 on main');
  });

  test.for(['confirm', 'manual'])('%s leaves it to a person without a terminal', async (auto) => {
    const project = givenRepository(`merge: { auto: ${auto} }\n${TASKS}`);
    const { code, out } = await project.heddle('run');
    expect(code).toBe(0);
    expect(out).toContain('heddle land world-1 lands it.');
    expect(project.git('log', '-1', '--format=%s', 'main')).toBe('start');
  });

  test('the finished tasks of a failed run can be landed, and the end of the run says so', async () => {
    const project = givenRepository(`merge: { auto: auto }
tasks:
  one: { run: echo more >> src/one.txt }
  two: { run: "false" }
`);
    const { code, out } = await project.heddle('run');
    expect(code).toBe(1);
    expect(out).toContain('heddle land world-1 --completed lands what is done.');
    expect(project.git('log', '-1', '--format=%s', 'main')).toBe('start');
  });

  test('task after task has landed before, where the plan says so', async () => {
    const project = givenRepository(`merge: { auto: auto, strategy: per_task }
sandbox: { isolation: none }
tasks:
  one: { run: echo more >> src/one.txt }
  two: { needs: [one], run: "until [ -e $HEDDLE_HOME/go ]; do sleep 0.05; done; echo more >> src/two.txt" }
`);
    const going = project.start('run', '--json');
    await expect.poll(() => project.read('src/one.txt'), { timeout: PATIENCE_MS }).toBe('one\nmore\n');
    await expect
      .poll(() => project.git('log', '-1', '--format=%s', 'main'), { timeout: PATIENCE_MS })
      .toBe('one: echo more >> src/one.txt');
    writeFileSync(join(project.home, 'go'), '');
    expect((await going.ended).code).toBe(0);
    expect(project.git('log', '--first-parent', '--format=%s', 'main').split('\n')).toEqual([
      expect.stringMatching(/^two: until/),
      'one: echo more >> src/one.txt',
      'start',
    ]);
    expect(isClean(project)).toBe(true);
  });
});

describe('heddle land that is killed', () => {
  test('is done by the next one, whatever it had come to', async () => {
    const project = await givenEnded(`merge: { strategy: per_task, check: "true" }\n${TASKS}`);
    const { git } = project;
    const start = git('rev-parse', 'main');
    commit(project, 'other.txt', 'other\n');
    for (let round = 0; round < KILLS; round += 1) {
      const going = project.start('land', '--yes', '--how', 'squash');
      await setTimeout(((round + 0.5) / KILLS) * LANDING_MS);
      if (!going.isOver()) process.kill(going.pid, 'SIGKILL');
      await going.ended;
      await project.endProcesses();
    }
    const { code, errors } = await project.heddle('land', '--yes', '--how', 'squash');
    expect(code, errors).toBe(0);
    expect(git('log', '--format=%s', `${start}..main`).split('\n')).toEqual([
      'Land two of world-1',
      'Land one of world-1',
      'other.txt',
    ]);
    expect(isClean(project)).toBe(true);
  });
});
